/**
 * How a fleet grows: runners that are held to so many targets a second, one, two and four of them, and what a target takes beside a
 * `scan` that is held to the same.
 *
 * @module
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { setTimeout as sleep } from "node:timers/promises"
import { compile, startFarm, writeTargets } from "../../bench/farm/farmProcess.ts"
import { familySeconds, idleSeconds, processorSeconds } from "../../bench/processorTime.ts"
import { count, median, note, type Table, verdict } from "../../bench/report.ts"
import { makeFleet, type Runner } from "./fleet.ts"
import { balanced } from "./trials.ts"

const RUNNERS = [1, 2, 4]
/** Another than other benchmarks have, which may run beside this one while it is tried. */
const PORT = 17_116
/** More than four runners may ask in a second, however unevenly the slices fall. */
const SERVERS_PER_TARGET_A_SECOND = 8
/** A farm's servers want a challenge. */
const DATAGRAMS = 2
const MEASURED_MS = 10_000
/** A runner works for months: its compilers are done, and no answer is a server's first. */
const WARM_MS = 30_000
const MOST_CPU = 1.15
const MOST_OFF = 0.05

/** Targets asked, and processor time in seconds, from one moment to another. */
interface Work {
  readonly perSecond: number
  /** Microseconds of processor time of a target, of those who ask. */
  readonly each: number
  /** Shares of the machine: of who asks, of the database, of the servers, and of nobody. */
  readonly cores: { readonly asking: number; readonly database: number; readonly farm: number; readonly idle: number }
}

type Farm = Awaited<ReturnType<typeof startFarm>>

/** Looks at processes for a while. */
const watch = async (farm: Farm, asking: ReadonlyArray<number>, database: number | undefined): Promise<Work> => {
  const now = () => ({
    at: performance.now() / 1000,
    asking: asking.reduce((sum, pid) => sum + processorSeconds(pid), 0),
    database: database === undefined ? 0 : familySeconds(database),
    farm: processorSeconds(farm.pid),
    idle: idleSeconds()
  })
  const received = async (): Promise<number> => (await farm.counts())["received"]!
  const [from, before] = [now(), await received()]
  await sleep(MEASURED_MS)
  const [to, after] = [now(), await received()]
  const targets = (after - before) / DATAGRAMS
  const seconds = to.at - from.at
  const share = (of: "asking" | "database" | "farm" | "idle"): number => (to[of] - from[of]) / seconds
  return {
    perSecond: targets / seconds,
    each: (1e6 * (to.asking - from.asking)) / targets,
    cores: { asking: share("asking"), database: share("database"), farm: share("farm"), idle: share("idle") }
  }
}

/** A scan of all servers, as the program's users run it, its results thrown away. */
const scanned = async (program: ReadonlyArray<string>, farm: Farm, file: string, rate: number): Promise<Work> => {
  const [command, ...words] = [...program, "scan", "--json", "--file", file, "--rate", String(DATAGRAMS * rate)]
  const child = spawn(command!, words, { stdio: "ignore" })
  const ended = once(child, "exit")
  await sleep(2000)
  const work = await watch(farm, [child.pid!], undefined)
  child.kill()
  await ended
  return work
}

const percent = (share: number): string => `${(100 * share).toFixed(0)} %`

/** Measures what one, two and four runners do, with scans before and after them. */
export const scale = async (program: ReadonlyArray<string>, rates: ReadonlyArray<number>) => {
  const { binary, why } = compile()
  if (binary === undefined) throw new Error(why)
  const rows: Array<Table[number]> = []
  const notes: Array<string> = []
  for (const rate of rates) {
    const servers = SERVERS_PER_TARGET_A_SECOND * rate
    // A scan has to last as long as it is looked at.
    const scanServers = Math.max(servers, Math.ceil((rate * (MEASURED_MS + 4000)) / 1000))
    const farm = await startFarm(binary, { n: scanServers, spin: 0 }, PORT)
    const targets = readFileSync(writeTargets(servers, PORT), "utf8").trim().split("\n")
    const fleet = await makeFleet(program, targets, { intervalMs: 1000 })
    const runners: Array<Runner> = []
    const scans: Array<Work> = []
    const works: Array<Work> = []
    const scan = async (): Promise<void> => {
      scans.push(await scanned(program, farm, writeTargets(scanServers, PORT), rate))
      note(".")
    }
    try {
      await scan()
      await scan()
      for (const wanted of RUNNERS) {
        while (runners.length < wanted) {
          runners.push(await fleet.start(`runner-${runners.length}`, ["--rate", String(DATAGRAMS * rate)]))
        }
        await balanced({ fleet, runners })
        await sleep(WARM_MS)
        const pids = runners.map(({ child }) => child.pid!)
        works.push(await watch(farm, pids, fleet.postgres.pid()))
        note(".")
      }
      for (const runner of runners) await runner.end("SIGTERM")
      await scan()
    } finally {
      await fleet.stop()
      await farm.stop()
    }
    const scanEach = median(scans.map(({ each }) => each))
    works.forEach(({ cores, each, perSecond }, index) => {
      const [runners, wanted] = [RUNNERS[index]!, RUNNERS[index]! * rate]
      rows.push([
        `${runners} × ${count(rate)}`,
        count(Math.round(perSecond)),
        `${each.toFixed(1)}, ${scanEach.toFixed(1)}`,
        ...[cores.asking, cores.database, cores.farm, cores.idle].map(percent)
      ])
      notes.push(
        verdict(
          `${runners} held to ${count(rate)} targets a second each ask ${count(Math.round(perSecond))}; within 5 % of ${count(wanted)} they should.`,
          Math.abs(perSecond / wanted - 1) <= MOST_OFF
        ),
        verdict(
          `${runners} held to ${count(rate)}: ${(each / scanEach).toFixed(2)} times the processor time of a scan for each target; ${MOST_CPU} may be.`,
          each / scanEach <= MOST_CPU
        )
      )
    })
  }
  const head = [
    "runners",
    "targets a second",
    "µs of processor time each; of a scan",
    "runners",
    "database",
    "farm",
    "idle"
  ]
  return { table: [head, ...rows], notes }
}
