/**
 * The soak: scan, single queries, proxy, responder and RCON in one process for a long time. It fails if memory or handles grow, or if
 * something stays open.
 */
import { setTimeout as sleep } from "node:timers/promises"
import { bench, count, median, verdict } from "../Bench.ts"
import { plot } from "../plot.ts"
import { type Done, work } from "../soak/work.ts"

/** Number of samples of a run, independent of its duration. */
const SAMPLES = 240

/** Growth that is allowed between the second and the last third. */
const USED_MB = 1
const RSS_SHARE = 0.1
/** In shorter runs the process is still growing to its size, so resident memory is not judged. */
const SETTLED_MINUTES = 5
const HANDLES = 8

const MEGABYTE = 1024 * 1024
/** Open sockets and timers. The standard streams are ignored, because the runtime opens and closes them. */
const handlesNow = (): ReadonlyArray<string> =>
  process.getActiveResourcesInfo().filter((kind) => /UDP|TCP|Timeout|Immediate/.test(kind))

const collect = globalThis.gc ?? (() => {})

const sample = () => {
  // After one collection, buffers that are not yet swept still count, up to 9 MB; the next waits for the sweeper.
  collect()
  collect()
  const { arrayBuffers, heapUsed, rss } = process.memoryUsage()
  return { rssMb: rss / MEGABYTE, usedMb: (heapUsed + arrayBuffers) / MEGABYTE, handles: handlesNow().length }
}

const run = async (minutes: number) => {
  const before = handlesNow().length
  const done: Done = { scanned: 0, queries: 0, proxied: 0, commands: 0, sessions: 0, failed: new Map() }
  const endsAt = performance.now() + minutes * 60_000
  const isOver = (): boolean => performance.now() >= endsAt
  const samples: Array<ReturnType<typeof sample>> = []
  const watch = async (): Promise<void> => {
    const everyMs = Math.max(100, (minutes * 60_000) / SAMPLES)
    while (!isOver()) {
      await sleep(everyMs)
      samples.push(sample())
    }
  }
  await Promise.all([work(isOver, done), watch()])
  // Sockets close in later iterations of the event loop.
  for (let turns = 0; turns < 50 && handlesNow().length > before; turns++) await sleep(100)
  const left = handlesNow().length - before

  const third = Math.floor(samples.length / 3)
  const grown = (of: (one: (typeof samples)[number]) => number) => {
    const second = median(samples.slice(third, 2 * third).map(of))
    const last = median(samples.slice(2 * third).map(of))
    return { second, last, by: last - second }
  }
  const rss = grown(({ rssMb }) => rssMb)
  const used = grown(({ usedMb }) => usedMb)
  const handles = grown((one) => one.handles)
  const failures = [
    ...(minutes >= SETTLED_MINUTES && rss.by > RSS_SHARE * rss.second ? ["resident memory grew"] : []),
    ...(used.by > USED_MB ? ["used memory grew"] : []),
    ...(handles.by > HANDLES ? ["handles grew"] : []),
    ...(left > 0 ? [`${left} handles stayed open: ${handlesNow().join(", ")}`] : [])
  ]

  const errors =
    done.failed.size === 0
      ? "no operation ended with an error"
      : `ended with an error: ${[...done.failed].map(([what, times]) => `${times} ${what}`).join(", ")}`
  const megabytes = (value: number): string => `${value.toFixed(1)} MB`
  const lines = [
    { name: "Resident memory", unit: "MB", values: samples.map(({ rssMb }) => rssMb) },
    { name: "Heap and buffers", unit: "MB", values: samples.map(({ usedMb }) => usedMb) },
    { name: "Handles", unit: "", values: samples.map((one) => one.handles) }
  ]
  return {
    plots: { "soak.svg": plot(lines, `${minutes.toFixed(1)} minutes`) },
    table: [
      ["", "second third", "last third", "growth", "limit"],
      ["resident memory", megabytes(rss.second), megabytes(rss.last), megabytes(rss.by), `${RSS_SHARE * 100} %`],
      ["heap and buffers", megabytes(used.second), megabytes(used.last), megabytes(used.by), megabytes(USED_MB)],
      ["handles", handles.second, handles.last, handles.by, HANDLES]
    ],
    notes: [
      `Done: ${count(done.scanned)} servers scanned, ${count(done.queries)} queries, ${count(done.proxied)} through the proxy, ${count(done.commands)} RCON commands in ${count(done.sessions)} sessions; ${errors} (5 of the servers lose a tenth of what they send).`,
      `Handles left open at the end: ${left}.`,
      ...failures.map((failure) => verdict(failure, false))
    ]
  }
}

export default bench({
  title: "Soak",
  about:
    "A soak test looks for memory and sockets that are never freed. One process runs scans of 40 emulated servers, single queries, a proxy with a client, and RCON sessions of 40 commands, on loopback. CI runs half a minute of it.",
  options: { minutes: 1 },
  nodeFlags: ["--expose-gc"],
  parts: ({ minutes }) => ({
    soak: {
      title: "Memory and handles over time",
      about: `Duration: ${minutes} min. Memory is measured after a garbage collection. Handles are open sockets and timers.`,
      measure: () => run(minutes)
    }
  })
})
