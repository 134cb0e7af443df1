// Measures scans with dead servers, packet loss and latency. The results show which clients find all servers that reply, how long each
// client needs, and how many datagrams it sends.
import { verdict } from "../Bench.ts"
import { beside, clients, pairsWith, rawLoops } from "./clients.mjs"
import { startFarm } from "../farm/farmProcess.ts"
import { compare, fixed } from "./runs.mjs"

/**
 * Compares our clients with the raw loops. A raw loop sends each request up to three times, and waits one second for a reply after each
 * transmission.
 */
const compareLosses = (medians, alive) =>
  beside(medians, pairsWith(rawLoops), (name, raw, ours, limit) => {
    const runs = ours.lines.length
    const complete = ours.lines.filter(({ ok }) => ok === alive).length
    const [time, asked] = [ours.wall / limit.wall, ours.asked / limit.asked]
    const found = `found all ${alive} servers in ${complete} of ${runs} runs (limit: 4 of 5), and at least ${fixed((100 * ours.least) / alive, 3)} % in each run (limit: 99.99)`
    const cost = `${fixed(time)}× the time of ${raw} (at most 0.60), ${fixed(asked)}× its datagrams (at most 1.15)`
    return verdict(
      `${name}: ${found}; reported ${ours.wrong} dead or wrong servers (limit: 0); ${cost}`,
      complete >= 0.8 * runs && ours.least >= 0.9999 * alive && ours.wrong === 0 && time <= 0.6 && asked <= 1.15
    )
  })

/**
 * Options of the farm. The percentage of dead servers is `dead`, and the percentage of lost datagrams is `loss`. `latency` and `jitter` are
 * in ms.
 */
export const LOSSY = { n: 10_000, dead: 10, loss: 1, latency: 50, jitter: 10 }

export const lossy = async (rounds) => {
  await using farm = await startFarm(LOSSY)
  const { alive } = await farm.counts()
  const args = ["--targets", farm.targets(), "--workload", "C", "--attempts", "3"]
  const medians = await compare(farm, clients, args, () => 1000, rounds)
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
  return { rounds, table, notes: compareLosses(medians, alive) }
}
