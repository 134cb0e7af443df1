/**
 * Measures how a fleet scales: first with one runner, then with two runners, and then with four. Each runner has the same rate limit.
 * During each measurement, one `sourcewire scan` runs at the same time as the fleet, with the same rate limit as one runner. The result
 * compares the processor time that the runners need per target with the processor time that the scan needs per target.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { setTimeout as sleep } from "node:timers/promises"
import { startFarm } from "../../bench/farm/farmProcess.ts"
import { familySeconds, idleSeconds, processorSeconds } from "../../bench/processorTime.ts"
import { count, median, note, type Table, verdict } from "../../bench/Bench.ts"
import { makeFleet, type Runner } from "./fleet.ts"
import { balanced } from "./trials.ts"

const RUNNERS = [1, 2, 4]
/**
 * The port of the servers that the fleet queries. The servers that the scan queries use `PORT + 1`. No other benchmark uses these two
 * ports, because several benchmarks may run at the same time during development.
 */
const PORT = 17_116
/**
 * If one runner may send N queries per second, the fleet has `SERVERS_PER_RATE` × N servers. Each server is due once a second. Therefore
 * even a runner that owns only a few slices always has due targets, and sends as many queries as its rate limit allows.
 */
const SERVERS_PER_RATE = 8
/** Number of datagrams that a server receives per query: the servers require a challenge, so a client sends each request twice. */
const DATAGRAMS = 2
const WINDOW_MS = 10_000
const WINDOWS = 5
/**
 * Duration of the warm-up. After the warm-up, the code is compiled and each server has replied, as in a runner that has been running for
 * months.
 */
const WARM_MS = 30_000
/**
 * The time from the end of the measurement until the scan would have queried all of its targets. The scan is therefore still running when
 * the measurement ends.
 */
const SPARE_MS = 10_000
const MOST_CPU = 1.15
const MOST_OFF = 0.05

type Farm = Awaited<ReturnType<typeof startFarm>>

/** Processes that query servers, and the farm of these servers. */
interface Askers {
  readonly farm: Farm
  readonly pids: ReadonlyArray<number>
}

/** Returns the current totals: the number of queried targets, the processor times and the idle time. All times are in seconds. */
const now = async (askers: ReadonlyArray<Askers>, database: number) => ({
  at: performance.now() / 1000,
  idle: idleSeconds(),
  database: familySeconds(database),
  of: await Promise.all(
    askers.map(async ({ farm, pids }) => ({
      targets: (await farm.counts())["received"]! / DATAGRAMS,
      asking: pids.reduce((sum, pid) => sum + processorSeconds(pid), 0),
      farm: processorSeconds(farm.pid)
    }))
  )
})

const watch = async (runners: Askers, scan: Askers, database: number) => {
  const before = await now([runners, scan], database)
  await sleep(WINDOW_MS)
  const after = await now([runners, scan], database)
  const seconds = after.at - before.at
  const since = (index: number) => {
    const [from, to] = [before.of[index]!, after.of[index]!]
    const targets = to.targets - from.targets
    return {
      perSecond: targets / seconds,
      /** Processor time per target, in microseconds. */
      each: (1e6 * (to.asking - from.asking)) / targets,
      asking: (to.asking - from.asking) / seconds,
      farm: (to.farm - from.farm) / seconds
    }
  }
  const [ofRunners, ofScan] = [since(0), since(1)]
  return {
    ...ofRunners,
    scanEach: ofScan.each,
    ratio: ofRunners.each / ofScan.each,
    database: (after.database - before.database) / seconds,
    idle: (after.idle - before.idle) / seconds
  }
}

const percent = (share: number): string => `${(100 * share).toFixed(0)} %`

/** Measures fleets of one, two and four runners at each rate limit in `rates`. */
export const scale = async (program: ReadonlyArray<string>, rates: ReadonlyArray<number>) => {
  const rows: Array<Table[number]> = []
  const notes: Array<string> = []
  for (const rate of rates) {
    const servers = SERVERS_PER_RATE * rate
    const scanned = Math.ceil((rate * (WARM_MS + WINDOWS * WINDOW_MS + SPARE_MS)) / 1000)
    await using farm = await startFarm({ n: servers, spin: 0 }, PORT)
    await using scanFarm = await startFarm({ n: scanned, spin: 0 }, PORT + 1)
    const targets = readFileSync(farm.targets(), "utf8").trim().split("\n")
    const fleet = await makeFleet(program, targets, { intervalMs: 1000 })
    const runners: Array<Runner> = []
    const held = ["--rate", String(DATAGRAMS * rate)]
    try {
      for (const wanted of RUNNERS) {
        while (runners.length < wanted) runners.push(await fleet.start(`runner-${runners.length}`, held))
        await balanced({ fleet, runners })
        const [command, ...words] = [...program, "scan", "--json", "--file", scanFarm.targets(), ...held]
        const scan = spawn(command!, words, { stdio: "ignore" })
        const ended = once(scan, "exit")
        await sleep(WARM_MS)
        const windows: Array<Awaited<ReturnType<typeof watch>>> = []
        while (windows.length < WINDOWS) {
          const pids = runners.map(({ child }) => child.pid!)
          windows.push(await watch({ farm, pids }, { farm: scanFarm, pids: [scan.pid!] }, fleet.postgres.pid()!))
          note(".")
        }
        scan.kill()
        await ended
        const middle = (field: keyof (typeof windows)[number]): number => median(windows.map((one) => one[field]))
        const [perSecond, expected] = [middle("perSecond"), wanted * rate]
        rows.push([
          `${wanted} × ${count(rate)}`,
          count(Math.round(perSecond)),
          `${middle("each").toFixed(1)}, ${middle("scanEach").toFixed(1)}`,
          ...(["asking", "database", "farm", "idle"] as const).map((field) => percent(middle(field)))
        ])
        const ratios = windows.map(({ ratio }) => ratio).toSorted((a, b) => a - b)
        const span = `${ratios[0]!.toFixed(2)} to ${ratios.at(-1)!.toFixed(2)}`
        notes.push(
          verdict(
            `${wanted} × ${count(rate)}: ${count(Math.round(perSecond))} targets per second (limit: within 5 % of ${count(expected)}).`,
            Math.abs(perSecond / expected - 1) <= MOST_OFF
          ),
          verdict(
            `${wanted} × ${count(rate)}: ${median(ratios).toFixed(2)} times the CPU time per target of a scan (from ${span}; limit: ${MOST_CPU}).`,
            median(ratios) <= MOST_CPU
          )
        )
      }
    } finally {
      await fleet.stop()
    }
  }
  const head = [
    "instances × rate",
    "targets per second",
    "CPU time per target, µs: monitor, scan",
    "CPU of the instances",
    "CPU of the database",
    "CPU of the farm",
    "idle CPU"
  ]
  return { table: [head, ...rows], notes }
}
