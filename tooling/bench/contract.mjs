// What every client of the comparison does alike: read the command line, take the time, check results, print one line of JSON.
//
//   --targets FILE     one "ip:port" a line; the name of server i begins with "Bench #" and i in eight digits
//   --workload W       A  INFO of the first target, n times, one after the other
//                      B  INFO of every target, after an unmeasured pass over the first 1000
//                      C  like B with loss, latency and dead servers; no warm-up
//                      D  INFO, PLAYER and RULES of every target; warm-up as in B
//   --concurrency N    most targets in flight                       [500]
//   --timeout-ms N     most time for one request                    [1000]
//   --attempts N       transmissions of one request                 [1]
//   --n N              only the first N targets (A: queries)
//   --repeat N         so many scans are measured as one            [1]
//   --warmup N         unmeasured targets or queries before
//   --decode 1         of raw loops: decode everything
//   --players N --rules N   what D has to find                      [32, 120]
//   --profile FILE     writes a profile of what is measured, for scan/profile.mjs
//
// Answered and right is `ok`, answered and wrong is `wrong`, the rest are `errors`.
import { readFileSync } from "node:fs"
import process from "node:process"
import { startProfile } from "./profiler.mjs"

/** What the command line says. */
export const readOptions = () => {
  const options = {
    workload: "B",
    concurrency: 500,
    timeoutMs: 1000,
    attempts: 1,
    n: 0,
    repeat: 1,
    warmup: undefined,
    players: 32,
    rules: 120
  }
  for (let i = 2; i + 1 < process.argv.length; i += 2) {
    const name = process.argv[i].replace(/^--/, "").replace(/-([a-z])/g, (_, letter) => letter.toUpperCase())
    const value = process.argv[i + 1]
    options[name] = /^\d+$/.test(value) ? Number(value) : value
  }
  return options
}

const cpuSeconds = () => {
  const { system, user } = process.cpuUsage()
  return (user + system) / 1e6
}

const peakMb = () => {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync("/proc/self/status", "utf8"))[1]) / 1024
  } catch {
    return process.resourceUsage().maxRSS / 1024
  }
}

const rounded = (value, digits) => Number(value.toFixed(digits))

/** Counts results by how they are. */
class Tally {
  ok = 0
  wrong = 0
  errors = 0
  why = new Map()

  constructor(options) {
    this.options = options
  }

  reset() {
    this.ok = this.wrong = this.errors = 0
    this.why.clear()
  }

  /** `answer` is an Error, or `{ name, players?, rules? }` with the numbers of entries. */
  take(tag, answer) {
    if (answer instanceof Error) {
      this.errors++
      this.count(answer.message.replace(/[\d.:]{5,}/g, "#").slice(0, 90))
      return
    }
    const objection = this.objection(tag, answer)
    if (objection === undefined) this.ok++
    else {
      this.wrong++
      this.count(objection)
    }
  }

  objection(tag, { name, players, rules }) {
    if (typeof name !== "string" || !name.startsWith(tag)) return "wrong name"
    if (!this.options.workload.startsWith("D")) return undefined
    if (players !== this.options.players) return `players ${players}`
    return rules === this.options.rules ? undefined : `rules ${rules}`
  }

  count(message) {
    this.why.set(message, (this.why.get(message) ?? 0) + 1)
  }
}

/**
 * Runs a client: `{ client, version, scan, info?, close? }`. `scan(targets, kind, options, onResult)` asks all targets, `kind` is
 * `info` or `all`, and calls `onResult(target, answer | Error)` once for each; `info(target, options)` asks one.
 */
export const run = async ({ client, version, scan, info, close }) => {
  const options = readOptions()
  const tally = new Tally(options)
  const kind = options.workload.startsWith("D") ? "all" : "info"
  const all = readFileSync(options.targets, "utf8").trim().split("\n")
  const numbers = new Map(all.map((target, i) => [target, i]))
  const onResult = (target, answer) => tally.take(`Bench #${String(numbers.get(target)).padStart(8, "0")}`, answer)
  const line = {
    client,
    version,
    workload: options.workload,
    concurrency: options.workload === "A" ? 1 : options.concurrency
  }
  let begin
  let profile
  const start = () => {
    tally.reset()
    if (options.profile !== undefined) profile = startProfile()
    begin = { at: performance.now(), cpu: cpuSeconds() }
  }
  if (options.workload === "A") {
    const n = options.n || 2000
    const times = new Float64Array(n)
    for (let i = -(options.warmup ?? 200); i < n; i++) {
      if (i === 0) start()
      const askedAt = performance.now()
      onResult(all[0], await info(all[0], options).catch((error) => error))
      if (i >= 0) times[i] = performance.now() - askedAt
    }
    times.sort()
    const at = (share) => rounded(1000 * times[Math.min(n - 1, Math.floor(n * share))], 1)
    Object.assign(line, { n, lat_us: { p50: at(0.5), p90: at(0.9), p99: at(0.99) } })
  } else {
    const targets = options.n === 0 ? all : all.slice(0, options.n)
    const warmup = options.warmup ?? (options.workload.startsWith("C") ? 0 : Math.min(1000, targets.length))
    // In scans no larger than the one that counts.
    for (let left = warmup; left > 0; left -= targets.length)
      await scan(targets.slice(0, left), kind, options, onResult)
    start()
    for (let i = 0; i < options.repeat; i++) await scan(targets, kind, options, onResult)
    line.n = targets.length * options.repeat
  }
  Object.assign(line, {
    ok: tally.ok,
    wrong: tally.wrong,
    errors: tally.errors,
    wall_s: rounded((performance.now() - begin.at) / 1000, 6),
    cpu_s: rounded(cpuSeconds() - begin.cpu, 6),
    rss_mb: rounded(peakMb(), 1)
  })
  profile?.write(options.profile)
  if (tally.why.size > 0) line.why = Object.fromEntries([...tally.why].sort((a, b) => b[1] - a[1]).slice(0, 4))
  await close?.()
  process.stdout.write(`${JSON.stringify(line)}\n`, () => process.exit(0))
}

/** A `scan` for clients that know nothing but single queries: so many of them at a time. */
export const scanByAsking = (ask) => async (targets, kind, options, onResult) => {
  let next = 0
  const worker = async () => {
    while (next < targets.length) {
      const target = targets[next++]
      onResult(
        target,
        await ask(target, kind, options).catch((error) => (error instanceof Error ? error : new Error(String(error))))
      )
    }
  }
  await Promise.all(Array.from({ length: Math.min(options.concurrency, targets.length) }, worker))
}
