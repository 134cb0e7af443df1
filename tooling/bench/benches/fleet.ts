/**
 * Runs a fleet of monitors as real processes on loopback, with a real Postgres. Needs an idle machine, Postgres in PATH and `pnpm build`.
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
    "Processes of `sourcewire monitor --join` on loopback, which share one Postgres database. How it works: [ADR 17](../adr/0017-fleet.md).",
  options: { times: 20, rates: "5000", away: 60_000 },
  parts: ({ away, rates, times }) => ({
    scale: {
      title: "More instances, more targets",
      about:
        "`--rate` limits the targets that each instance queries per second. Each instance has more targets than it can query at this rate. A farm of emulated servers requires challenges and counts the requests. `sourcewire scan --json` runs at the same time with the rate of one instance, on other servers. The figures are medians of five periods of 10 s. CPU time includes all threads; 100 % is one CPU.",
      measure: () => scale(program, rates.split(",").map(Number))
    },
    kill: {
      title: "An instance is killed",
      about:
        "One of four instances is killed with SIGKILL at a random moment of the interval, and started again. If an instance does not report for 6 s, the other instances treat it as dead. They check once a second whether an instance is dead. Therefore no server of a slice is queried for about 7 s, plus the time to claim the slice. The pause between two queries of a single server is at most one interval longer than this pause of its slice. A query and its retransmissions count as one query. If a query is missing from the history, it was in flight or its result was not written yet when the instance died.",
      measure: () => kills(program, times)
    },
    freeze: {
      title: "An instance is frozen and resumes",
      about:
        "One of four instances is stopped with SIGSTOP. Two seconds after the other instances own its slices, the instance is continued with SIGCONT. A trigger in the database counts rows that an instance wrote without owning their slice. The trials are repeated with two locations. The instances of each location query every server.",
      measure: () => freezes(program, times)
    },
    outage: {
      title: "The database is unavailable",
      about:
        "Four instances work, and a webhook receives every change of map. Postgres is stopped abruptly, as in a crash, and started again, either immediately or later. Instances do not connect to each other, so a network failure between them has no effect.",
      measure: () => outages(program, times, away)
    },
    upgrade: {
      title: "An upgrade",
      about:
        "Four instances run the program from before the newest schema migration, built from the repository's history. One after the other is stopped with SIGTERM and started again with today's program, while the others continue. The first restarted instance migrates the schema. The next instance is restarted when all slices have owners and every server was queried again.",
      measure: () => upgrades(program, Math.ceil(times / 5))
    }
  })
})
