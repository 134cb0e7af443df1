// Our scanner through its public API, as one client of the comparison (see contract.mjs). Runs under Node, Bun and Deno, each with its own
// transport package.
//
// - Batched system calls are used if they are available. `--transport batched` requires them, and `--transport plain` excludes them.
// - By default, the scanner's own number of retries applies. Without packet loss, nothing is retransmitted, but retries have a second
//   effect: if a request can be retransmitted, Node does not have to report whether its datagram was sent.
// - Workload C also uses the scanner's own timeout, because workload C measures this timeout.
// - `--tree FOLDER` uses the scanner of another checkout.
import { readOptions, run } from "./contract.mjs"
import { publishedScan } from "./published.mjs"

const runtime = globalThis.Bun === undefined ? (globalThis.Deno === undefined ? "node" : "deno") : "bun"
const { transport: wanted, tree } = readOptions()
const { scan, why } = await publishedScan(runtime, wanted, tree)
// An empty scan loads the code that the first scan needs, so that the measurement does not include the loading. `bench start` measures the
// loading, together with the import.
for await (const batch of scan([]).batches()) throw new Error(`${batch.length} results of nothing`)
const batching = wanted !== "plain" && why === undefined
if (wanted === "batched" && !batching) throw new Error(why)

const scanSettings = ({ attempts, concurrency, timeoutMs, workload }) => ({
  concurrency,
  batching,
  ...(workload === "C" ? {} : { timeoutMs }),
  ...(attempts > 1 ? { retries: attempts - 1 } : {})
})

const toAnswer = ({ _tag, errors, info, players, rules }) => {
  if (_tag === "Failed" || errors !== undefined) return undefined
  return { name: info.name, players: players?.players.length, rules: rules?.rules.length }
}

await run(async (targets, kind, options, onResult) => {
  for await (const batch of scan(targets, kind, scanSettings(options)).batches()) {
    for (const result of batch) onResult(result.target, toAnswer(result))
  }
})
