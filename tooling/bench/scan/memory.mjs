// Measures the memory of a long scan: `node memory.mjs COUNT [CONCURRENCY TIMEOUT_MS RETRIES]`. Prints a line of JSON. The list `points` in
// this JSON contains 100 measurements of the process's memory, in MB. This script measures the memory each time that another 1 % of the
// targets is complete.
import process from "node:process"
import { publishedScan } from "../published.mjs"

const [count, concurrency, timeoutMs, retries] = process.argv.slice(2).map(Number)
const { scan } = await publishedScan("node")

/** Generates the addresses of the farm's servers on demand. */
function* targets() {
  for (let i = 0x14_00_01; i < 0x14_00_01 + count; i++) {
    yield `127.${i >>> 16}.${(i >>> 8) & 255}.${i & 255}:17115`
  }
}

const step = count / 100
const startedAt = performance.now()
const cpuBefore = process.cpuUsage()
let done = 0
let answered = 0
let next = step
const points = []
for await (const batch of scan(targets(), "info", { concurrency, timeoutMs, retries }).batches()) {
  done += batch.length
  for (const { _tag } of batch) if (_tag === "Answered") answered++
  if (done < next) continue
  next += step
  points.push(Math.round(process.memoryUsage.rss() / 1e6))
}
const { system, user } = process.cpuUsage(cpuBefore)
const [seconds, cpuSeconds] = [(performance.now() - startedAt) / 1000, (system + user) / 1e6]
const peakMb = Math.round(process.resourceUsage().maxRSS / 1024)
console.log(JSON.stringify({ done, answered, seconds, cpuSeconds, peakMb, points }))
