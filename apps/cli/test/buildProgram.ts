/**
 * Builds the program as it is published, once for all tests of a run, far from any `node_modules`. `SOURCEWIRE_PROGRAM` names one to
 * be tested in its place, which starts by itself.
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
      /** What starts it. */
      readonly command: readonly [string, ...Array<string>]
      /** Where Node keeps what it compiled of it. */
      readonly cache: string
      /** Its folder, where it was built here. */
      readonly bundle?: string
    }
  }
}

const app = fileURLToPath(new URL("..", import.meta.url))

/** What vitest calls before the first test; gives what it calls after the last. */
export const setup = ({ provide }: TestProject): (() => void) => {
  const given = process.env["SOURCEWIRE_PROGRAM"]
  const directory = mkdtempSync(join(tmpdir(), "sourcewire-program-"))
  if (given !== undefined) {
    provide("program", { command: [resolve(given)], cache: directory })
    return () => rmSync(directory, { recursive: true })
  }
  const bundle = fileURLToPath(new URL("../../../tooling/presets/program.ts", import.meta.url))
  const built = spawnSync(process.execPath, [bundle, directory], { cwd: app, encoding: "utf8" })
  if (built.status !== 0) throw new Error(`The program can't be built:\n${built.stdout}${built.stderr}`)
  writeFileSync(join(directory, "package.json"), '{ "type": "module" }')
  const command = [process.execPath, join(directory, "sourcewire.js")] as const
  provide("program", { command, cache: join(directory, "cache"), bundle: directory })
  return () => rmSync(directory, { recursive: true })
}
