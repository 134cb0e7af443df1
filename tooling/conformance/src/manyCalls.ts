/**
 * Queries many servers on consecutive ports of one address in parallel, through one client, and prints the results of the calls.
 *
 *     manyCalls <address> <first port> <count> [<timeout in ms>]
 */
import process from "node:process"
import { loadTransport } from "./transport.ts"

// When a program first uses signals, Deno initializes its signal handling, and panics if no file descriptor is left. These lines use a
// signal early, while file descriptors are still available.
process.once("SIGHUP", () => process.exit(1))
process.removeAllListeners("SIGHUP")

const [address = "", firstPort = "", count = "", timeoutMs] = process.argv.slice(2)
const { connect } = await loadTransport()
const client = await connect(timeoutMs === undefined ? {} : { timeoutMs: Number(timeoutMs) })
const outcomes: Record<string, number> = {}
const ask = async (port: number): Promise<void> => {
  const outcome = await client
    .info(`${address}:${port}`)
    .then(({ _tag }) => _tag)
    .catch((error: { readonly _tag: string; readonly code?: string }) => `${error._tag} ${error.code ?? ""}`)
  outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
}
const all = Promise.all(Array.from({ length: Number(count) }, (_, i) => ask(Number(firstPort) + i)))
console.log("begun")
await all
await client.close()
console.log(JSON.stringify(outcomes))
