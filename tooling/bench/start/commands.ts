/** Measures how long commands of the published program take, compared with an empty Node program. */
import { rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { startServer } from "@sourcewire/emulator"
import { layer } from "@sourcewire/transport-node/effect"
import { buildProgram, timed } from "../builtProgram.ts"
import { note, turns } from "../Bench.ts"

/**
 * Runs each command twice in each round: first with an empty compile cache, and then with the cache that the first run has filled. Returns,
 * for each command, the times in ms from the start of the process to its end: `first` and `later`. Each of these times is the minimum of
 * all rounds. The command with an empty name runs an empty program.
 */
export const startCommands = async (rounds: number) => {
  await using built = await buildProgram()
  const folder = built.path
  await using server = await startServer({ transport: layer })
  writeFileSync(join(folder, "empty.js"), "")
  const { NODE_COMPILE_CACHE: _, NODE_DISABLE_COMPILE_CACHE: __, ...inherited } = process.env
  const cache = join(folder, "cache")
  const env = { ...inherited, XDG_CACHE_HOME: cache, NO_COLOR: "1" }
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
    rmSync(cache, { recursive: true, force: true })
    const words = [join(folder, command.args.length === 0 ? "empty.js" : "sourcewire.js"), ...command.args]
    command.first = Math.min(command.first, await timed(words, env))
    command.later = Math.min(command.later, await timed(words, env))
  }
  return commands
}
