// Runs the clients of a comparison. In each round, the clients run one after the other, each in a new process on the first CPU. If other
// processes used too much time of this CPU or of the farm's CPU, the run is repeated. The results are medians of all rounds, except `least`
// (a minimum) and `wrong` (a maximum).
import { spawnSync } from "node:child_process"
import process from "node:process"
import { median, note, turns } from "../Bench.ts"
import { pinned } from "../farm/farmProcess.ts"
import { busySeconds, childrenSeconds, processorSeconds } from "../processorTime.ts"

/** Share of a CPU's time that processes other than the client and the farm may use during a run. */
const IDLE = 0.12
/**
 * If processes other than the client and the farm use at most this CPU time during a run, the run is never repeated. In a short run, this
 * time can be a larger share than `IDLE`. The time is in seconds. Smaller amounts of CPU time cannot be measured reliably.
 */
const OTHERS_SECONDS = 0.04
/** If other processes disturb every run of a client in a round, the client runs this number of times in this round. */
const MOST_TRIES = 4
/** Number of runs at each concurrency, to find the best concurrency. */
const SWEEP_RUNS = 3

/**
 * Returns two times in seconds: how long the client's CPU was busy with anything except clients, and how long the farm's CPU was busy with
 * anything except the farm. Both times begin at the start of the machine and include the work of the hypervisor. Only Linux reports these
 * times.
 */
const readOthers = (farm) => {
  if (process.platform !== "linux") return [0, 0]
  const [client, server] = busySeconds()
  return [client - childrenSeconds("self"), server - processorSeconds(farm.pid)]
}

/**
 * Runs a command. The result contains the fields of the JSON in the last line of the output, and `others`: the CPU time that other
 * processes used during the run. If the command fails, the result contains only `failed`: the text on stderr.
 */
export const runOnce = (farm, command, args) => {
  const [program, ...rest] = pinned(0, [...command, ...args])
  const before = readOthers(farm)
  const { stderr, stdout } = spawnSync(program, rest, { encoding: "utf8", timeout: 180_000, maxBuffer: 1 << 26 })
  const others = Math.max(...readOthers(farm).map((sum, i) => sum - before[i]))
  try {
    return { ...JSON.parse(String(stdout.trim().split("\n").at(-1))), others }
  } catch {
    return { failed: stderr.slice(0, 300) }
  }
}

/**
 * Runs a client. If other processes used too much CPU time during this run, it is repeated. Returns the run with the least CPU time of
 * other processes.
 */
export const runUndisturbed = async (farm, command, args) => {
  let best
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    farm.reset()
    const line = runOnce(farm, command, args)
    if (line.failed !== undefined) return line
    line.asked = (await farm.counts()).received
    if (best === undefined || line.others < best.others) best = line
    if (line.others <= Math.max(OTHERS_SECONDS, IDLE * line.wall_s)) break
  }
  return best
}

/**
 * Returns the candidate for `--concurrency` with which a client is fastest. If a run does not find every server, its speed is divided by
 * ten before the speeds are compared. The best concurrency differs widely between clients.
 */
export const bestConcurrency = (farm, client, args, candidates) => {
  const rates = candidates.map((concurrency) => {
    note(".")
    const runs = Array.from({ length: SWEEP_RUNS }, () => {
      const { n, ok = 0, wall_s = 1 } = runOnce(farm, client.command, [...args, "--concurrency", String(concurrency)])
      return (ok === n ? 1 : 0.1) * (ok / wall_s)
    })
    return median(runs)
  })
  return candidates[rates.indexOf(Math.max(...rates))]
}

const medians = (lines) => {
  const of = (field) => median(lines.map((line) => line[field]))
  return {
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
}

/**
 * Runs all clients in each round. Each round begins with a different client. Returns a map from the name of each client to the medians of
 * its runs. If all runs of a client fail, the map does not contain this client.
 */
export const compare = async (farm, list, args, concurrencyOf, rounds) => {
  const runs = new Map(list.map(({ name }) => [name, []]))
  for (const client of turns(list, rounds)) {
    const line = await runUndisturbed(farm, client.command, [...args, "--concurrency", String(concurrencyOf(client))])
    if (line.failed !== undefined) note(`\n${client.name}: ${line.failed}\n`)
    else runs.get(client.name).push(line)
    note(".")
  }
  return new Map([...runs].filter(([, lines]) => lines.length > 0).map(([name, lines]) => [name, medians(lines)]))
}

/** Number of correct replies per second. */
export const rate = ({ ok, wall }) => Math.round(ok / wall)

/**
 * Divides a figure of our client by the same figure of another client, separately for each round, and returns the median of these ratios.
 * If the machine is slow for a while, it usually slows down both clients of a round, and their ratio hardly changes.
 */
const beside = (figure) => (ours, other) =>
  median(ours.lines.flatMap((line, i) => (other.lines[i] === undefined ? [] : [figure(line) / figure(other.lines[i])])))

/** The ratio of the speeds of two clients, in servers per second. */
export const speedBeside = beside(({ ok, wall_s }) => ok / wall_s)
/** The ratio of the CPU times that two clients need per server. */
export const cpuBeside = beside(({ cpu_s, ok }) => cpu_s / ok)

export const fixed = (value, digits = 2) => value.toFixed(digits)
