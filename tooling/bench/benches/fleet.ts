/** A fleet of monitors as real processes on loopback over a real Postgres. Needs an idle machine, Postgres in PATH and `pnpm build`. */
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
    "Processes of `sourcewire monitor --join` on loopback, over one Postgres. How it works: [ADR 17](../adr/0017-fleet.md).",
  options: { times: 20, rates: "5000", away: 60_000 },
  parts: ({ away, rates, times }) => ({
    scale: {
      title: "More instances, more targets",
      about:
        "Each instance is limited to a number of targets a second by `--rate` and has more targets than that. A farm of emulated servers, each of which requires a challenge, counts what arrives. `sourcewire scan --json` of as many other servers runs beside them at the rate of one instance. Medians of the same five windows of 10 s. CPU time is that of all threads; the machine's is given as shares of one CPU.",
      measure: () => scale(program, rates.split(",").map(Number))
    },
    kill: {
      title: "An instance is killed",
      about:
        "One of four, at a random moment of the interval, with SIGKILL; then it is started again. The pause of a slice is bounded by the 6 s after which a silent instance counts as dead, the second in which the others check, and the claim. The pause of a server is bounded by that and its interval. Retransmissions count as one query. A query that is missing from the history was in flight, or its result was waiting to be written, when the instance died.",
      measure: () => kills(program, times)
    },
    freeze: {
      title: "An instance is frozen and resumes",
      about:
        "One of four is stopped with SIGSTOP until the others own its slices, and for 2 s more; then SIGCONT. A trigger in the database counts rows written by an instance that did not own their slice. The same in a fleet of two locations, each of which queries every server.",
      measure: () => freezes(program, times)
    },
    outage: {
      title: "The database is unavailable",
      about:
        "Postgres is stopped at once, as in a crash, and started again, immediately or after a while, while four instances work and a webhook receives every change of map. Instances do not connect to each other, so a partition between them changes nothing.",
      measure: () => outages(program, times, away)
    },
    upgrade: {
      title: "An upgrade",
      about:
        "Four instances of the program before the newest schema migration, built from the repository's history. One after the other is stopped with SIGTERM and started again as today's program, the first of which migrates, while the others continue. The next one follows when the slices have settled and every server was queried.",
      measure: () => upgrades(program, Math.ceil(times / 5))
    }
  })
})
