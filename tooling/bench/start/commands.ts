/** What starting the program costs: its commands, built as they are published, beside an empty program of Node's. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { startServer } from "@sourcewire/emulator"
import { layer } from "@sourcewire/transport-node/effect"
import { programs } from "../../programs/programs.mjs"
import { buildProgram } from "../builtProgram.ts"
import { note, turns } from "../report.ts"

/** Milliseconds from the start of a process to its end, the least of all rounds. */
export interface Started {
  readonly name: string
  /** Nothing of it was compiled before. */
  readonly first: number
  readonly later: number
}

/** How long a process takes; nobody reads what it complains about. */
const timed = async (args: ReadonlyArray<string>, cache: string): Promise<number> => {
  const { NODE_COMPILE_CACHE: _, NODE_DISABLE_COMPILE_CACHE: __, ...env } = process.env
  const begun = performance.now()
  const child = spawn(programs.node, args, {
    stdio: ["ignore", "pipe", "ignore"],
    env: { ...env, XDG_CACHE_HOME: cache, NO_COLOR: "1" }
  })
  child.stdout.resume()
  const [exitCode] = (await once(child, "close")) as [number | null]
  if (exitCode !== 0) throw new Error(`${args.join(" ")} ended with ${exitCode}`)
  return performance.now() - begun
}

/** An empty program, whose name is empty, and the commands, in turns. */
export const startCommands = async (rounds: number): Promise<ReadonlyArray<Started>> => {
  using built = await buildProgram()
  const { folder } = built
  await using server = await startServer({ transport: layer })
  writeFileSync(join(folder, "empty.js"), "")
  const address = `127.0.0.1:${server.port}`
  const commands = [
    [],
    ["info", "--json", address],
    ["decode", "--json", "ffffffff414ba1d522"],
    ["query", "--json", address],
    ["info", address],
    ["--help"],
    ["--version"]
  ].map((args) => ({ name: args.join(" ").replace(address, "HOST:PORT"), args, first: Infinity, later: Infinity }))
  for (const command of turns(commands, rounds)) {
    note(".")
    const cache = join(folder, "cache")
    rmSync(cache, { recursive: true, force: true })
    const words = [join(folder, command.args.length === 0 ? "empty.js" : "sourcewire.js"), ...command.args]
    command.first = Math.min(command.first, await timed(words, cache))
    command.later = Math.min(command.later, await timed(words, cache))
  }
  return commands
}
