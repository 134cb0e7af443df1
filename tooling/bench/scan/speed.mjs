// Measures the speed of our clients, in servers per second. Compares this speed with the speed of other libraries, of qstat, and of the raw
// loop on the same runtime.
import { verdict } from "../Bench.ts"
import { beside, clients, decodingLoops, OURS, OURS_BATCHED, pairsWith, rawLoops } from "./clients.mjs"
import { startFarm } from "../farm/farmProcess.ts"
import { bestConcurrency, compare, cpuBeside, fixed, rate, speedBeside } from "./runs.mjs"

const besideRaw = (medians) =>
  beside(medians, pairsWith(rawLoops), (name, raw, ours, limit) => {
    const [speed, cpu] = [speedBeside(ours, limit), cpuBeside(ours, limit)]
    const text = `${name}: ${fixed(speed)}× the servers per second of ${raw} (at least 0.90), ${fixed(cpu)}× its CPU per server (at most 1.25)`
    return verdict(text, speed >= 0.9 && cpu <= 1.25)
  })

const sayFaster = (name, other, ours, theirs) =>
  `${name}: ${fixed(speedBeside(ours, theirs))}× the servers per second of ${other}`

const besidePeers = (medians, least) => {
  const [best] = clients
    .filter(({ isPeer, name }) => isPeer && medians.has(name) && medians.get(name).ok === medians.get(name).n)
    .toSorted((a, b) => rate(medians.get(b.name)) - rate(medians.get(a.name)))
  const pairs = [OURS, OURS_BATCHED].map((name) => [name, best?.name])
  return beside(medians, pairs, (name, peer, ours, theirs) => {
    const times = speedBeside(ours, theirs)
    const text = `${name}: ${fixed(times, 1)}× the fastest JavaScript library that gets all servers right, ${peer}`
    return verdict(`${text} (at least ${fixed(least, 1)})`, times >= least)
  })
}

const besideQstat = (medians, mustBeat) => {
  const pairs = ["sourcewire on Bun", "sourcewire on Bun, batched", OURS, OURS_BATCHED].map((name) => [name, "qstat"])
  return beside(medians, pairs, (name, qstat, ours, theirs) => {
    const text = sayFaster(name, qstat, ours, theirs)
    return name === mustBeat ? verdict(`${text} (more than 1)`, speedBeside(ours, theirs) > 1) : text
  })
}

const makeTable = (medians, concurrencies) => [
  ["client", "in flight", "right", "wrong", "servers/s", "CPU µs/server", "peak MB"],
  ...[...medians].map(([name, m]) => [
    name,
    concurrencies.get(name),
    `${m.ok} of ${m.n}`,
    m.wrong,
    rate(m),
    m.ok === 0 ? "–" : Math.round((m.cpu * 1e6) / m.ok),
    m.rss > 0 ? Math.round(m.rss) : "–"
  ])
]

/**
 * Measures the speed of all clients with one workload. The parameters are:
 *
 * - `least`: the required speed of our clients on Node, as a multiple of the speed of the fastest other JavaScript library
 * - `mustBeat`: the client that must be faster than qstat
 * - `further`: clients that are measured in addition to `clients`
 */
export const speed = async (setting) => {
  const { candidates, further = [], least, mustBeat, n, rounds, workload } = setting
  const list = [...clients, ...further]
  await using farm = await startFarm({ n })
  const args = ["--targets", farm.targets(), "--workload", workload]
  const concurrencies = new Map(list.map((client) => [client.name, bestConcurrency(farm, client, args, candidates)]))
  const medians = await compare(farm, list, args, ({ name }) => concurrencies.get(name), rounds)
  const notes = [
    ...besideRaw(medians),
    ...beside(medians, pairsWith(decodingLoops), sayFaster),
    ...besidePeers(medians, least),
    ...besideQstat(medians, mustBeat)
  ]
  return { rounds, table: makeTable(medians, concurrencies), notes }
}

/** Measures our clients and the raw loops after a long warm-up, as in a service that scans all day. */
export const warm = async (rounds) => {
  const n = 50_000
  await using farm = await startFarm({ n })
  const args = ["--targets", farm.targets(), "--workload", "B", "--warmup", String(n)]
  const list = clients.filter(({ isRaw, raw }) => isRaw || raw !== undefined)
  const medians = await compare(farm, list, args, () => 100, rounds)
  const table = makeTable(medians, new Map(list.map(({ name }) => [name, 100])))
  return { rounds, table, notes: besideRaw(medians) }
}
