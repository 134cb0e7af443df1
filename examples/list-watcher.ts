/**
 * Scans a list of servers at an interval, and prints what changed since the last scan. For Deno:
 *
 *     deno run --unstable-net --allow-net list-watcher.ts 30 192.0.2.7:27015 192.0.2.8:27015
 *
 * The number is the interval in seconds. Ctrl-C stops the program.
 *
 * @module
 */
import { scan } from "@sourcewire/transport-deno"

const [seconds = "30", ...servers] = process.argv.slice(2)

/** Returns the state of each server that responds, as one line of text. */
const scanOnce = async (): Promise<ReadonlyMap<string, string>> => {
  const states = new Map<string, string>()
  for await (const result of scan(servers)) {
    if (result._tag === "Answered") {
      const { map, name, players } = result.info
      states.set(String(result.target), `${name}: ${map}, ${players} players`)
    }
  }
  return states
}

let before: ReadonlyMap<string, string> = new Map()
for (;;) {
  const now = await scanOnce()
  for (const server of servers) {
    if (before.get(server) !== now.get(server)) console.log(server, now.get(server) ?? "no longer responds")
  }
  before = now
  await new Promise((resolve) => setTimeout(resolve, Number(seconds) * 1000))
}
