/** The program as it is published, in a folder of its own. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { run } from "../packaging/src/packed.ts"
import { programs } from "../programs/programs.mjs"
import { root } from "./report.ts"

/** Builds the program, `sourcewire.js`; gives its folder, which is removed in the end. */
export const buildProgram = async () => {
  const folder = mkdtempSync(join(tmpdir(), "sourcewire-built-"))
  await run(programs.node, [join(root, "tooling/presets/program.ts"), folder], join(root, "apps/cli"))
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }')
  return { folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true }) }
}
