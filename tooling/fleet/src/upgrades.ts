/**
 * A fleet is upgraded several times, from the program as it was before the newest step of the schema, with what came of it as a table and
 * as sentences.
 */
import { median, note, type Table, verdict } from "../../bench/report.ts"
import { beginAudit } from "./audit.ts"
import { noBrokenChains, seconds, startServers } from "./campaigns.ts"
import { makeFleet } from "./fleet.ts"
import { buildOlderProgram } from "./olderProgram.ts"
import type { Place } from "./trials.ts"
import { startAt, type Upgrade, upgrade } from "./upgrade.ts"

const INTERVAL_MS = 10_000
const RUNNERS = 4

/** Upgrades so many fleets, each on a database that the older program makes. */
export const upgrades = async (program: ReadonlyArray<string>, times: number) => {
  const older = buildOlderProgram()
  const world = await startServers()
  const outcomes: Array<Upgrade> = []
  try {
    for (let i = 0; i < times; i++) {
      const fleet = await makeFleet(program, world.targets, { intervalMs: INTERVAL_MS })
      try {
        const place: Place = { fleet, intervalMs: INTERVAL_MS, askers: 1, runners: [], world }
        for (let name = 0; name < RUNNERS; name++) place.runners.push(await startAt(fleet, name, older.command))
        beginAudit(fleet.postgres.url())
        outcomes.push(await upgrade(place))
        note(".")
      } finally {
        await fleet.stop()
      }
    }
  } finally {
    await world.stop()
    older.remove()
  }
  const most = (of: (outcome: Upgrade) => number): number => Math.max(...outcomes.map(of))
  const both = (of: (outcome: Upgrade) => number): string =>
    `${seconds(median(outcomes.map(of)))}, ${seconds(most(of))}`
  const [before, after] = outcomes[0]!.steps
  const complaints = [...new Set(outcomes.flatMap((outcome) => outcome.complaints))]
  const longest = most(({ serverPauseMs }) => serverPauseMs)
  const broken = most(({ brokenChains }) => brokenChains)
  const foreign = most(({ foreignWrites }) => foreignWrites)
  const changes = outcomes.reduce((sum, one) => sum + one.changes, 0)
  const table: Table = [
    [
      "times",
      "longest pause of a slice, s: median, most",
      "of a server, s: median, most",
      "asked twice in a round, %: most"
    ],
    [
      outcomes.length,
      both(({ slicePauseMs }) => slicePauseMs),
      both(({ serverPauseMs }) => serverPauseMs),
      (100 * most(({ servers, twice }) => twice / servers)).toFixed(2)
    ]
  ]
  return {
    table,
    notes: [
      `The older program is ${older.what}.`,
      verdict(`The newer program took the schema from step ${before} to step ${after}.`, after > before),
      verdict(
        `A server waits ${seconds(longest)} s at most; two intervals may be (${seconds(2 * INTERVAL_MS)} s), one of which is missed.`,
        longest <= 2 * INTERVAL_MS
      ),
      noBrokenChains({ brokenChains: broken, changes }),
      verdict(`Rows written by a runner that did not own their slice: ${foreign}.`, foreign === 0),
      verdict(`Different errors in the logs of both programs: ${complaints.length}.`, complaints.length === 0),
      ...complaints
    ]
  }
}
