// This tree beside another one, by turns: did a change make anything slower? What counts is CPU time per server, query or message, as
// a median of what the two were to each other round by round.
//
//   pnpm bench:against FOLDER [--rounds N] [--parts queries,decoding,inMemory,scans]     FOLDER: another checkout, installed
import { spawnSync } from "node:child_process"
import { join, resolve } from "node:path"
import process from "node:process"
import { programs } from "../programs/programs.mjs"
import { conditions, median, note, options, plain, root, turns } from "./report.ts"
import { LOADS, measured, prepareQueries } from "./runtimes/queries.mjs"
import { compile, startFarm } from "./farm/farmProcess.ts"
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

const scans = async () => {
  const starts = {
    Node: [process.execPath],
    "Node 26, batched": [programs.node26, "--experimental-ffi"],
    Bun: [programs.bun],
    Deno: [programs.deno, "run", "-A", "--unstable-net", "--quiet"]
  }
  const workloads = [
    { title: "INFO of 10 000 servers", workload: "B", n: 10_000, concurrency: 50, further: [] },
    { title: "INFO of 50 000, warm", workload: "B", n: 50_000, concurrency: 50, further: ["--warmup", "50000"] },
    { title: "INFO, PLAYER and RULES of 2 000", workload: "D", n: 2000, concurrency: 25, further: [] }
  ]
  for (const { concurrency, further, n, title, workload } of workloads) {
    await using farm = await startFarm({ n })
    const args = ["--targets", farm.targets(), "--workload", workload, ...further]
    for (const [runtime, start] of Object.entries(starts)) {
      const transport = ["--transport", runtime.endsWith("batched") ? "batched" : "plain"]
      const clients = Object.entries(trees).map(([name, tree]) => ({
        name,
        command: [...start, join(tree, "tooling/bench/driver.mjs"), ...transport]
      }))
      const medians = await compare(farm, clients, args, () => concurrency, rounds)
      const [before, now] = [medians.get("before"), medians.get("now")]
      if (before !== undefined && now !== undefined)
        add(`${title}, ${runtime}`, cpuBeside(now, before), speedBeside(now, before))
    }
  }
}

/** Runs of both trees by turns; gives what a field of the one is to that of the other. */
const besides = async (run) => {
  const lines = { before: [], now: [] }
  for (const name of turns(["before", "now"], rounds)) {
    lines[name].push(await run(name))
    note(".")
  }
  return (field) => median(lines.now.map((line, i) => line[field] / lines.before[i][field]))
}

const queries = async () => {
  const { close, measure } = await prepareQueries(trees)
  for (const runtime of measured) {
    for (const inFlight of LOADS) {
      const of = await besides((tree) => measure(runtime, tree, 30_000, inFlight))
      add(`query, ${inFlight} in flight, ${runtime.name}`, of("cpuUs"), of("perSecond"))
    }
  }
  close()
}

const decoding = async () => {
  for (const what of ["info", "players", "rules"]) {
    const of = await besides((tree) => {
      const one = join(trees[tree], "tooling/bench/decode/one.mjs")
      return JSON.parse(spawnSync(process.execPath, [one, "sourcewire", what], { encoding: "utf8" }).stdout)
    })
    add(`decode ${what}`, 1 / of("perSecond"), of("perSecond"))
  }
}

/** Scans over servers that are functions, so that nothing counts but code of ours. */
const inMemory = async () => {
  const runs = {
    "first scan of 10 000, in memory": [["--scans", "10000"], "cpuUs"],
    "later scan of 20 000, in memory": [["--scans", "10000,20000,20000,20000"], "cpuUs"],
    "100 000, 95 % of them dead, in memory": [["--scans", "100000", "--dead", "95", "--concurrency", "5000"], "cpuUs"],
    "INFO, PLAYER and RULES of 4000, in memory": [["--scans", "2000,4000", "--query", "all"], "cpuUs"],
    "garbage of a server's INFO": [["--scans", "10000,20000,20000"], "bytes"],
    "garbage of INFO, PLAYER and RULES": [["--scans", "2000,4000", "--query", "all"], "bytes"]
  }
  const script = join(root, "tooling/bench/scan/inMemory.mjs")
  /** As much space for young objects as has no collection take place. */
  const uncollected = ["--min-semi-space-size=64", "--max-semi-space-size=64"]
  for (const [what, [args, field]] of Object.entries(runs)) {
    const flags = field === "bytes" ? uncollected : []
    const of = await besides((tree) => {
      const run = spawnSync(process.execPath, [...flags, script, trees[tree], ...args], { encoding: "utf8" })
      if (run.status !== 0) throw new Error(run.stderr)
      return JSON.parse(run.stdout).scans.at(-1)
    })
    add(what, of(field))
  }
}

// Nothing is measured where at the end no scan can be.
if (parts.includes("scans")) compile()
const all = { queries, decoding, inMemory, scans }
for (const part of parts.split(",")) await all[part]()
console.log(`${conditions()}, ${rounds} rounds\n\n${plain(table)}`)
if (table.some((row) => row.at(-1) === "SLOWER")) process.exitCode = 1
