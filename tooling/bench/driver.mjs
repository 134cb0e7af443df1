// Our scanner through its public API, as one client of the comparison (see contract.mjs). Runs under Node, Bun and Deno, each over its
// own transport: over batched system calls where they can be had, which `--transport batched` insists on and `--transport plain` leaves
// out. It goes with the scanner's own retries unless told otherwise, as its users do: where no datagram is lost there are none, and Node
// need not report of each whether it was sent. Workload C goes with the scanner's own timeout too, since that is what it measures.
import { readFileSync } from "node:fs"
import process from "node:process"
import { run } from "./contract.mjs"
import { published } from "./published.mjs"

const runtime = globalThis.Bun === undefined ? (globalThis.Deno === undefined ? "node" : "deno") : "bun"
const wanted = process.argv.includes("--transport") ? process.argv[process.argv.indexOf("--transport") + 1] : "any"
const { scan } = await published(runtime)
// What loads with the first scan is no part of its cost, as the import is none: `bench:start` has both.
for await (const batch of scan([]).batches()) throw new Error(`${batch.length} results of nothing`)
const why = (await published("node", "transport")).whyUnbatched()
const batching = wanted !== "plain" && why === undefined
if (wanted === "batched" && !batching) throw new Error(why)
const { version } = JSON.parse(readFileSync(new URL("../../packages/core/package.json", import.meta.url), "utf8"))

const settingsOf = ({ attempts, concurrency, timeoutMs, workload }) => ({
  concurrency,
  batching,
  ...(workload.startsWith("C") ? {} : { timeoutMs }),
  ...(attempts > 1 ? { retries: attempts - 1 } : {})
})

const answerOf = (result) => {
  if (result._tag === "Failed") return new Error(result.error._tag)
  const { errors, info, players, rules } = result
  if (errors !== undefined) return new Error(`part: ${Object.values(errors)[0]._tag}`)
  return { name: info.name, players: players?.players.length, rules: rules?.rules.length }
}

let client
await run({
  client: `sourcewire ${runtime}${batching ? " batched" : ""}`,
  version,
  scan: async (targets, kind, options, onResult) => {
    for await (const batch of scan(targets, kind, settingsOf(options)).batches()) {
      for (const result of batch) onResult(result.target, answerOf(result))
    }
  },
  info: async (target, options) => {
    client ??= await (await published(runtime)).connect({ timeoutMs: options.timeoutMs, retries: options.attempts - 1 })
    return { name: (await client.info(target)).name }
  },
  close: () => client?.close()
})
