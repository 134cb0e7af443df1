/**
 * Queries two servers at the same time: a server that floods its clients, and a silent server. Prints the result and the duration of each
 * query.
 *
 *     flooded <flooding address> <silent address> <timeout in ms>
 */
import { loadTransport } from "./transport.ts"

const [flooding = "", silent = "", timeoutMs = ""] = process.argv.slice(2)
const { connect } = await loadTransport()
await using client = await connect()
const startedAt = performance.now()
const ask = async (address: string) => {
  const ended = await client
    .info(address, { timeoutMs: Number(timeoutMs) })
    .then(({ _tag }) => _tag)
    .catch((error: { readonly _tag: string }) => error._tag)
  return { ended, tookMs: performance.now() - startedAt }
}
const outcomes = await Promise.all([ask(flooding), ask(silent)])
console.log(JSON.stringify({ outcomes, received: client.counters.received }))
