// Scans: ours against the least that each runtime can do and against other libraries, on a farm of emulated servers on loopback. Every
// run is a process of its own; clients take turns; medians count. With --write the tables go to docs/benchmarks/scan.md.
//
//   pnpm bench:scan [--rounds N] [--workloads B,C,D,growth,memory] [--write]
import { spawnSync } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import process from "node:process"
import { fileURLToPath } from "node:url"
import { conditions, markdown, median, plain } from "./report.mjs"
import { clients } from "./scan/clients.mjs"
import { compile, pinned, startFarm, writeTargets } from "./scan/farmProcess.mjs"
import { plot } from "./scan/plot.mjs"

const option = (name, otherwise) => {
  const at = process.argv.indexOf(`--${name}`)
  return at === -1 ? otherwise : process.argv[at + 1]
}
const rounds = Number(option("rounds", 5))
const wanted = option("workloads", "B,C,D,growth,memory").split(",")
const root = fileURLToPath(new URL("../../", import.meta.url))

const { binary, why } = compile()
if (binary === undefined) {
  console.error(`No benchmark: ${why}.`)
  process.exit(1)
}

const note = (text) => process.stderr.write(text)

/** Runs one client once; its line, or an object with `failed`. */
const runOnce = (command, args) => {
  const [program, ...rest] = pinned(0, [...command, ...args])
  const { stderr, stdout } = spawnSync(program, rest, { encoding: "utf8", timeout: 180_000 })
  try {
    return JSON.parse(stdout.trim().split("\n").at(-1))
  } catch {
    return { failed: stderr.slice(0, 300) }
  }
}

/** The concurrency at which a client is fastest without losing servers; peers and limits differ a lot in it. */
const bestConcurrency = (client, args, candidates) => {
  let best = { concurrency: candidates[0], rate: 0 }
  for (const concurrency of candidates) {
    const { n, ok, wall_s } = runOnce(client.command, [...args, "--concurrency", String(concurrency)])
    const rate = ok === n ? ok / wall_s : 0.1 * ((ok ?? 0) / (wall_s ?? 1))
    if (rate > best.rate) best = { concurrency, rate }
    note(".")
  }
  return best.concurrency
}

/** Rounds of all clients, each beginning with another; medians by client. */
const compare = async (farm, list, args, concurrencyOf) => {
  const runs = new Map(list.map(({ name }) => [name, []]))
  for (let round = 0; round < rounds; round++) {
    for (let i = 0; i < list.length; i++) {
      const client = list[(i + round) % list.length]
      farm.reset()
      const line = runOnce(client.command, [...args, "--concurrency", String(concurrencyOf(client))])
      const { received } = await farm.counts()
      if (line.failed !== undefined) note(`\n${client.name}: ${line.failed}\n`)
      else runs.get(client.name).push({ ...line, asked: received })
      note(".")
    }
  }
  return new Map(
    [...runs]
      .filter(([, lines]) => lines.length > 0)
      .map(([name, lines]) => {
        const of = (field) => median(lines.map((line) => line[field]))
        return [
          name,
          {
            n: lines[0].n,
            ok: of("ok"),
            least: Math.min(...lines.map(({ ok }) => ok)),
            wrong: Math.max(...lines.map(({ wrong }) => wrong)),
            wall: of("wall_s"),
            cpu: of("cpu_s"),
            rss: of("rss_mb"),
            asked: of("asked"),
            lines
          }
        ]
      })
  )
}

const fixed = (value, digits = 2) => value.toFixed(digits)
const rate = ({ ok, wall }) => Math.round(ok / wall)

/** Ours beside the raw loop of its runtime, as a verdict. */
const besideRaw = (medians) =>
  clients.flatMap(({ name, raw }) => {
    const [ours, limit] = [medians.get(name), medians.get(raw)]
    if (ours === undefined || limit === undefined) return []
    const speed = rate(ours) / rate(limit)
    const cpu = ours.cpu / ours.ok / (limit.cpu / limit.ok)
    const missed = speed < 0.9 || cpu > 1.25 ? "  MISSED" : ""
    return [
      `${name}: ${fixed(speed)}× the servers per second of ${raw} (at least 0.90), ${fixed(cpu)}× its CPU per server (at most 1.25)${missed}`
    ]
  })

