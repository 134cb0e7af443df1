/**
 * Upgrades a fleet, and evaluates the queries that the servers receive during the upgrade. The runners are replaced one after the other.
 * Each of them is stopped with SIGTERM, and then a runner with the new program is started in its place.
 */
import { setTimeout as sleep } from "node:timers/promises"
import { verdict } from "../../bench/Bench.ts"
import { oldestAge, psql } from "./audit.ts"
import { HEAD, most, noBrokenChains, repeated, row, seconds, withFleet } from "./campaigns.ts"
import { type Fleet, type Runner, until } from "./fleet.ts"
import { buildOlderProgram } from "./olderProgram.ts"
import { balanced, type Outcome, observe, type Place } from "./trials.ts"

/**
 * Starts the runner with the number `place`. When a runner replaces another runner, both have the same number, and therefore the same name,
 * address and port.
 */
export const startAt = (fleet: Fleet, place: number, program?: ReadonlyArray<string>): Promise<Runner> => {
  const { pid } = process
  // The loopback address is derived from the id of this process, so that other test processes use other addresses.
  const host = `127.${128 + ((pid >> 16) & 127)}.${(pid >> 8) & 255}.${pid & 255}`
  return fleet.start(`runner-${place}`, ["--log", "json", "--bind", `${host}:${9155 + place}`], program)
}

export interface Upgrade extends Outcome {
  /** Number of migrations in the database before and after the upgrade. */
  readonly steps: readonly [before: number, after: number]
  /** The lines with errors in the logs of all runners: the replaced runners and the new runners. */
  readonly complaints: ReadonlyArray<string>
}

const countMigrations = (fleet: Fleet): number => Number(psql(fleet.postgres.url(), "select count(*) from migration"))

const findErrors = ({ log }: Runner): ReadonlyArray<string> =>
  log()
    .split("\n")
    .filter((line) => line.includes('"level":"error"'))

/** Replaces the runners one after the other with runners that use the fleet's program. */
export const upgrade = async (place: Place): Promise<Upgrade> => {
  const { fleet, intervalMs, runners } = place
  const before = countMigrations(fleet)
  const all = [...runners]
  const outcome = await observe(place, async () => {
    await sleep(intervalMs)
    for (const [i, older] of runners.entries()) {
      await older.end("SIGTERM")
      runners[i] = await startAt(fleet, i)
      all.push(runners[i])
      await balanced(place)
      // Before the next runner is replaced, this loop waits until the current runners have queried every server.
      const began = Date.now()
      await until("every server was queried since then", () => oldestAge(fleet.postgres.url()) < Date.now() - began)
    }
    await sleep(intervalMs)
  })
  return { ...outcome, steps: [before, countMigrations(fleet)], complaints: all.flatMap(findErrors) }
}

const INTERVAL_MS = 10_000

/** Upgrades a new fleet in each trial. The runners with the older program create the database, without the newest migration. */
export const upgrades = async (program: ReadonlyArray<string>, times: number) => {
  const older = buildOlderProgram()
  const start = (fleet: Fleet, number: number) => startAt(fleet, number, older.command)
  const outcomes = await repeated(times, () => withFleet({ program, intervalMs: INTERVAL_MS, start }, upgrade)).finally(
    older.remove
  )
  const [before, after] = outcomes[0]!.steps
  const complaints = [...new Set(outcomes.flatMap((outcome) => outcome.complaints))]
  const longest = most(outcomes, ({ serverPauseMs }) => serverPauseMs)
  const broken = most(outcomes, ({ brokenChains }) => brokenChains)
  const foreign = most(outcomes, ({ foreignWrites }) => foreignWrites)
  const changes = outcomes.reduce((sum, one) => sum + one.changes, 0)
  return {
    table: [HEAD, row("four instances are upgraded", outcomes)],
    notes: [
      `The older program is ${older.what}.`,
      verdict(`The newer program migrated the schema from step ${before} to step ${after}.`, after > before),
      verdict(
        `The longest time between two queries to the same server is ${seconds(longest)} s (limit: two intervals, ${seconds(2 * INTERVAL_MS)} s).`,
        longest <= 2 * INTERVAL_MS
      ),
      noBrokenChains({ brokenChains: broken, changes }),
      verdict(`Rows that an instance wrote without owning the row's slice: ${foreign}.`, foreign === 0),
      verdict(`Distinct errors in the logs of both programs: ${complaints.length}.`, complaints.length === 0),
      ...complaints
    ]
  }
}
