/**
 * Measures the CPU time of a query on Node, Deno and Bun. Each runtime runs the same bundled program. The queried servers run in another
 * process.
 */
import { bench, root, turns, verdict } from "../Bench.ts"
import { LOADS, measured, prepareQueries } from "../runtimes/queries.mjs"

/** Maximum CPU time of a query on each runtime, as a multiple of the CPU time of a query on Node. */
const LIMITS = { Deno: 2, Bun: 1 }

interface Line {
  readonly name: string
  readonly inFlight: number
  readonly cpuUs: number
  readonly perSecond: number
}

const measure = async (rounds: number, queries: number) => {
  const lines: Array<Line> = []
  await using prepared = await prepareQueries([root], undefined)
  for (const runtime of turns(measured, rounds)) {
    for (const inFlight of LOADS)
      lines.push({ name: runtime.name, inFlight, ...(await prepared.measure(runtime, root, queries, inFlight)) })
  }
  const all = (name: string, inFlight: number, field: "cpuUs" | "perSecond") =>
    lines.filter((line) => line.name === name && line.inFlight === inFlight).map((line) => line[field])
  // The figure is the minimum of all rounds, because other programs on the machine can only increase the CPU time.
  const least = (name: string, inFlight: number): number => Math.min(...all(name, inFlight, "cpuUs"))
  const sum = (name: string): number => LOADS.reduce((total, inFlight) => total + least(name, inFlight), 0)
  return {
    table: [
      ["runtime", ...LOADS.flatMap((inFlight) => [`µs, ${inFlight} in flight`, "ratio to Node", "queries/s"])],
      ...measured.map(({ name }) => [
        name,
        ...LOADS.flatMap((inFlight) => [
          least(name, inFlight).toFixed(1),
          `${(least(name, inFlight) / least("Node 24", inFlight)).toFixed(2)}×`,
          Math.round(Math.max(...all(name, inFlight, "perSecond"))).toLocaleString("en")
        ])
      ])
    ],
    notes: Object.entries(LIMITS).map(([name, limit]) => {
      const overall = sum(name) / sum("Node 24")
      const text = `${name}: ${overall.toFixed(2)}× the CPU time of Node over both loads (at most ${limit.toFixed(2)}×); single figures vary by about 3 %`
      return verdict(text, overall <= limit)
    })
  }
}

export default bench({
  title: "A query on each runtime",
  about: "The CPU time (user and system) of an INFO query over loopback, with the client of `connect()`.",
  options: { rounds: 5, queries: 50_000 },
  parts: ({ queries, rounds }) => ({
    runtimes: {
      title: "A query on each runtime",
      about: `In each of ${rounds} rounds, each runtime sends ${queries.toLocaleString("en")} queries to 64 servers in another process. The table shows the lowest CPU time and the highest query rate of all rounds.`,
      measure: () => measure(rounds, queries)
    }
  })
})
