// Runs our scanner, through its public API, as a client of the comparison (see contract.mjs). This program runs on Node, Bun and Deno, and
// uses the transport package for the current runtime.
//
// - Batched system calls are used if they are available. `--transport batched` fails without them, and `--transport plain` never uses them.
// - Without `--attempts`, the scanner uses its own default number of retries. Retries matter even if no packet is lost: if a request can be
//   retransmitted, Node does not have to report whether its datagram was sent.
// - In workload C, the scanner ignores `--timeout-ms` and uses its own default timeout, because workload C measures this timeout.
// - `--tree FOLDER` uses the scanner of another checkout.
import { readOptions, run } from "./contract.mjs"
import { publishedScan } from "./published.mjs"

const runtime = globalThis.Bun === undefined ? (globalThis.Deno === undefined ? "node" : "deno") : "bun"
const { transport: wanted, tree } = readOptions()
const { scan, why } = await publishedScan(runtime, wanted, tree)
// This empty scan loads the code, so that the measurement does not include the loading. `bench start` measures the loading.
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
