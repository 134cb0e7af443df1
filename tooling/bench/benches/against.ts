/**
 * Finds code that is slower in this tree than in another checkout. The figures are CPU times per server, query or message, and bytes of
 * garbage per server. In each round, the figure of this tree is divided by the figure of the other checkout. The result is the median of
 * these ratios. Both trees run at the same time, each on its own CPU. Therefore a slow period of the machine affects both trees equally.
 * Scans over sockets are an exception: the trees take turns, because the farm of emulated servers needs the second CPU.
 *
 * pnpm bench against --tree FOLDER [--rounds N] [--parts queries,decoding,memory,scans]     FOLDER: an installed checkout
 */
import { join, resolve } from "node:path"
import process from "node:process"
import { run } from "../../packaging/src/packed.ts"
import { bench, type Measured, median, note, root } from "../Bench.ts"
import { compile, pinned, startFarm } from "../farm/farmProcess.ts"
import { LOADS, measured, prepareQueries } from "../runtimes/queries.mjs"
import { clients, OURS, OURS_BATCHED } from "../scan/clients.mjs"
import { LOSSY } from "../scan/lossy.mjs"
import { compare, cpuBeside, speedBeside } from "../scan/runs.mjs"

/** Maximum ratio of a CPU time or of a garbage size: the value of this tree, divided by the value of the other checkout. */
const WORST = 1.08

type Row = readonly [what: string, cpu: number, speed: number | undefined]

const comparisonTable = (rows: ReadonlyArray<Row>): Measured => ({
  table: [
    ["what", "CPU, now / before", "rate, now / before", ""],
    ...rows.map(([what, cpu, speed]) => [
      what,
      cpu.toFixed(3),
      speed?.toFixed(3) ?? "",
      cpu > WORST ? "SLOWER  MISSED" : ""
    ])
  ],
  notes: []
})

type Figures = Readonly<Record<string, number>>

/**
 * In each round, measures both trees at the same time, then swaps their CPUs and measures both trees again. Returns a function that
 * receives the name of a figure, and returns the median of the figure's ratios. A ratio is the value of this tree, divided by the value of
 * the other checkout.
 */
const ratios = async (
  trees: readonly [before: string, now: string],
  rounds: number,
  measure: (tree: string, cpu: number) => Promise<Figures>
) => {
  const pairs: Array<ReadonlyArray<Figures>> = []
  for (let i = 0; i < 2 * rounds; i++) {
    pairs.push(await Promise.all([measure(trees[0], i % 2), measure(trees[1], (i + 1) % 2)]))
    note(".")
  }
  return (figure: string): number => {
    const all = pairs.map(([before, now]) => now![figure]! / before![figure]!)
    return median(Array.from({ length: rounds }, (_, i) => Math.sqrt(all[2 * i]! * all[2 * i + 1]!)))
  }
}

/** Runs a program with Node on one CPU, and returns the JSON that it prints. */
const runForJson = async (cpu: number, ...args: ReadonlyArray<string>) => {
  const [program, ...rest] = pinned(cpu, [process.execPath, ...args])
  return JSON.parse(await run(program, rest, root))
}

type Trees = readonly [before: string, now: string]

const queries = async (trees: Trees, rounds: number): Promise<Measured> => {
  const rows: Array<Row> = []
  await using prepared = await prepareQueries([...trees], 0, 1)
  for (const runtime of measured) {
    for (const inFlight of LOADS) {
      const ratio = await ratios(trees, rounds, (tree, cpu) => prepared.measure(runtime, tree, 30_000, inFlight, cpu))
      rows.push([`query, ${inFlight} in flight, ${runtime.name}`, ratio("cpuUs"), ratio("perSecond")])
    }
  }
  return comparisonTable(rows)
}

const decoding = async (trees: Trees, rounds: number): Promise<Measured> => {
  // V8 uses 4 or 8 MB for young objects, depending on the memory that is in use after all modules are loaded. With 8 MB, the decoding of a
  // RULES reply takes a seventh longer. The flags select 4 MB for both trees.
  const flags = ["--min-semi-space-size=4", "--max-semi-space-size=4"]
  const rows: Array<Row> = []
  for (const what of ["info", "players", "rules"]) {
    const ratio = await ratios(trees, rounds, (tree, cpu) =>
      runForJson(cpu, ...flags, join(tree, "tooling/bench/decode/one.mjs"), "sourcewire", what)
    )
    rows.push([`decode ${what}`, 1 / ratio("perSecond"), ratio("perSecond")])
  }
  return comparisonTable(rows)
}

