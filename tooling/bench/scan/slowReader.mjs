// A scan whose reader takes 100 ms for each batch, after one whose reader does not: `node slowReader.mjs TARGETS`. Prints a line of JSON.
import { readFileSync } from "node:fs"
import process from "node:process"
import { setTimeout as sleep } from "node:timers/promises"
import { published } from "../published.mjs"

const BATCHES = 200
const PAUSE_MS = 100

const targets = readFileSync(process.argv[2], "utf8").trim().split("\n")
const { scan } = await published("node")

/** Takes so many batches, each in its time. */
const read = async (pauseMs) => {
  let given = 0
  const counted = function* () {
    for (const target of targets) {
      given++
      yield target
    }
  }
  const startedAt = performance.now()
  const sizes = []
  let taken = 0
  let unread = 0
  let batches = 0
  for await (const batch of scan(counted()).batches()) {
    if (pauseMs > 0) await sleep(pauseMs)
    taken += batch.length
    unread = Math.max(unread, given - taken)
    sizes.push(Math.round(process.memoryUsage.rss() / 1e6))
    if (++batches === BATCHES) break
  }
  return { perSecond: (1000 * taken) / (performance.now() - startedAt), unread, sizes }
}

const { perSecond: freePerSecond } = await read(0)
const { perSecond, sizes, unread } = await read(PAUSE_MS)
console.log(JSON.stringify({ freePerSecond, perSecond, unread, halfMb: sizes[sizes.length >> 1], endMb: sizes.at(-1) }))
