// Scans a farm of servers through the public API and prints what it took as one line of JSON: one client of a comparison, of which
// every client has a program with this command line. Runs under Node, Bun and Deno, each over its own transport.
//
//   --targets FILE     one "ip:port" a line; the name of server i begins with "Bench #" and i in eight digits
//   --workload W       A  INFO of the first target, n times, one after the other (client)
//                      B  INFO of every target, after an unmeasured pass over the first 1000
//                      C  like B with loss, latency and dead servers; no warm-up; the library's own timeout and retries
//                      D  INFO, PLAYER and RULES of every target; warm-up as in B
//   --concurrency N    most targets in flight                       [500]
//   --timeout-ms N     most time for one query (not in C)           [1000]
//   --attempts N       transmissions of one question (not in C)     [the library's own]
//   --n N              only the first N targets (A: queries)
//   --warmup N         unmeasured targets or queries before
//   --players N --rules N   what D has to find                      [32, 120]
//
// Answered and right is `ok`, answered and wrong is `wrong`, the rest are `errors`.
import { readFileSync } from "node:fs"
import process from "node:process"
import { published } from "./published.mjs"

const runtime = globalThis.Bun === undefined ? (globalThis.Deno === undefined ? "node" : "deno") : "bun"
const { connect, scan } = await published(runtime)
const { version } = JSON.parse(readFileSync(new URL("../../packages/core/package.json", import.meta.url), "utf8"))

const options = {
  workload: "B",
  concurrency: 500,
  timeoutMs: 1000,
  attempts: undefined,
  n: 0,
  warmup: undefined,
  players: 32,
  rules: 120
}
for (let i = 2; i + 1 < process.argv.length; i += 2) {
  const name = process.argv[i].replace(/^--/, "").replace(/-([a-z])/g, (_, letter) => letter.toUpperCase())
  const value = process.argv[i + 1]
  options[name] = /^\d+$/.test(value) ? Number(value) : value
}
const kind = options.workload[0]
const all = readFileSync(options.targets, "utf8").trim().split("\n")
const targets = kind === "A" || options.n === 0 ? all : all.slice(0, options.n)
const tags = new Map(all.map((target, i) => [target, `Bench #${String(i).padStart(8, "0")}`]))
const settings = {
  concurrency: options.concurrency,
  ...(kind === "C"
    ? {}
    : { timeoutMs: options.timeoutMs, ...(options.attempts === undefined ? {} : { retries: options.attempts - 1 }) })
}

let ok = 0
let wrong = 0
let errors = 0
const why = new Map()
const count = (message) => why.set(message, (why.get(message) ?? 0) + 1)

const objection = (target, { errors: failed, info, players, rules }) => {
  if (!info.name.startsWith(tags.get(target))) return "wrong name"
  if (kind !== "D") return undefined
  if (failed !== undefined) return Object.values(failed)[0]._tag
  if (players.players.length !== options.players) return `players ${players.players.length}`
  return rules.rules.length === options.rules ? undefined : `rules ${rules.rules.length}`
}

const take = (target, answer) => {
  const objected = objection(target, answer)
  if (objected === undefined) ok++
  else {
    wrong++
    count(objected)
  }
}

const pass = async (list) => {
  for await (const batch of scan(list, kind === "D" ? "all" : "info", settings).batches()) {
    for (const result of batch) {
      if (result._tag === "Answered") take(result.target, result)
      else {
        errors++
        count(result.error._tag)
      }
    }
  }
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

const reset = () => {
  ok = wrong = errors = 0
  why.clear()
  return { startedAt: performance.now(), cpu: cpuSeconds() }
}

const askOneByOne = async () => {
  const n = options.n || 2000
  const warmup = options.warmup ?? 200
  const client = await connect({ timeoutMs: options.timeoutMs })
  const times = new Float64Array(n)
  let begin
  for (let i = -warmup; i < n; i++) {
    if (i === 0) begin = reset()
    const askedAt = performance.now()
    try {
      take(targets[0], { info: await client.info(targets[0]) })
    } catch (error) {
      errors++
      count(error._tag ?? String(error))
    }
    if (i >= 0) times[i] = performance.now() - askedAt
  }
  times.sort()
  const at = (share) => Number((1000 * times[Math.min(n - 1, Math.floor(n * share))]).toFixed(1))
  return { begin, n, close: () => client.close(), lat_us: { p50: at(0.5), p90: at(0.9), p99: at(0.99) } }
}

const askAll = async () => {
  const warmup = options.warmup ?? (kind === "C" ? 0 : Math.min(1000, targets.length))
  if (warmup > 0) await pass(targets.slice(0, warmup))
  const begin = reset()
  await pass(targets)
  return { begin, n: targets.length, close: async () => undefined }
}

const { begin, close, lat_us, n } = await (kind === "A" ? askOneByOne() : askAll())
const line = {
  client: `sourcewire ${runtime}`,
  version,
  workload: options.workload,
  concurrency: kind === "A" ? 1 : options.concurrency,
  n,
  ok,
  wrong,
  errors,
  wall_s: Number(((performance.now() - begin.startedAt) / 1000).toFixed(6)),
  cpu_s: Number((cpuSeconds() - begin.cpu).toFixed(6)),
  rss_mb: Number(peakMb().toFixed(1)),
  ...(lat_us === undefined ? {} : { lat_us }),
  ...(why.size === 0 ? {} : { why: Object.fromEntries([...why].sort((a, b) => b[1] - a[1]).slice(0, 4)) })
}
await close()
console.log(JSON.stringify(line))
