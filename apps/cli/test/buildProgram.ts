/**
 * Builds the published program once for all tests of a run. The folder of the program contains no `node_modules`. Therefore the tests fail
 * if the program needs a package that is not part of the build. To test an executable instead of this build, such as the single-file
 * program, set `SOURCEWIRE_PROGRAM` to the path of the executable.
 *
 * @module
 */
import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import type { TestProject } from "vitest/node"

declare module "vitest" {
  interface ProvidedContext {
    program: {
      /** The command that starts the program. */
      readonly command: readonly [string, ...Array<string>]
      /** The folder for Node's compile cache. */
      readonly cache: string
      /** The folder of the built program; absent if `SOURCEWIRE_PROGRAM` specifies the program. */
      readonly bundle?: string
    }
  }
}

const app = fileURLToPath(new URL("..", import.meta.url))

/** Vitest runs `setup` before the first test. After the last test, Vitest runs the function that `setup` returns. */
export const setup = ({ provide }: TestProject): (() => void) => {
  const given = process.env["SOURCEWIRE_PROGRAM"]
  const directory = mkdtempSync(join(tmpdir(), "sourcewire-program-"))
  if (given !== undefined) {
    provide("program", { command: [resolve(given)], cache: directory })
    return () => rmSync(directory, { recursive: true })
  }
  const bundle = fileURLToPath(new URL("../../../tooling/presets/program.ts", import.meta.url))
  const built = spawnSync(process.execPath, [bundle, directory], { cwd: app, encoding: "utf8" })
  if (built.status !== 0) throw new Error(`Cannot build the program:\n${built.stdout}${built.stderr}`)
  writeFileSync(join(directory, "package.json"), '{ "type": "module" }')
  const command = [process.execPath, join(directory, "sourcewire.js")] as const
  provide("program", { command, cache: join(directory, "cache"), bundle: directory })
  return () => rmSync(directory, { recursive: true })
}
