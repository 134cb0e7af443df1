/**
 * Simulates a large fleet with several seeds, and writes the report: `pnpm simulate:fleet --write`; with `--targets 20000 --runners 8
 * --interval 60 --seeds 1,2 --phases kill,stop` another one. `--save FILE` adds what came of each phase and each seed to a file, as JSON.
 */
import { appendFileSync, readFileSync, writeFileSync } from "node:fs"
import { parseArgs } from "node:util"
import { report, type SeedOutcome } from "./report.ts"
import { simulate } from "./simulate.ts"

const PAGE = new URL("../../../../docs/benchmarks/fleet-simulation.md", import.meta.url)

const { values } = parseArgs({
  options: {
    targets: { type: "string", default: "1000000" },
    runners: { type: "string", default: "32" },
    interval: { type: "string", default: "600" },
    recovery: { type: "string", default: "0.05" },
    seeds: { type: "string", default: "1" },
    phases: { type: "string" },
    save: { type: "string" },
    write: { type: "boolean", default: false }
  }
})

const say = (text: string): void => void process.stderr.write(`${text}\n`)
const save = (found: unknown): void => {
  if (values.save !== undefined) appendFileSync(values.save, `${JSON.stringify(found)}\n`)
}
const phases = values.phases?.split(",")
const options = {
  targets: Number(values.targets),
  runners: Number(values.runners),
  intervalMs: 1000 * Number(values.interval),
  recoveryIntervals: Number(values.recovery),
  sees: "claimed" as const,
  ...(phases === undefined ? {} : { phases })
}
const outcomes: Array<SeedOutcome> = []
for (const seed of values.seeds.split(",").map(Number)) {
  const before = process.cpuUsage()
  const outcome = await simulate({
    ...options,
    seed,
    onPhase: (phase) => {
      const { asked, broken, name, twice, unaskedMs } = phase
      say(`seed ${seed}, ${name}: ${asked} asked, ${twice} twice, unasked for ${unaskedMs} ms ${broken.join("; ")}`)
      save({ seed, phase })
    }
  })
  const { system, user } = process.cpuUsage(before)
  const found = { seed, outcome, cpuSeconds: (system + user) / 1e6, peakBytes: process.resourceUsage().maxRSS * 1024 }
  outcomes.push(found)
  save(found)
  for (const problem of outcome.broken) say(`seed ${seed}: ${problem}`)
}
const command = ["pnpm simulate:fleet", ...process.argv.slice(2)].join(" ")
if (values.write) writeFileSync(PAGE, report(readFileSync(PAGE, "utf8"), command, options, outcomes))
else say(report("", command, options, outcomes))
process.exitCode = outcomes.some(({ outcome }) => outcome.broken.length > 0) ? 1 : 0
