// The scan of memory.mjs by `sourcewire scan`, whose list is a file: `node programMemory.mjs COUNT CONCURRENCY TIMEOUT_MS RETRIES`. Prints
// a line of JSON.
import { spawnSync } from "node:child_process"
import process from "node:process"
import { fileURLToPath } from "node:url"
import { writeTargets } from "../farm/farmProcess.ts"

const [count, ...settings] = process.argv.slice(2)
const program = fileURLToPath(new URL("../../../apps/cli/dist/sourcewire.js", import.meta.url))

/** Has the program say, on a descriptor of its own, what it has taken. */
const told = `data:text/javascript,${encodeURIComponent(`import { writeSync } from "node:fs"
process.on("exit", () => {
  const { maxRSS, systemCPUTime, userCPUTime } = process.resourceUsage()
  writeSync(3, JSON.stringify({ peakMb: Math.round(maxRSS / 1024), cpuSeconds: (systemCPUTime + userCPUTime) / 1e6 }))
})`)}`

const flags = ["--concurrency", "--timeout", "--retries"].flatMap((name, i) => [name, settings[i]])
const scan = ["scan", "--answered", "--json", "--file", writeTargets(Number(count)), ...flags]
const startedAt = performance.now()
const { output, stderr, stdout } = spawnSync(process.execPath, ["--import", told, program, ...scan], {
  encoding: "utf8",
  stdio: ["ignore", "pipe", "pipe", "pipe"],
  maxBuffer: 2 ** 30
})
const taken = String(output[3])
if (taken === "") throw new Error(stderr)
const answered = stdout.trim().split("\n").length
const seconds = (performance.now() - startedAt) / 1000
console.log(JSON.stringify({ done: Number(count), answered, seconds, ...JSON.parse(taken) }))
