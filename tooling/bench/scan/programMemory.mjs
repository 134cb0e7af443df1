// Measures the memory of `sourcewire scan` for the same targets as in memory.mjs. The program reads these targets from a file. The command
// is `node programMemory.mjs COUNT CONCURRENCY TIMEOUT_MS RETRIES`. It prints a line of JSON.
import { spawnSync } from "node:child_process"
import process from "node:process"
import { join } from "node:path"
import { buildProgram } from "../builtProgram.ts"
import { writeTargets } from "../farm/farmProcess.ts"

const [count, ...settings] = process.argv.slice(2)
await using built = await buildProgram()
const program = join(built.path, "sourcewire.js")

/**
 * A module that the program loads. When the program ends, this module prints the program's peak memory and CPU time to file descriptor 3.
 */
const usageReporter = `data:text/javascript,${encodeURIComponent(`import { writeSync } from "node:fs"
process.on("exit", () => {
  const { maxRSS, systemCPUTime, userCPUTime } = process.resourceUsage()
  writeSync(3, JSON.stringify({ peakMb: Math.round(maxRSS / 1024), cpuSeconds: (systemCPUTime + userCPUTime) / 1e6 }))
})`)}`

const flags = ["--concurrency", "--timeout", "--retries"].flatMap((name, i) => [name, settings[i]])
const scan = ["scan", "--answered", "--json", "--file", writeTargets(Number(count)), ...flags]
const startedAt = performance.now()
const { output, status, stderr, stdout } = spawnSync(process.execPath, ["--import", usageReporter, program, ...scan], {
  encoding: "utf8",
  stdio: ["ignore", "pipe", "pipe", "pipe"],
  maxBuffer: 2 ** 30
})
const usage = String(output[3])
if (status !== 0 || usage === "") throw new Error(`sourcewire scan ended with ${status}: ${stderr}`)
const answered = stdout.trim().split("\n").length
const seconds = (performance.now() - startedAt) / 1000
console.log(JSON.stringify({ done: Number(count), answered, seconds, ...JSON.parse(usage) }))