const fastestPeer = (medians) =>
  clients.reduce((best, { name, peer }) => {
    const found = peer ? medians.get(name) : undefined
    return found !== undefined && found.ok === found.n && found.wrong === 0 && rate(found) > (best?.rate ?? 0)
      ? { name, rate: rate(found) }
      : best
  }, undefined)

const besidePeers = (medians, least) => {
  const ours = medians.get("sourcewire on Node")
  const best = fastestPeer(medians)
  if (ours === undefined || best === undefined) return []
  const times = rate(ours) / best.rate
  return [
    `sourcewire on Node: ${fixed(times, 1)}× the fastest library that gets all servers right, ${best.name} (at least ${fixed(least, 1)})${times < least ? "  MISSED" : ""}`
  ]
}

const speedTable = (medians, concurrencies) => [
  ["client", "in flight", "right", "wrong", "servers/s", "CPU µs/server", "peak MB"],
  ...[...medians].map(([name, m]) => [
    name,
    concurrencies.get(name),
    `${m.ok} of ${m.n}`,
    m.wrong,
    rate(m),
    m.ok === 0 ? "–" : Math.round((m.cpu * 1e6) / m.ok),
    Math.round(m.rss)
  ])
]

const speed = async (workload, n, candidates, least) => {
  const targets = writeTargets(n)
  const farm = await startFarm(binary, { n })
  const args = ["--targets", targets, "--workload", workload]
  note(`${workload}: finding each client's best concurrency `)
  const concurrencies = new Map(clients.map((client) => [client.name, bestConcurrency(client, args, candidates)]))
  note(`\n${workload}: ${rounds} rounds `)
  const medians = await compare(farm, clients, args, ({ name }) => concurrencies.get(name))
  note("\n")
  await farm.stop()
  return { table: speedTable(medians, concurrencies), notes: [...besideRaw(medians), ...besidePeers(medians, least)] }
}

