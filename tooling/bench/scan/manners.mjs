// How a scan behaves towards the program that runs it: with a reader that is slow, and when it is broken off.
import process from "node:process"
import { fileURLToPath } from "node:url"
import { median, note, verdict } from "../report.ts"
import { startFarm } from "../farm/farmProcess.ts"
import { fixed, runOnce } from "./runs.mjs"

const child = (name) => [process.execPath, fileURLToPath(new URL(name, import.meta.url))]
const MAX_END_MS = 50
const MAX_GROWTH = 1.1

export const manners = async (rounds) => {
  const n = 100_000
  await using farm = await startFarm({ n, dead: 10, loss: 1, latency: 50, jitter: 10 })
  const targets = farm.targets()
  const runs = Array.from({ length: rounds }, () => {
    note("..")
    return {
      slow: runOnce(farm, child("slowReader.mjs"), [targets]),
      broken: runOnce(farm, child("breakOff.mjs"), [targets])
    }
  })
  const slow = (field) => median(runs.map(({ slow }) => slow[field]))
  const growth = slow("endMb") / slow("halfMb")
  const longest = Math.max(...runs.map(({ broken }) => broken.endedMs))
  const left = runs.flatMap(({ broken }) => broken.left)
  return {
    rounds,
    table: [
      ["reader", "servers/s", "most results unread", "MB at half", "MB at the end"],
      ["as fast as it can", Math.round(slow("freePerSecond")), "", "", ""],
      ["100 ms for each batch", Math.round(slow("perSecond")), slow("unread"), slow("halfMb"), slow("endMb")]
    ],
    notes: [
      verdict(
        `a slow reader: memory at the end is ${fixed(growth)}× that at half (at most 1.10)`,
        growth <= MAX_GROWTH
      ),
      verdict(
        `broken off with ${median(runs.map(({ broken }) => broken.inFlight))} targets in flight: everything freed and the process at its end after ${fixed(longest, 1)} ms at most (at most ${MAX_END_MS}), ${left.length} timers or sockets left`,
        longest <= MAX_END_MS && left.length === 0
      )
    ]
  }
}
