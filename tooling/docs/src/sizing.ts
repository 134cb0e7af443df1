/**
 * The table of sizes in docs/how-to/run-several-monitors.md, computed from the measurements in docs/benchmarks/monitor.md.
 *
 *     pnpm sizing           the table
 *     pnpm sizing --write   renews it in the guide
 */
import { readFileSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { count } from "../../bench/Bench.ts"
import { markdown } from "../../bench/page.ts"

const docs = new URL("../../../docs/", import.meta.url)
const guide = fileURLToPath(new URL("how-to/run-several-monitors.md", docs))
const measured = readFileSync(new URL("benchmarks/monitor.md", docs), "utf8")

/** The cells of a row, found by its first cell. Numbers are parsed. */
const readRow = (name: string): ReadonlyArray<number> => {
  const line = measured.split("\n").find((one) => one.startsWith(`| ${name} |`))
  if (line === undefined) throw new Error(`There is no row "${name}" in docs/benchmarks/monitor.md.`)
  return line.split("|").map((cell) => Number(cell.replaceAll(/[^\d.]/g, "")))
}

/** The servers were queried at this interval, in seconds. */
const MEASURED_INTERVAL_S = 15
const [, , servers, , load] = readRow("all live")
const cpuPerTurn = (load! / 100 / servers!) * MEASURED_INTERVAL_S

/** Queries per second of one machine; pnpm bench fleet uses the same limit. */
const TURNS_OF_MACHINE = 5000

/** Bytes per server and day, for usual servers and for servers that are always full. */
const bytesPerDay = ["Postgres, usual load", "Postgres, highest load"].map((name) => readRow(name).at(-2)!)

const rows = [10_000, 100_000, 1_000_000].map((watched) => {
  const turns = watched / 60
  const gigabytes = bytesPerDay.map((bytes) => (bytes * watched) / 1e9)
  return [
    count(watched),
    count(Math.round(turns)),
    (turns * cpuPerTurn).toFixed(2),
    String(Math.ceil(turns / TURNS_OF_MACHINE) + 1),
    gigabytes.map((size) => size.toPrecision(2)).join(" to ")
  ]
})
const head = [
  "servers, each queried once a minute",
  "queries per second",
  "CPU cores, all instances",
  "machines, including a spare one"
]
const table = markdown([[...head, "GB per day in Postgres"], ...rows])

const BEGIN = "<!-- sizing: pnpm sizing --write -->\n"
const END = "<!-- end of sizing -->"
const text = readFileSync(guide, "utf8")
const [from, to] = [text.indexOf(BEGIN), text.indexOf(END)]
if (from < 0 || to < from) throw new Error("docs/how-to/run-several-monitors.md has no place for the table.")
if (process.argv.includes("--write")) {
  writeFileSync(guide, `${text.slice(0, from)}${BEGIN}\n${table}\n\n${text.slice(to)}`)
} else console.log(table)
