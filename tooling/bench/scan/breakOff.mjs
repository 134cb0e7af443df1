// A scan that is broken off under way: `node breakOff.mjs TARGETS`. Prints a line of JSON once nothing keeps the process alive any more.
import { readFileSync } from "node:fs"
import process from "node:process"
import { published } from "../published.mjs"

const targets = readFileSync(process.argv[2], "utf8").trim().split("\n")
const { scan, ScanProgress } = await published("node")
const progress = new ScanProgress()
const controller = new AbortController()
const before = process.getActiveResourcesInfo()

let brokenOffAt = Number.NaN
let inFlight = 0
let left = []
setTimeout(() => {
  inFlight = progress.inFlight
  brokenOffAt = performance.now()
  controller.abort(new Error("enough"))
}, 400)
try {
  for await (const _ of scan(targets, "info", { progress, signal: controller.signal }).batches());
} catch (error) {
  if (!controller.signal.aborted) throw error
  const after = process.getActiveResourcesInfo().filter((resource) => !before.includes(resource))
  left = after
}
process.on("exit", () => {
  process.stdout.write(`${JSON.stringify({ endedMs: performance.now() - brokenOffAt, inFlight, left })}\n`)
})
