/**
 * Runs a fleet of monitors as real processes on loopback, with a real Postgres. The machine must be idle, Postgres must be in PATH, and
 * `pnpm build` must have run.
 */
import { join } from "node:path"
import process from "node:process"
import { freezes, kills, outages } from "../../fleet/src/campaigns.ts"
import { scale } from "../../fleet/src/scale.ts"
import { upgrades } from "../../fleet/src/upgrade.ts"
import { bench, root } from "../Bench.ts"

const program = [process.execPath, join(root, "apps/cli/dist/sourcewire.js")]

export default bench({
  title: "A fleet of monitors",
  about:
    "Several processes of `sourcewire monitor --join` run on loopback and share one Postgres database. How it works: [ADR 17](../adr/0017-fleet.md).",
  options: { times: 20, rates: "5000", away: 60_000 },
  parts: ({ away, rates, times }) => ({
    scale: {
      title: "More instances, more targets",
      about:
        "`--rate` limits the targets that each instance queries per second. Each instance has more targets than it can query at this rate. A farm of emulated servers requires challenges and counts the requests. At the same time, `sourcewire scan --json` scans other servers at the rate of one instance. The figures are medians of five periods of 10 s. CPU time includes all threads; 100 % is one CPU.",
      measure: () => scale(program, rates.split(",").map(Number))
    },
    kill: {
      title: "An instance is killed",
      about:
        "One of four instances is killed with SIGKILL at a random moment of the interval, and started again. If an instance does not report to the database for 6 s, the other instances treat it as dead. They check once a second whether an instance is dead. Therefore the servers of the dead instance are not queried for about 7 s, plus the time in which other instances claim its slices. The maximum time between two queries of a server is the sum of this pause and one interval. A query and its retransmissions count as one query. The history lacks queries that were in flight when the instance died, and queries whose results were not written yet.",
      measure: () => kills(program, times)
    },
    freeze: {
      title: "An instance is frozen and resumes",
      about:
        "One of four instances is stopped with SIGSTOP. Two seconds after the other instances own its slices, the instance is continued with SIGCONT. A trigger in the database counts rows that an instance wrote although it did not own their slice. Then the trials are repeated with instances in two locations. In this case, each server is queried from both locations.",
      measure: () => freezes(program, times)
    },
    outage: {
      title: "The database is unavailable",
      about:
        "Four instances query servers, and a webhook receives every change of map. Postgres is stopped abruptly, as in a crash. It is started again immediately, except in the last trial: there, it is started after a pause. Network failures between instances are not tested, because instances do not connect to each other.",
      measure: () => outages(program, times, away)
    },
    upgrade: {
      title: "An upgrade",
      about:
        "Four instances run an older program: it is built from the commit before the newest schema migration. One instance after the other is stopped with SIGTERM and replaced by an instance of today's program, while the other instances continue. The first new instance migrates the schema. Before the next instance is replaced, all slices must have owners, and every server must have been queried again.",
      measure: () => upgrades(program, Math.ceil(times / 5))
    }
  })
})
