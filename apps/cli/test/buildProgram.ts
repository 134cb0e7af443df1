/**
 * Builds the program as it is published, once for all tests of a run, far from any `node_modules`.
 *
 * @module
 */
import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import type { TestProject } from "vitest/node"

declare module "vitest" {
  interface ProvidedContext {
    /** The built program. */
    program: string
  }
}

const app = fileURLToPath(new URL("..", import.meta.url))

/** What vitest calls before the first test; gives what it calls after the last. */
export const setup = ({ provide }: TestProject): (() => void) => {
  const directory = mkdtempSync(join(tmpdir(), "sourcewire-program-"))
  const tsup = join(dirname(createRequire(import.meta.url).resolve("tsup")), "cli-default.js")
  const built = spawnSync(process.execPath, [tsup, "--silent", "--out-dir", directory], { cwd: app, encoding: "utf8" })
  if (built.status !== 0) throw new Error(`The program can't be built:\n${built.stdout}${built.stderr}`)
  writeFileSync(join(directory, "package.json"), '{ "type": "module" }')
  provide("program", join(directory, "sourcewire.js"))
  return () => rmSync(directory, { recursive: true })
}
