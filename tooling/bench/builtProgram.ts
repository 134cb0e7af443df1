/** Builds the published program in a separate folder. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { closeSync, openSync, writeFileSync } from "node:fs"
import { mkdtempDisposable } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { run } from "../packaging/src/packed.ts"
import { programs } from "../programs/programs.mjs"
import { root } from "./Bench.ts"

/**
 * Builds `sourcewire.js`. Returns the command that starts the program, and the program's folder. Disposing of the result removes this
 * folder.
 */
export const buildProgram = async () => {
  const folder = await mkdtempDisposable(join(tmpdir(), "sourcewire-built-"))
  await run(programs.node, [join(root, "tooling/presets/program.ts"), folder.path], join(root, "apps/cli"))
  writeFileSync(join(folder.path, "package.json"), '{ "type": "module" }')
  return Object.assign(folder, { command: [programs.node, join(folder.path, "sourcewire.js")] as const })
}

export type BuiltProgram = Awaited<ReturnType<typeof buildProgram>>

/**
 * Runs Node with the arguments `args`, and with the file `input` as standard input. Returns the duration in ms. Ignores the text on stderr,
 * but throws if the exit code is not 0.
 */
export const timed = async (args: ReadonlyArray<string>, env = process.env, input = "/dev/null"): Promise<number> => {
  const begun = performance.now()
  const stdin = openSync(input, "r")
  const child = spawn(programs.node, args, { stdio: [stdin, "pipe", "ignore"], env })
  closeSync(stdin)
  child.stdout!.resume()
  const [exitCode] = (await once(child, "close")) as [number | null]
  if (exitCode !== 0) throw new Error(`${args.join(" ")} ended with ${exitCode}`)
  return performance.now() - begun
}
