/**
 * `pnpm bench:fleet-upgrade`: a fleet of real processes on loopback, over a real Postgres, is upgraded under load, one runner after the
 * other, from the program as it was before the newest step of the schema; with `--write` as a page of the docs. Wants a machine that does
 * nothing else, Postgres in PATH, and `pnpm build` before.
 *
 *   pnpm bench:fleet-upgrade [--times N] [--runners N] [--interval MS] [--write]
 */
import { join } from "node:path"
import { count, median, note, options, report, root, verdict } from "../../bench/report.ts"
import { beginAudit } from "./audit.ts"
import { makeFleet, startWorld } from "./fleet.ts"
import { buildOlderProgram } from "./olderProgram.ts"
import type { Place } from "./trials.ts"
import { startAt, type Upgrade, upgrade } from "./upgrade.ts"

const { interval: intervalMs, runners, times, write } = options({ times: 3, runners: 4, interval: 15_000 })
const program = [process.execPath, join(root, "apps/cli/dist/sourcewire.js")]
const older = buildOlderProgram()
const world = await startWorld(240, 10, 20_000)
const servers = world.targets.length

/** With a new database each time, which the older program makes. */
const once = async (): Promise<Upgrade> => {
  const fleet = await makeFleet(program, world.targets, { intervalMs })
  try {
    const place: Place = { fleet, intervalMs, runners: [], world }
    for (let i = 0; i < runners; i++) place.runners.push(await startAt(fleet, i, older.command))
    beginAudit(fleet.postgres.url())
    return await upgrade(place)
  } finally {
    await fleet.stop()
    note(".")
  }
}

const seconds = (ms: number): string => (ms / 1000).toFixed(1)
const outcomes: Array<Upgrade> = []
try {
  for (let i = 0; i < times; i++) outcomes.push(await once())
} finally {
  await world.stop()
  older.remove()
}
const most = (of: (outcome: Upgrade) => number): number => Math.max(...outcomes.map(of))
const of = (value: (outcome: Upgrade) => number): string => {
  const values = outcomes.map(value)
  return `${seconds(median(values))}, ${seconds(Math.max(...values))}`
}
const [before, after] = outcomes[0]!.steps
const complaints = [...new Set(outcomes.flatMap((outcome) => outcome.complaints))]
report({
  title: "A fleet is upgraded",
  file: "docs/benchmarks/fleet-upgrade.md",
  about: `${runners} processes of \`sourcewire monitor --join\` on loopback, over one Postgres, watch ${count(servers)} servers, each once in ${intervalMs / 1000} s. One after the other is ended (SIGTERM) and started again under its name as the newer program, the first of which takes the schema from step ${before} to step ${after}; the older one is ${older.what}. Made by \`pnpm bench:fleet-upgrade --write\`; the rules that make it possible stand in [the steps](../../packages/monitor/src/store/migrations/index.ts).`,
  table: [
    [
      "times",
      "longest pause of a slice, s: median, most",
      "of a server, s: median, most",
      "asked twice in a round, %: most"
    ],
    [
      outcomes.length,
      of(({ slicePauseMs }) => slicePauseMs),
      of(({ serverPauseMs }) => serverPauseMs),
      ((100 * most(({ twice }) => twice)) / servers).toFixed(2)
    ]
  ],
  notes: [
    verdict(`The newer program has taken a step: ${before} before, ${after} after.`, after > before),
    verdict(
      `A server waits ${seconds(most(({ serverPauseMs }) => serverPauseMs))} s at most; two intervals may be, one of which is missed.`,
      most(({ serverPauseMs }) => serverPauseMs) <= 2 * intervalMs
    ),
    verdict(
      `Of ${count(outcomes.reduce((sum, { changes }) => sum + changes, 0))} changes, those of maps that do not begin with what the one before ended with (told twice, or lost): ${most(({ brokenChains }) => brokenChains)}.`,
      most(({ brokenChains }) => brokenChains) === 0
    ),
    verdict(
      `Rows written by a runner that did not own their slice: ${most(({ foreignWrites }) => foreignWrites)}.`,
      most(({ foreignWrites }) => foreignWrites) === 0
    ),
    verdict(`Errors in the logs of both programs: ${complaints.length}.`, complaints.length === 0),
    ...complaints
  ],
  write
})
