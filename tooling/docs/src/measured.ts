/**
 * Computes tables from the benchmark results in `docs/benchmarks/results`. `pnpm generate` writes these tables into the README and into a
 * guide.
 */
import { readFileSync, writeFileSync } from "node:fs"
import { count } from "../../bench/Bench.ts"
import { markdown, type Result, type Results } from "../../bench/page.ts"

const root = new URL("../../../", import.meta.url)
const BEGIN = "<!-- measured: pnpm generate -->\n"
const END = "<!-- end of measured -->"

/** The names of the JavaScript libraries in the benchmarks. In the tables of results, the rows of a library begin with its name. */
const LIBRARIES = new Set(["gamedig", "source-server-query", "steam-server-query", "@fabricio-191/valve-server-query"])

const readPart = (benchmark: string, part: string): Result => {
  const file = new URL(`docs/benchmarks/results/${benchmark}.json`, root)
  return (JSON.parse(readFileSync(file, "utf8")) as Results).parts[part]!
}

const readTable = (benchmark: string, part: string): ReadonlyArray<ReadonlyArray<string>> =>
  readPart(benchmark, part).table.map((row) => row.map(String))

/** Returns the number in a cell of a table. `row` is the first cell of the row, and `column` is the title of the column. */
const numberAt = (table: ReadonlyArray<ReadonlyArray<string>>, row: string, column: string): number => {
  const cell = table.find(([name]) => name === row)?.[table[0]!.indexOf(column)]
  const number = Number(cell?.replaceAll(/[^\d.]/g, ""))
  if (cell === undefined || Number.isNaN(number)) throw new Error(`No number in row "${row}", column "${column}".`)
  return number
}

const times = (ratio: number): string => `${ratio.toFixed(1)}×`

/**
 * The speed of a scan, as a multiple of the speed of the fastest JavaScript library that read every server correctly. The ratio is read
 * from a note of the benchmark.
 */
const scanRatio = (part: string, client: string): string => {
  const { notes } = readPart("scan", part)
  const start = `${client}: `
  const [, ratio, library] =
    notes
      .filter((note) => note.startsWith(start))
      .map((note) => /: ([\d.]+)× the fastest JavaScript library that gets all servers right, (\S+)/.exec(note))
      .find((match) => match !== null) ?? []
  if (library === undefined) throw new Error(`No note compares ${client} with another library.`)
  return `${ratio}× the servers per second of ${library}`
}

/** The table of results in the README. */
const ratios = (): string => {
  const decode = readTable("decode", "decode")
  const others = decode.slice(1).filter(([name]) => !["sourcewire", "hand-written"].includes(name!))
  const fastest = Math.min(...others.map(([name]) => numberAt(decode, name!, "INFO")))
  const ours = numberAt(decode, "sourcewire", "INFO")
  const start = readTable("start", "commands")
  const sizes = readTable("sizes", "sizes")
  const monitor = readTable("monitor", "watching")
  const { right, wrong } = summarizeWrong()
  return markdown([
    ["task", "result", "measured in"],
    [
      "decode an A2S_INFO reply",
      `${times(fastest / ours)} as fast as the fastest other JavaScript library, ${(1 / ours).toFixed(2)}× as fast as a hand-written decoder`,
      "[decoding](docs/benchmarks/decode.md)"
    ],
    ["scan 10,000 servers (INFO), Node 24", scanRatio("info", "sourcewire on Node"), SCAN],
    [
      "scan 10,000 servers (INFO), Node 26 with batched system calls",
      scanRatio("info", "sourcewire on Node 26, batched"),
      SCAN
    ],
    ["scan INFO, players and rules, Node 24", scanRatio("all", "sourcewire on Node"), SCAN],
    ["read players and rules correctly", `${right}; ${wrong}`, SCAN],
    [
      "start `sourcewire info`",
      `${numberAt(start, "`sourcewire info HOST:PORT`", "ratio to an empty program")}× the time of an empty Node program`,
      "[start and import](docs/benchmarks/start.md)"
    ],
    [
      "`connect` in your bundle",
      `${numberAt(sizes, "transport-node: connect", "gzipped, kB")} kB gzipped, with all dependencies`,
      "[bundle sizes](docs/benchmarks/sizes.md)"
    ],
    [
      "monitor 10,000 servers, each every 15 s",
      `${numberAt(monitor, "all live", "load")} % of one core`,
      "[the monitor](docs/benchmarks/monitor.md)"
    ]
  ])
}

const SCAN = "[scanning](docs/benchmarks/scan.md)"

const summarizeWrong = (): { readonly right: string; readonly wrong: string } => {
  const table = readTable("scan", "all")
  const column = table[0]!.indexOf("right")
  const wrong = table.filter(([name, ...cells]) => LIBRARIES.has(name!) && cells[column - 1]!.startsWith("0 of"))
  const right = table.find(([name]) => name === "sourcewire on Node")![column]!
  return {
    right: `${right} servers`,
    wrong: `${wrong.map(([name]) => name).join(" and ")}: none`
  }
}

/** The interval, in seconds, at which the benchmark `monitor` queried its servers. */
const MEASURED_INTERVAL_S = 15
/** Number of queries per second for which the table plans one machine. `pnpm bench fleet` measures instances at this rate. */
const TURNS_OF_MACHINE = 5000

/** The table in the guide to several monitors. It shows the resources that 10,000, 100,000 and 1,000,000 servers need. */
const sizing = (): string => {
  const watching = readTable("monitor", "watching")
  const cpuPerTurn =
    (numberAt(watching, "all live", "load") / 100 / numberAt(watching, "all live", "up")) * MEASURED_INTERVAL_S
  const stored = readTable("monitor", "postgres")
  const bytesPerDay = ["Postgres, usual load", "Postgres, highest load"].map((name) =>
    numberAt(stored, name, "sample + change")
  )
  return markdown([
    [
      "servers, each queried once a minute",
      "queries per second",
      "CPU cores, all instances",
      "machines, including a spare machine",
      "GB per day in Postgres"
    ],
    ...[10_000, 100_000, 1_000_000].map((watched) => {
      const turns = watched / 60
      return [
        count(watched),
        count(Math.round(turns)),
        (turns * cpuPerTurn).toFixed(2),
        Math.ceil(turns / TURNS_OF_MACHINE) + 1,
        bytesPerDay.map((bytes) => ((bytes * watched) / 1e9).toPrecision(2)).join(" to ")
      ]
    })
  ])
}

const tables: Readonly<Record<string, () => string>> = {
  "README.md": ratios,
  "docs/how-to/run-several-monitors.md": sizing
}

/** Computes each table from the current results, inserts it into its document, and returns the texts of the documents. */
export const measured = (): ReadonlyArray<{ readonly file: string; readonly text: string }> =>
  Object.entries(tables).map(([file, table]) => {
    const text = readFileSync(new URL(file, root), "utf8")
    const [from, to] = [text.indexOf(BEGIN), text.indexOf(END)]
    if (from < 0 || to < from) throw new Error(`${file} has no place for its table.`)
    return { file, text: `${text.slice(0, from)}${BEGIN}\n${table()}\n\n${text.slice(to)}` }
  })

if (import.meta.main) for (const { file, text } of measured()) writeFileSync(new URL(file, root), text)
