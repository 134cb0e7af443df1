/**
 * Simulates a fleet of monitors in virtual time, with all kinds of faults. It has more servers and instances than one machine can run as
 * real processes.
 */
import {
  type Outcome,
  type PhaseOutcome,
  simulate,
  type SimulationOptions
} from "../../../packages/monitor/test/simulation/simulate.ts"
import { bench, count, type Measured, note, verdict } from "../Bench.ts"

const HEAD = [
  "event",
  "queries",
  "longest delay of a query, s",
  "slices with a new owner",
  "servers queried twice in a round",
  "rows of other owners",
  "waiting queries",
  "waiting changes",
  "slices per instance",
  "age of stored results, s: median, 99 %, oldest"
]

const seconds = (ms: number): string => (ms / 1000).toFixed(1)

/**
 * The table row of one phase of the simulation. The column `queries` contains the number of queries in the run with the first seed. Each
 * other column contains the worst value of the runs with all seeds.
 */
const row = (outcomes: ReadonlyArray<PhaseOutcome>) => {
  const most = (of: (one: PhaseOutcome) => number): number => Math.max(...outcomes.map(of))
  const { asked, what } = outcomes[0]!
  return [
    what,
    count(asked),
    seconds(most(({ overdueMs }) => overdueMs)),
    count(most(({ moves }) => moves)),
    count(most(({ twice }) => twice)),
    most(({ foreign }) => foreign),
    count(most(({ waiting }) => waiting.asks)),
    count(most(({ waiting }) => waiting.writes)),
    `${Math.min(...outcomes.map(({ slices }) => slices[0]))}–${most(({ slices }) => slices[1])}`,
    (["half", "most", "oldest"] as const).map((age) => seconds(most(({ ages }) => ages[age]))).join(", ")
  ]
}

const measure = async (
  options: Omit<SimulationOptions, "seed" | "sees" | "onPhase">,
  seeds: ReadonlyArray<number>
): Promise<Measured> => {
  const outcomes: Array<Outcome> = []
  const notes: Array<string> = []
  for (const seed of seeds) {
    const before = process.cpuUsage()
    const outcome = await simulate({
      ...options,
      seed,
      sees: "claimed",
      onPhase: ({ broken, name }) => note(`\nseed ${seed}, ${name} ${broken.join("; ")}`)
    })
    const { system, user } = process.cpuUsage(before)
    outcomes.push(outcome)
    notes.push(
      `Seed ${seed}: ${count(Math.round(outcome.virtualSeconds))} s of virtual time, ${count(outcome.asked)} queries, ${count(outcome.changes)} stored changes, ${count(Math.round((user + system) / 1e6))} s of CPU time.`,
      ...outcome.broken.map((problem) => verdict(`Seed ${seed}: ${problem}`, false))
    )
  }
  const holds = outcomes.every(({ broken }) => broken.length === 0)
  return {
    table: [HEAD, ...outcomes[0]!.phases.map((_, i) => row(outcomes.map(({ phases }) => phases[i]!)))],
    notes: [...notes, ...(holds ? ["All conditions were met."] : [])]
  }
}

export default bench({
  title: "A fleet in virtual time",
  about: `A monitor with many instances runs in virtual time, with faults: instances die, freeze, lose power, or lose the database. The same seed always gives the same run.

**Real code**: the monitor (schedule, timing wheel, writer, slices, and the recovery after a freeze), the scan with its engine, and Effect Cluster, which decides which instance owns which slice. Each instance has its own virtual clock, so that the simulation can stop one instance while the other instances continue.

**Simulated**: the database, the network to the database, and the game servers.

- The database follows the rules of Postgres that the monitor relies on. Transactions lock slices, and the claim of a slice waits until no transaction locks this slice. One transaction at a time appends changes. When a session ends, its advisory locks are released. The database ends sessions and transactions that send nothing for too long. The simulated database passes the same tests as the stores for SQLite and Postgres (\`packages/monitor/test/storeSuite.ts\`).
- A broken connection loses all data in both directions, without an error. Lost data are sent again. As with TCP, the pause doubles after each unsuccessful transmission.
- The game servers are simulated: a function computes each INFO reply from a rule. No socket is open.

**Difference from real instances**: a simulated instance stores only the targets of slices that it has claimed, and removes them 90 s after another instance has claimed the slice. A real instance stores all targets. In the simulation, this would be a million targets for each of 32 instances, which do not fit into the memory of one process.

Each row of the tables is an event of the simulation. The simulation checks the following conditions outside of the instances: the game servers count the queries, and the database records each written row.

- **Ownership**: no instance writes rows of a slice that another instance owns.
- **Delay**: no server is queried too late. The limit is 15 s if instances die, freeze, lose their connection, join or leave during an event, or if the database is slow. This time is enough: the lock of a dead instance ends after 6 s, another instance claims the slice within 3 s, and overdue servers are queried within 5 s. If the database is restarted or unavailable, the limit is 5 s. If all kinds of faults occur during the same event, the limit is 45 s. For all other events, the limit is 1 s. The condition also applies to servers that have not been queried yet at the end of an event.
- **No repeated queries**: only servers of slices with a new owner may be queried twice in a round. For each slice with a new owner, the number of repeated queries is limited to the number of its servers that are queried in one second. There is one exception: an instance that cannot reach the database cannot know that other instances query its servers. It may query them until ten seconds after the connection is back.
- **Changes**: each change of a server is stored exactly once, in the order in which the changes happened.
- **Balance**: each slice has an owner at the end of each event, and no instance has more than 1.5 times the mean number of slices.
- **Memory**: no instance stores the state of targets that other instances own.
- **Recovery**: at most two changes per target of an instance wait to be written, and none is dropped. After the recovery, stored results are at most two intervals old.

The tests of the simulation (\`fleetSimulation.long.test.ts\`) disable three mechanisms, one after the other: the rejection of old epochs, the time in which an instance continues to query a slice without an owner, and the time limit of the database. In each case, the simulation detects the error.`,
  options: { targets: 1_000_000, runners: 32, interval: 600, recovery: 0.05, seed: 1 },
  nodeFlags: ["--max-old-space-size=6000", "--max-semi-space-size=64"],
  parts: ({ interval, recovery, runners, seed, targets }) => ({
    large: {
      title: `${count(targets)} servers`,
      about: `${runners} instances; each server is queried every ${interval} s.`,
      measure: () => {
        const phases = "kill,stop,join,cut,slow,away,all,power,leave,restart,loss,nothing".split(",")
        return measure({ targets, runners, intervalMs: 1000 * interval, recoveryIntervals: recovery, phases }, [seed])
      }
    },
    seeds: {
      title: "50 000 servers, three seeds",
      about: `${runners} instances; each server is queried every 60 s. The number of queries is that of the first seed. Each other column has the worst value of all seeds.`,
      measure: () => measure({ targets: 50_000, runners, intervalMs: 60_000, recoveryIntervals: 0.5 }, [1, 2, 3])
    }
  })
})
