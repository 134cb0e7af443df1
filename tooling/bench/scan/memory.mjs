// A scan that does not end soon, and how large its process is meanwhile: `node memory.mjs COUNT [CONCURRENCY TIMEOUT_MS RETRIES]`. Prints
// a line of JSON; its `points` are pairs of targets done and megabytes.
import process from "node:process"
import { published } from "../published.mjs"

const [count, concurrency, timeoutMs, retries] = process.argv.slice(2).map(Number)
const FIRST = 0x7f_14_00_01
const PORT = 17_115

function* targets() {
  for (let i = 0; i < count; i++) {
    const number = FIRST + i
    yield `${number >>> 24}.${(number >>> 16) & 255}.${(number >>> 8) & 255}.${number & 255}:${PORT}`
  }
}

const { scan } = await published("node")
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
  points.push([done, Math.round(process.memoryUsage.rss() / 1e6)])
}
const { system, user } = process.cpuUsage(cpuBefore)
const peakMb = Math.round(process.resourceUsage().maxRSS / 1024)
console.log(
  JSON.stringify({
    done,
    answered,
    seconds: (performance.now() - startedAt) / 1000,
    cpuSeconds: (system + user) / 1e6,
    peakMb,
    points
  })
)