/** Scans servers that are functions in the same process, so that only the CPU time and the garbage of our own code are measured. */
const inMemory = async (trees: Trees, rounds: number): Promise<Measured> => {
  const runs = {
    "first scan of 10,000, in memory": [["--scans", "10000"], "cpuUs"],
    "later scan of 20,000, in memory": [["--scans", "10000,20000,20000,20000"], "cpuUs"],
    "100,000, 95 % of them dead, in memory": [["--scans", "100000", "--dead", "95", "--concurrency", "5000"], "cpuUs"],
    "20,000, 95 % of them dead, waited for 3 s": [
      ["--scans", "20000", "--dead", "95", "--concurrency", "5000", "--timeout", "3000"],
      "cpuUs"
    ],
    "INFO, PLAYER and RULES of 4,000, in memory": [["--scans", "2000,4000,4000,4000", "--query", "all"], "cpuUs"],
    "garbage of a server's INFO": [["--scans", "10000,20000,20000"], "bytes"],
    "garbage of INFO, PLAYER and RULES": [["--scans", "2000,4000", "--query", "all"], "bytes"]
  } as const
  const script = join(root, "tooling/bench/scan/inMemory.mjs")
  /** Flags that reserve so much space for young objects that V8 collects no garbage during a scan. */
  const uncollected = ["--min-semi-space-size=64", "--max-semi-space-size=64"]
  const rows: Array<Row> = []
  for (const [what, [args, field]] of Object.entries(runs)) {
    const flags = field === "bytes" ? uncollected : []
    const ratio = await ratios(trees, rounds, async (tree, cpu) => {
      const { scans }: { readonly scans: ReadonlyArray<Figures> } = await runForJson(
        cpu,
        ...flags,
        script,
        tree,
        ...args
      )
      // A single scan may include a full garbage collection or a recompilation. Therefore, if there are several scans, the first scan is a
      // warm-up, and the result is the mean of the later scans.
      const later = scans.length > 1 ? scans.slice(1) : scans
      return { mean: later.reduce((sum, scan) => sum + scan[field]!, 0) / later.length }
    })
    rows.push([what, ratio("mean"), undefined])
  }
  return comparisonTable(rows)
}

const scans = async (trees: Trees, rounds: number): Promise<Measured> => {
  compile()
  const chosen = new Set([OURS, OURS_BATCHED, "sourcewire on Bun", "sourcewire on Deno"])
  const ours = clients.filter(({ name }) => chosen.has(name))
  const warm = ["--warmup", "50000"]
  const workloads = [
    { title: "INFO of 10,000 servers", workload: "B", farm: { n: 10_000 }, concurrency: 50, further: [] },
    { title: "INFO of 50,000, warm", workload: "B", farm: { n: 50_000 }, concurrency: 50, further: warm },
    { title: "INFO of 10,000, some dead or lost", workload: "C", farm: LOSSY, concurrency: 1000, further: [] },
    { title: "INFO, PLAYER and RULES of 2,000", workload: "D", farm: { n: 2000 }, concurrency: 25, further: [] }
  ]
  const rows: Array<Row> = []
  for (const { concurrency, farm: options, further, title, workload } of workloads) {
    await using farm = await startFarm(options)
    // Both trees send each request up to nine times, even if their default numbers of retries differ.
    const args = ["--targets", farm.targets(), "--workload", workload, "--attempts", "9", ...further]
    for (const { command, name } of ours) {
      const both = trees.map((tree, i) => ({ name: ["before", "now"][i], command: [...command, "--tree", tree] }))
      const medians = await compare(farm, both, args, () => concurrency, rounds)
      const [before, now] = [medians.get("before"), medians.get("now")]
      if (before !== undefined && now !== undefined)
        rows.push([`${title}, ${name}`, cpuBeside(now, before), speedBeside(now, before)])
    }
  }
  return comparisonTable(rows)
}

export default bench({
  title: "This tree beside another checkout",
  about: "Compares the CPU time of this tree with the CPU time of another checkout.",
  options: { tree: "", rounds: 5 },
  parts: ({ rounds, tree }) => {
    const part = (title: string, measure: (trees: Trees, rounds: number) => Promise<Measured>) => ({
      title,
      about: "",
      measure: async () => {
        if (tree === "") throw new Error("Name the other checkout: --tree FOLDER")
        return measure([resolve(tree), root], rounds)
      }
    })
    return {
      queries: part("Single queries", queries),
      decoding: part("Decoding", decoding),
      memory: part("In memory", inMemory),
      scans: part("Scans", scans)
    }
  }
})
