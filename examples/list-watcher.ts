/**
 * Watches a list of servers and prints what changed since the last look. For Deno:
 *
 *     deno run --unstable-net --allow-net list-watcher.ts 30 192.0.2.7:27015 192.0.2.8:27015
 *
 * The number is the seconds between two looks. Ctrl-C ends it.
 *
 * @module
 */
import { scan } from "@sourcewire/transport-deno"

const [seconds = "30", ...servers] = process.argv.slice(2)

/** What of a server is worth a line when it changes. */
const look = async (): Promise<ReadonlyMap<string, string>> => {
  const seen = new Map<string, string>()
  for await (const result of scan(servers)) {
    if (result._tag === "Answered") {
      const { map, name, players } = result.info
      seen.set(String(result.target), `${name}: ${map}, ${players} players`)
    }
  }
  return seen
}

let before: ReadonlyMap<string, string> = new Map()
for (;;) {
  const now = await look()
  for (const server of servers) {
    if (before.get(server) !== now.get(server)) console.log(server, now.get(server) ?? "no longer answers")
  }
  before = now
  await new Promise((resolve) => setTimeout(resolve, Number(seconds) * 1000))
}
