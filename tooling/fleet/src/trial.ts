/**
 * `pnpm bench:fleet`: what a fleet of real processes on loopback, over a real Postgres, does and stands; with `--write` the sections
 * measured go to docs/benchmarks/fleet.md. Wants a machine that does nothing else, Postgres in PATH, and `pnpm build` before.
 *
 *   pnpm bench:fleet [--parts scale,kill,freeze,outage,upgrade] [--times N] [--rates N,N] [--away MS] [--write]
 */
import { join } from "node:path"
import process from "node:process"
import { options, root } from "../../bench/report.ts"
import { measureParts, type Part } from "../../bench/sections.ts"
import { freezes, kills, outages } from "./campaigns.ts"
import { scale } from "./scale.ts"
import { upgrades } from "./upgrade.ts"

const HEAD = `# A fleet of monitors

What processes of \`sourcewire monitor --join\` do and stand, on loopback, over one Postgres. Behind a figure that has to be something stands \`MISSED\` where it is not. Made by \`pnpm bench:fleet --write\`; how it works is in [ADR 17](../adr/0017-fleet.md).
`

const given = options({ parts: "scale,kill,freeze,outage,upgrade", times: 20, rates: "5000", away: 60_000 })
const program = [process.execPath, join(root, "apps/cli/dist/sourcewire.js")]

const parts: Readonly<Record<string, Part>> = {
  scale: {
    title: "More runners, more targets",
    about:
      "Each runner is held to so many targets a second by `--rate` and has more to ask than that; every turn is kept, and a farm of emulated servers, each of which wants a challenge, counts what arrives. Beside them runs `sourcewire scan --json` of as many other servers, held to what one runner is; both are looked at in the same five windows of 10 s, whose medians are told. Processor time is that of all threads; the machine's is given as shares of one processor.",
    measure: () => scale(program, given.rates.split(",").map(Number))
  },
  kill: {
    title: "A runner is killed",
    about:
      "One of four, at a random moment of the interval, by SIGKILL, and then started again. A pause of a slice is bounded by the 6 s after which a silent runner counts as dead, the second in which others look, and the claim; a pause of a server by that and its interval. A question that its asker repeats for want of an answer is one question. What was asked and is not in the history was under way, or waited to be written, when its asker died.",
    measure: () => kills(program, given.times)
  },
  freeze: {
    title: "A runner is stopped and wakes up",
    about:
      "One of four is stopped (SIGSTOP) until others have its slices, and 2 s more; then it goes on (SIGCONT) where it was. A trigger of the database counts rows that somebody wrote who did not own their slice. The same in a fleet of two locations, each of which asks every server.",
    measure: () => freezes(program, given.times)
  },
  outage: {
    title: "The database goes away, and runners cannot reach each other",
    about:
      "Postgres is stopped at once, as in a crash, and started again, at once or after a while, while four runners work and a webhook is told of every map. A partition between runners has nothing to cut: they listen for nobody but readers, and talk to the database only.",
    measure: () => outages(program, given.times, given.away)
  },
  upgrade: {
    title: "An upgrade",
    about:
      "Four runners of the program as it was before the newest step of the schema, built from the repository's history. One after the other is ended (SIGTERM) and started again under its name as today's, the first of which migrates, while the others go on; the next when the slices have settled and every server was asked.",
    measure: () => upgrades(program, Math.ceil(given.times / 5))
  }
}

await measureParts("fleet.md", HEAD, parts, given.parts, given.write)
