/** Measures the CPU load of a monitor with many servers, the age of its data, and whether readers or dead servers affect the queries. */
import { readFileSync } from "node:fs"
import { setTimeout as sleep } from "node:timers/promises"
import { count, note, verdict } from "../Bench.ts"
import { startFarm } from "../farm/farmProcess.ts"
import { type BuiltProgram, buildProgram } from "../builtProgram.ts"
import { load, type Program, startProgram } from "./program.ts"

const INTERVAL_S = 15
/**
 * Duration of the warm-up. It is long enough for the runtime to compile the hot code, and for the monitor to query every server at least
 * once.
 */
const WARM_S = 30
const READERS = 10
const MOST_LOAD = 0.3
const MOST_LATE_S = 2

/** Receives events until `signal` is aborted. */
const follow = async (url: string, signal: AbortSignal): Promise<void> => {
  const { body } = await fetch(url, { signal })
  await body!.pipeTo(new WritableStream(), { signal }).catch(() => undefined)
}

/** Acts as a reader: requests data from the HTTP API once per second until `signal` is aborted. */
const reader = async ({ url }: Program, signal: AbortSignal): Promise<void> => {
  const targets = [
    "/api/overview",
    "/api/targets?limit=100",
    "/api/targets/1",
    "/metrics",
    "/api/targets?q=Bench&sort=name"
  ]
  const following = follow(`${url}/api/events?updates=1`, signal)
  while (!signal.aborted) {
    for (const path of targets) {
      await (await fetch(url + path)).arrayBuffer()
      await sleep(1000)
    }
  }
  await following
}

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`

/** Runs a monitor for `servers` servers, of which `dead` percent never reply. Measures it first without readers, then with readers. */
const watch = async (built: BuiltProgram, servers: number, dead: number, seconds: number) => {
  await using farm = await startFarm({ n: servers, dead })
  const targets = readFileSync(farm.targets(), "utf8").trim().split("\n")
  const defaults = { intervalMs: INTERVAL_S * 1000 }
  await using program = await startProgram(built.command, built.path, "monitor", {
    defaults,
    groups: [{ name: "farm", targets }]
  })
  note(`${servers} servers, ${dead} % dead: warming up\n`)
  await sleep(WARM_S * 1000)
  const asked = async (): Promise<number> => {
    farm.reset()
    await sleep(seconds * 1000)
    return (await farm.counts())["received"]!
  }
  const [cpu, alone] = await Promise.all([load(program, seconds), asked()])
  const rss = program.rss()
  const ages = await program.metric("sourcewire_monitor_turn_age_seconds")
  const stopping = new AbortController()
  const readers = Array.from({ length: READERS }, () => reader(program, stopping.signal))
  const [cpuRead, read] = await Promise.all([load(program, seconds), asked()])
  stopping.abort()
  await Promise.all(readers)
  const agesRead = await program.metric("sourcewire_monitor_turn_age_seconds")
  const states = await program.metric("sourcewire_monitor_targets")
  const [up, down] = [states.get('state="up"')!, states.get('state="down"')!]
  return { alone: { cpu, asked: alone, ages }, readers: { cpu: cpuRead, asked: read, ages: agesRead }, rss, up, down }
}

/** Measures the monitor with servers that all reply, and then with the same number of servers, of which some never reply. */
export const watching = async ({ seconds, servers }: { readonly servers: number; readonly seconds: number }) => {
  await using built = await buildProgram()
  const rows: Array<ReadonlyArray<string>> = []
  const notes: Array<string> = []
  for (const dead of [0, 10]) {
    const { alone, down, readers: meanwhile, rss, up } = await watch(built, servers, dead, seconds)
    const name = dead === 0 ? "all live" : `${dead} % dead`
    for (const [who, { ages, asked, cpu }] of [
      [name, alone],
      [`${name}, ${READERS} readers`, meanwhile]
    ] as const) {
      const age = (share: number): string => `${(ages.get(`share="${share}"`) ?? Number.NaN).toFixed(1)} s`
      rows.push([who, count(up), count(down), percent(cpu), count(asked), age(0.5), age(0.99), age(1)])
    }
    const p99 = alone.ages.get('share="0.99"')!
    const more = meanwhile.asked / alone.asked
    const found = [
      verdict(`CPU load ${percent(alone.cpu)} of a core (limit: ${percent(MOST_LOAD)})`, alone.cpu <= MOST_LOAD),
      verdict(
        `99 % of the servers were queried within the last ${p99.toFixed(1)} s (limit: the interval and ${MOST_LATE_S} s)`,
        p99 <= INTERVAL_S + MOST_LATE_S
      ),
      verdict(`with ${READERS} readers, the servers received ${more.toFixed(2)} times as many datagrams`, more <= 1.1),
      `${Math.round(rss)} MB of memory`
    ]
    notes.push(...found.map((text) => `${name}: ${text}`))
  }
  const head = ["", "up", "down", "load", `datagrams to the servers in ${seconds} s`, "age, p50", "p99", "oldest"]
  return { table: [head, ...rows], notes }
}
