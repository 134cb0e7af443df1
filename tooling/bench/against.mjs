// This tree beside another one, by turns: did a change make anything slower? What counts is CPU time per server, query or message, as
// a median of what the two were to each other round by round.
//
//   pnpm bench:against FOLDER [--rounds N]     FOLDER: another checkout, installed
import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import process from "node:process"
import { fileURLToPath } from "node:url"
import { bundle, run, runtimes } from "../conformance/src/runtimes.ts"
import { programs } from "../programs/programs.mjs"
import { conditions, median, plain } from "./report.mjs"
import { compile, startFarm, writeTargets } from "./scan/farmProcess.mjs"
import { compare, cpuBeside, note, speedBeside } from "./scan/runs.mjs"

const [, , folder] = process.argv
if (folder === undefined) {
  console.error("Which folder has the other tree?")
  process.exit(2)
}
const rounds = Number(process.argv[process.argv.indexOf("--rounds") + 1]) || 5
const trees = { before: resolve(folder), now: fileURLToPath(new URL("../..", import.meta.url)) }
/** A median may be worse by so much. */
const WORST = 1.05

const table = [["what", "CPU, now / before", "rate, now / before", ""]]
const add = (what, cpu, speed) => {
  const row = [what, cpu.toFixed(3), speed?.toFixed(3) ?? "", cpu > WORST ? "SLOWER" : ""]
  table.push(row)
  note(`\n${row.join("  ")}\n`)
}

const scans = async () => {
  const { binary, why } = compile()
  if (binary === undefined) return console.error(`No scans: ${why}.`)
  const starts = {
    Node: [process.execPath],
    "Node 26, batched": [programs.node26],
    Bun: [programs.bun],
    Deno: [programs.deno, "run", "-A", "--unstable-net", "--quiet"]
  }
  const workloads = [
    { title: "INFO of 10 000 servers", workload: "B", n: 10_000, concurrency: 50, further: [] },
    { title: "INFO of 50 000, warm", workload: "B", n: 50_000, concurrency: 50, further: ["--warmup", "50000"] },
    { title: "INFO, PLAYER and RULES of 2 000", workload: "D", n: 2000, concurrency: 25, further: [] }
  ]
  for (const { concurrency, further, n, title, workload } of workloads) {
    const farm = await startFarm(binary, { n })
    const args = ["--targets", writeTargets(n), "--workload", workload, ...further]
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
    await farm.stop()
  }
}

const beside = (before, now, field) => median(now.map((line, i) => line[field] / before[i][field]))

const queries = async () => {
  const scratch = mkdtempSync(join(tmpdir(), "sourcewire-bench-"))
  const servers = spawn(process.execPath, [fileURLToPath(new URL("runtimes/servers.mjs", import.meta.url)), "64"], {
    stdio: ["ignore", "pipe", "inherit"]
  })
  const [addresses] = await once(servers.stdout.setEncoding("utf8"), "data")
  for (const [name, tree] of Object.entries(trees))
    await bundle(join(tree, "tooling/bench/runtimes/one.mjs"), join(scratch, `${name}.mjs`))
  for (const runtime of runtimes.filter(({ name }) => name !== "Node 22")) {
    for (const inFlight of ["1", "64"]) {
      const lines = { before: [], now: [] }
      for (let round = 0; round < rounds; round++) {
        for (const name of round % 2 === 0 ? ["before", "now"] : ["now", "before"]) {
          const args = [join(scratch, `${name}.mjs`), "30000", inFlight, ...addresses.trim().split(" ")]
          const { status, stderr, stdout } = await run(runtime, args, 300_000)
          if (status !== 0) throw new Error(`${runtime.name}: ${stderr}`)
          lines[name].push(JSON.parse(stdout))
          note(".")
        }
      }
      const { before, now } = lines
      add(
        `query, ${inFlight} in flight, ${runtime.name}`,
        beside(before, now, "cpuUs"),
        beside(before, now, "perSecond")
      )
    }
  }
  servers.kill()
  rmSync(scratch, { recursive: true })
}

const decoding = () => {
  for (const what of ["info", "players", "rules"]) {
    const lines = { before: [], now: [] }
    for (let round = 0; round < rounds; round++) {
      for (const name of round % 2 === 0 ? ["before", "now"] : ["now", "before"]) {
        const one = join(trees[name], "tooling/bench/decode/one.mjs")
        lines[name].push(
          JSON.parse(spawnSync(process.execPath, [one, "sourcewire", what], { encoding: "utf8" }).stdout)
        )
        note(".")
      }
    }
    const faster = beside(lines.before, lines.now, "perSecond")
    add(`decode ${what}`, 1 / faster, faster)
  }
}

await queries()
decoding()
await scans()
console.log(`${conditions()}, ${rounds} rounds\n\n${plain(table)}`)
if (table.some((row) => row.at(-1) === "SLOWER")) process.exitCode = 1
