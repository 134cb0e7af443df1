// This tree beside another one: did a change make anything slower? What counts is CPU time per server, query or message, as a median of
// what the two were to each other round by round. Both run at the same time, a processor each, so that what slows the machine slows both;
// scans, which need the other processor for the farm, take turns.
//
//   pnpm bench:against FOLDER [--rounds N] [--parts queries,decoding,inMemory,scans]     FOLDER: another checkout, installed
import { join, resolve } from "node:path"
import process from "node:process"
import { run } from "../packaging/src/packed.ts"
import { conditions, median, note, options, plain, root } from "./report.ts"
import { LOADS, measured, prepareQueries } from "./runtimes/queries.mjs"
import { compile, pinned, startFarm } from "./farm/farmProcess.ts"
import { clients, OURS, OURS_BATCHED } from "./scan/clients.mjs"
import { LOSSY } from "./scan/lossy.mjs"
import { compare, cpuBeside, speedBeside } from "./scan/runs.mjs"

const [, , folder] = process.argv
if (folder === undefined) {
  console.error("Which folder has the other tree?")
  process.exit(2)
}
const { parts, rounds } = options({ rounds: 5, parts: "queries,decoding,inMemory,scans" })
const trees = { before: resolve(folder), now: root }
/** A median may be worse by so much. */
const WORST = 1.05

const table = [["what", "CPU, now / before", "rate, now / before", ""]]
const add = (what, cpu, speed) => {
  const row = [what, cpu.toFixed(3), speed?.toFixed(3) ?? "", cpu > WORST ? "SLOWER" : ""]
  table.push(row)
  note(`\n${row.join("  ")}\n`)
}

/**
 * Calls `measure(tree, cpu)` of both trees at the same time, in each round once more with the processors exchanged; gives what a field of the
 * one is to that of the other.
 */
const besides = async (measure) => {
  const pairs = []
  for (let i = 0; i < 2 * rounds; i++) {
    pairs.push(await Promise.all([measure(trees.before, i % 2), measure(trees.now, (i + 1) % 2)]))
    note(".")
  }
  return (field) => {
    const ratios = pairs.map(([before, now]) => now[field] / before[field])
    return median(Array.from({ length: rounds }, (_, i) => Math.sqrt(ratios[2 * i] * ratios[2 * i + 1])))
  }
}

/** What a program for Node prints. */
const printed = async (cpu, ...args) => {
  const [program, ...rest] = pinned(cpu, [process.execPath, ...args])
  return JSON.parse(await run(program, rest, root))
}

const queries = async () => {
  await using prepared = await prepareQueries(Object.values(trees), 0, 1)
  for (const runtime of measured) {
    for (const inFlight of LOADS) {
      const of = await besides((tree, cpu) => prepared.measure(runtime, tree, 30_000, inFlight, cpu))
      add(`query, ${inFlight} in flight, ${runtime.name}`, of("cpuUs"), of("perSecond"))
    }
  }
}

const decoding = async () => {
  // V8 would make the space for young objects 4 or 8 MB, by what loading has left, and with 8 rules take a seventh longer.
  const flags = ["--min-semi-space-size=4", "--max-semi-space-size=4"]
  for (const what of ["info", "players", "rules"]) {
    const of = await besides((tree, cpu) =>
      printed(cpu, ...flags, join(tree, "tooling/bench/decode/one.mjs"), "sourcewire", what)
    )
    add(`decode ${what}`, 1 / of("perSecond"), of("perSecond"))
  }
}

/** Scans over servers that are functions, so that nothing counts but code of ours. */
const inMemory = async () => {
  const runs = {
    "first scan of 10 000, in memory": [["--scans", "10000"], "cpuUs"],
    "later scan of 20 000, in memory": [["--scans", "10000,20000,20000,20000"], "cpuUs"],
    "100 000, 95 % of them dead, in memory": [["--scans", "100000", "--dead", "95", "--concurrency", "5000"], "cpuUs"],
    "INFO, PLAYER and RULES of 4000, in memory": [["--scans", "2000,4000,4000,4000", "--query", "all"], "cpuUs"],
    "garbage of a server's INFO": [["--scans", "10000,20000,20000"], "bytes"],
    "garbage of INFO, PLAYER and RULES": [["--scans", "2000,4000", "--query", "all"], "bytes"]
  }
  const script = join(root, "tooling/bench/scan/inMemory.mjs")
  /** As much space for young objects as has no collection take place. */
  const uncollected = ["--min-semi-space-size=64", "--max-semi-space-size=64"]
  for (const [what, [args, field]] of Object.entries(runs)) {
    const flags = field === "bytes" ? uncollected : []
    const of = await besides(async (tree, cpu) => {
      const { scans } = await printed(cpu, ...flags, script, tree, ...args)
      // Now and then a scan meets a full collection or code that is compiled anew: what counts of later ones is their mean.
      const later = scans.length > 1 ? scans.slice(1) : scans
      return { mean: later.reduce((sum, scan) => sum + scan[String(field)], 0) / later.length }
    })
    add(what, of("mean"))
  }
}

const scans = async () => {
  const chosen = new Set([OURS, OURS_BATCHED, "sourcewire on Bun", "sourcewire on Deno"])
  const ours = clients.filter(({ name }) => chosen.has(name))
  const workloads = [
    { title: "INFO of 10 000 servers", workload: "B", farm: { n: 10_000 }, concurrency: 50, further: [] },
    {
      title: "INFO of 50 000, warm",
      workload: "B",
      farm: { n: 50_000 },
      concurrency: 50,
      further: ["--warmup", "50000"]
    },
    { title: "INFO of 10 000, some dead or lost", workload: "C", farm: LOSSY, concurrency: 1000, further: [] },
    { title: "INFO, PLAYER and RULES of 2 000", workload: "D", farm: { n: 2000 }, concurrency: 25, further: [] }
  ]
  for (const { concurrency, farm: options, further, title, workload } of workloads) {
    await using farm = await startFarm(options)
    // As many attempts as users have without asking for any.
    const args = ["--targets", farm.targets(), "--workload", workload, "--attempts", "9", ...further]
    for (const { command, name } of ours) {
      const both = Object.entries(trees).map(([name, tree]) => ({ name, command: [...command, "--tree", tree] }))
      const medians = await compare(farm, both, args, () => concurrency, rounds)
      const [before, now] = [medians.get("before"), medians.get("now")]
      if (before !== undefined && now !== undefined)
        add(`${title}, ${name}`, cpuBeside(now, before), speedBeside(now, before))
    }
  }
}

// Nothing is measured where at the end no scan can be.
if (parts.includes("scans")) compile()
const all = { queries, decoding, inMemory, scans }
for (const part of parts.split(",")) await all[part]()
console.log(`${conditions()}, ${rounds} rounds\n\n${plain(table)}`)
if (table.some((row) => row.at(-1) === "SLOWER")) process.exitCode = 1
