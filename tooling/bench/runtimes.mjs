// What a query costs in CPU time on Node, Deno and Bun: the same program, bundled once, against the same servers in another process,
// in rounds that take turns. `--write` puts the table into the docs.
//
//     node tooling/bench/runtimes.mjs [--rounds=5] [--queries=50000] [--write]
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { bundle, run, runtimes } from "../conformance/src/runtimes.ts"
import { report } from "./report.mjs"

const option = (name, otherwise) => {
  const given = process.argv.find((one) => one.startsWith(`--${name}=`))
  return given === undefined ? otherwise : Number(given.slice(name.length + 3))
}
const rounds = option("rounds", 5)
const queries = option("queries", 50_000)

/** Most that a query may cost, as a multiple of Node's. */
const LIMITS = { Deno: 2, Bun: 1 }
/** One at a time; and as many as a monitor with a long list has. */
const LOADS = [1, 64]

const measured = runtimes.filter(({ name }) => name !== "Node 22")
const scratch = mkdtempSync(join(tmpdir(), "sourcewire-bench-"))
const program = join(scratch, "one.mjs")
await bundle(fileURLToPath(new URL("runtimes/one.mjs", import.meta.url)), program)

const servers = spawn(process.execPath, [fileURLToPath(new URL("runtimes/servers.mjs", import.meta.url)), "64"], {
  stdio: ["ignore", "pipe", "inherit"]
})
const [addresses] = await once(servers.stdout.setEncoding("utf8"), "data")

const results = new Map()
try {
  for (let round = 0; round < rounds; round++) {
    for (const inFlight of LOADS) {
      for (const runtime of measured) {
        const args = [program, String(queries), String(inFlight), ...addresses.trim().split(" ")]
        const { status, stderr, stdout } = await run(runtime, args, 300_000)
        if (status !== 0) throw new Error(`${runtime.name}: ${stderr}`)
        const key = `${runtime.name} ${inFlight}`
        results.set(key, [...(results.get(key) ?? []), JSON.parse(stdout)])
      }
    }
  }
} finally {
  servers.kill()
  rmSync(scratch, { recursive: true })
}

const all = (name, inFlight, field) => results.get(`${name} ${inFlight}`).map((one) => one[field])
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
const overall = (name) => sum(name) / sum("Node 24")
report({
  title: "A query on each runtime",
  about: `CPU time of one INFO query over loopback with the ready-made client, user and system together. ${rounds} rounds of ${queries.toLocaleString("en")} queries to 64 servers of another process, runtimes taking turns; the least of the rounds, since other work on the machine can only add. Made by \`pnpm bench:runtimes --write\`.`,
  file: "docs/benchmarks/runtimes.md",
  table: [["runtime", ...LOADS.flatMap((inFlight) => [`µs, ${inFlight} in flight`, "of Node", "queries/s"])], ...rows],
  notes: Object.entries(LIMITS).map(
    ([name, limit]) =>
      `${name}: ${overall(name).toFixed(2)}× Node over both loads (at most ${limit.toFixed(2)}×); single figures vary by some 3 %`
  ),
  write: process.argv.includes("--write")
})
if (Object.entries(LIMITS).some(([name, limit]) => overall(name) > limit)) process.exitCode = 1
