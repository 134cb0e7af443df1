// Sends many INFO queries and prints the mean CPU time per query in µs: the sum of user and system time. The benchmark runs this program on
// each runtime.
import { loadTransport } from "../../conformance/src/transport.ts"

const [queries, inFlight, ...servers] = process.argv.slice(2)
const { connect } = await loadTransport()
// The timeout is long, because the process may have to wait long for a CPU of a busy machine.
const client = await connect({ timeoutMs: 30_000 })

const ask = async (count) => {
  let left = count
  const worker = async (i) => {
    while (left-- > 0) await client.info(servers[i % servers.length])
  }
  await Promise.all(Array.from({ length: Number(inFlight) }, (_, i) => worker(i)))
}

// The measured CPU time also includes the compiler threads. Therefore a warm-up first sends as many queries as the measurement will send.
// Most of the code is then compiled before the measurement begins.
await ask(Number(queries))
const before = process.cpuUsage()
const start = performance.now()
await ask(Number(queries))
const ms = performance.now() - start
const { system, user } = process.cpuUsage(before)
console.log(JSON.stringify({ cpuUs: (user + system) / Number(queries), perSecond: (1000 * Number(queries)) / ms }))
await client.close()
