// What a query costs in CPU time on Node, Deno and Bun: the same program, bundled once, against the same servers in another process,
// in rounds that take turns. `--write` puts the table into the docs.
//
//     pnpm bench:runtimes [--rounds 5] [--queries 50000] [--write]
import { options, report, root, turns, verdict } from "./report.ts"
import { LOADS, measured, prepareQueries } from "./runtimes/queries.mjs"

const { queries, rounds, write } = options({ rounds: 5, queries: 50_000 })

/** Most that a query may cost, as a multiple of Node's. */
const LIMITS = { Deno: 2, Bun: 1 }

const lines = []
await using prepared = await prepareQueries([root], undefined)
for (const runtime of turns(measured, rounds)) {
  for (const inFlight of LOADS)
    lines.push({ name: runtime.name, inFlight, ...(await prepared.measure(runtime, root, queries, inFlight)) })
}

const all = (name, inFlight, field) =>
  lines.filter((line) => line.name === name && line.inFlight === inFlight).map((line) => line[field])
// The least: whatever else the machine does can only add to it.
const least = (name, inFlight) => Math.min(...all(name, inFlight, "cpuUs"))
const ratio = (name, inFlight) => least(name, inFlight) / least("Node 24", inFlight)
const rows = measured.map(({ name }) => [
  name,
  ...LOADS.flatMap((inFlight) => [
    least(name, inFlight).toFixed(1),
    `${ratio(name, inFlight).toFixed(2)}×`,
    Math.round(Math.max(...all(name, inFlight, "perSecond"))).toLocaleString("en")
  ])
])
const sum = (name) => LOADS.map((inFlight) => least(name, inFlight)).reduce((a, b) => a + b)
report({
  title: "A query on each runtime",
  about: `CPU time of one INFO query over loopback with the ready-made client, user and system together. ${rounds} rounds of ${queries.toLocaleString("en")} queries to 64 servers of another process, runtimes taking turns; the least of the rounds, since other work on the machine can only add. Made by \`pnpm bench:runtimes --write\`.`,
  file: "runtimes.md",
  table: [["runtime", ...LOADS.flatMap((inFlight) => [`µs, ${inFlight} in flight`, "of Node", "queries/s"])], ...rows],
  notes: Object.entries(LIMITS).map(([name, limit]) => {
    const overall = sum(name) / sum("Node 24")
    const text = `${name}: ${overall.toFixed(2)}× Node over both loads (at most ${limit.toFixed(2)}×); single figures vary by some 3 %`
    return verdict(text, overall <= limit)
  }),
  write
})