const workloads = {
  B: async () => ({
    title: "INFO from 10 000 servers",
    about: "Each wants a challenge; no loss, no latency. Every client at the concurrency that suits it best.",
    ...(await speed("B", 10_000, [50, 100, 250, 500], 2.5))
  }),
  D: async () => ({
    title: "INFO, 32 players and 120 rules in several fragments from 2 000 servers",
    about:
      "The raw loops read the headers only; the others decode everything. `right` counts servers with all players and all rules.",
    ...(await speed("D", 2000, [10, 25, 50, 100], 4))
  }),
  C: async () => {
    const n = 10_000
    const farm = await startFarm(binary, { n, dead: 10, loss: 1, latency: 50, jitter: 10 })
    note(`C: ${rounds} rounds `)
    const medians = await compare(
      farm,
      clients,
      ["--targets", writeTargets(n), "--workload", "C", "--attempts", "3"],
      () => 1000
    )
    note("\n")
    await farm.stop()
    const alive = Math.max(...[...medians.values()].flatMap(({ lines }) => lines.map(({ ok }) => ok)))
    const table = [
      ["client", "found", "least of all runs", "wrong", "seconds", "CPU s", "datagrams"],
      ...[...medians].map(([name, m]) => [
        name,
        `${m.ok} of ${alive}`,
        m.least,
        m.wrong,
        fixed(m.wall),
        fixed(m.cpu),
        m.asked
      ])
    ]
    const notes = clients.flatMap(({ name, raw }) => {
      const [ours, limit] = [medians.get(name), medians.get(raw)]
      if (ours === undefined || limit === undefined) return []
      const all = ours.lines.filter(({ ok }) => ok === alive).length
      const [time, asked] = [ours.wall / limit.wall, ours.asked / limit.asked]
      const missed = all < 0.8 * ours.lines.length || ours.wrong > 0 || time > 0.6 || asked > 1.15 ? "  MISSED" : ""
      return [
        `${name}: all ${alive} found in ${all} of ${ours.lines.length} runs; ${fixed(time)}× the time of ${raw} with three attempts (at most 0.60), ${fixed(asked)}× its datagrams (at most 1.15)${missed}`
      ]
    })
    return {
      title: "10 % dead, 1 % of datagrams lost each way, 50 ± 10 ms, 1000 in flight",
      about:
        "Ours with its default settings, the others with three attempts of one second where they have attempts at all.",
      table,
      notes
    }
  },
  growth: async () => {
    const counts = [1000, 10_000, 100_000]
    const farm = await startFarm(binary, { n: counts.at(-1) })
    const rows = new Map(counts.map((count) => [count, []]))
    note("growth ")
    for (let round = 0; round < rounds; round++) {
      for (const count of counts) {
        // Warm, so that what a scan costs is not mixed with what a compiler costs.
        rows
          .get(count)
          .push(
            runOnce(clients[0].command, [
              "--targets",
              writeTargets(counts.at(-1)),
              "--n",
              String(count),
              "--warmup",
              "30000",
              "--workload",
              "B",
              "--concurrency",
              "250"
            ])
          )
        note(".")
      }
    }
    note("\n")
    await farm.stop()
    const perServer = counts.map((count) => median(rows.get(count).map(({ cpu_s }) => (1e6 * cpu_s) / count)))
    const table = [
      ["servers", "right", "CPU µs/server", "peak MB"],
      ...counts.map((count, i) => [
        count,
        median(rows.get(count).map(({ ok }) => ok)),
        fixed(perServer[i], 1),
        Math.round(median(rows.get(count).map(({ rss_mb }) => rss_mb)))
      ])
    ]
    const spread = Math.max(...perServer) / Math.min(...perServer)
    const peak = median(rows.get(100_000).map(({ rss_mb }) => rss_mb))
    return {
      title: "What a server costs in a short scan and in a long one",
      about: "On Node, after 30 000 servers that are not counted.",
      table,
      notes: [
        `largest and smallest cost per server differ by a factor of ${fixed(spread)} (at most 1.10)${spread > 1.1 ? "  MISSED" : ""}`,
        `100 000 servers: at most ${Math.round(peak)} MB (at most 150)${peak > 150 ? "  MISSED" : ""}`
      ]
    }
  },
  memory: async () => {
    const [count, dead] = [1_000_000, 95]
    note("memory: a million targets ")
    const farm = await startFarm(binary, { n: count, dead })
    const [program, ...args] = pinned(0, [
      process.execPath,
      join(root, "tooling/bench/scan/memory.mjs"),
      String(count),
      "10000",
      "300",
      "1"
    ])
    const { stdout } = spawnSync(program, args, { encoding: "utf8", maxBuffer: 1 << 26 })
    await farm.stop()
    const lines = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line))
    const whole = lines.pop()
    note("\n")
    const half = lines[lines.length >> 1].rssMb
    const growth = lines.at(-1).rssMb / half
    return {
      title: "A million targets, 95 % of them dead",
      about:
        "On Node, 10 000 in flight, 300 ms at most per target, one retransmission. ![Resident memory over targets](scan-memory.svg)",
      plot: plot({
        points: lines.map(({ done, rssMb }) => [done, rssMb]),
        title: "Resident memory of a scan of a million targets",
        xLabel: "targets done",
        yLabel: "MB"
      }),
      table: [
        ["targets", "answered", "seconds", "peak MB", "MB at half", "MB at the end"],
        [whole.done, whole.answered, fixed(whole.seconds, 1), whole.peakMb, half, lines.at(-1).rssMb]
      ],
      notes: [`memory at the end is ${fixed(growth)}× that at half (at most 1.10)${growth > 1.1 ? "  MISSED" : ""}`]
    }
  }
}

const sections = []
for (const name of wanted) {
  const section = await workloads[name]()
  console.log(`\n${section.title}\n\n${plain(section.table)}\n\n${section.notes.join("\n")}`)
  sections.push(section)
}
const missed = sections.flatMap(({ notes }) => notes).filter((line) => line.endsWith("MISSED"))
if (process.argv.includes("--write")) {
  const body = sections.map(
    ({ about, notes, table, title }) =>
      `## ${title}\n\n${about}\n\n${markdown(table)}\n\n${notes.map((line) => `- ${line}`).join("\n")}\n`
  )
  const head = `# Scanning\n\nOurs beside the least that each runtime's sockets can do, and beside other libraries, on one farm of emulated servers on loopback; client and farm on a CPU each. ${rounds} interleaved rounds, each run a process of its own, medians. What counts are the ratios. Made by \`pnpm bench:scan --write\`; how a scan works is in [ADR 5](../adr/0005-scanner.md).\n\n${conditions()}\n`
  const file = join(root, "docs/benchmarks/scan.md")
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, [head, ...body].join("\n"))
  for (const { plot } of sections) if (plot !== undefined) writeFileSync(join(dirname(file), "scan-memory.svg"), plot)
}
if (missed.length > 0) process.exitCode = 1
