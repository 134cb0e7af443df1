// The module that all clients of the scan comparison use. It reads the command line, calls the client's scan, measures its time, CPU time
// and memory, checks the results, and prints one line of JSON.
//
//   --targets FILE     one "ip:port" a line; the name of server i begins with "Bench #" and i in eight digits
//   --workload W       B  INFO of every target, after a warm-up with the first 1000
//                      C  like B with loss, latency and dead servers; no warm-up
//                      D  INFO, PLAYER and RULES of every target; warm-up as in B
//   --concurrency N    maximum number of targets in flight          [500]
//   --timeout-ms N     time limit for one request                   [1000]
//   --attempts N       transmissions of one request                 [1]
//   --n N              only the first N targets
//   --repeat N         number of scans that are measured together   [1]
//   --warmup N         number of targets in the warm-up
//   --decode 1         for raw loops: decode the complete replies
//
// `ok` counts correct replies, and `wrong` counts incorrect replies. Targets without a reply are not counted.
import { readFileSync } from "node:fs"
import process from "node:process"

/**
 * The number of players and the number of rules of each server. In workload D, a reply is correct only if the client returns both numbers.
 */
export const [PLAYERS, RULES] = [32, 120]

export const readOptions = () => {
  const options = { workload: "B", concurrency: 500, timeoutMs: 1000, attempts: 1, n: 0, repeat: 1 }
  for (let i = 2; i + 1 < process.argv.length; i += 2) {
    const name = process.argv[i].replace(/^--/, "").replace(/-([a-z])/g, (_, letter) => letter.toUpperCase())
    const value = process.argv[i + 1]
    options[name] = /^\d+$/.test(value) ? Number(value) : value
  }
  return options
}

/** Reads a list of targets. Returns a map from each target to the beginning of its server's name. */
export const readTargets = (file) => {
  const targets = readFileSync(file, "utf8").trim().split("\n")
  return new Map(targets.map((target, i) => [target, `Bench #${String(i).padStart(8, "0")}`]))
}

const cpuSeconds = () => {
  const { system, user } = process.cpuUsage()
  return (user + system) / 1e6
}

const peakMb = () => {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync("/proc/self/status", "utf8"))?.[1]) / 1024
  } catch {
    return process.resourceUsage().maxRSS / 1024
  }
}

/**
 * Runs a client. `scan(targets, kind, options, onResult)` queries `info` or `all` of all targets, and calls `onResult(target, answer |
 * undefined)` once for each target. An answer is `{ name, players?, rules? }`: the server's name, its number of players and its number of
 * rules.
 */
export const run = async (scan) => {
  const options = readOptions()
  const asksAll = options.workload === "D"
  const names = readTargets(options.targets)
  const found = { ok: 0, wrong: 0 }
  const onResult = (target, answer) => {
    if (answer === undefined) return
    const { name, players, rules } = answer
    const isRight =
      typeof name === "string" &&
      name.startsWith(String(names.get(target))) &&
      (!asksAll || (players === PLAYERS && rules === RULES))
    found[isRight ? "ok" : "wrong"]++
  }
  const scanSome = (targets) => scan(targets, asksAll ? "all" : "info", options, onResult)
  const targets = [...names.keys()].slice(0, options.n || undefined)
  const { warmup = options.workload === "C" ? 0 : Math.min(1000, targets.length) } = options
  // If `--warmup` is larger than the number of targets, the targets are scanned more than once as a warm-up.
  for (let left = warmup; left > 0; left -= targets.length) await scanSome(targets.slice(0, left))
  Object.assign(found, { ok: 0, wrong: 0 })
  const [startedAt, cpuBefore] = [performance.now(), cpuSeconds()]
  for (let i = 0; i < options.repeat; i++) await scanSome(targets)
  const line = {
    n: targets.length * options.repeat,
    ...found,
    wall_s: (performance.now() - startedAt) / 1000,
    cpu_s: cpuSeconds() - cpuBefore,
    rss_mb: peakMb()
  }
  process.stdout.write(`${JSON.stringify(line)}\n`, () => process.exit(0))
}

/**
 * Makes a `scan` for a client that supports only queries of single targets: the function `ask` queries one target. The `scan` has up to
 * `concurrency` queries in flight.
 */
export const scanByAsking = (ask) => async (targets, kind, options, onResult) => {
  let next = 0
  const worker = async () => {
    while (next < targets.length) {
      const target = targets[next++]
      onResult(target, await ask(target, kind, options).catch(() => undefined))
    }
  }
  await Promise.all(Array.from({ length: Math.min(options.concurrency, targets.length) }, worker))
}
