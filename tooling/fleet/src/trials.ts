/**
 * Runs trials with a fleet of processes. In a trial, a runner is killed, the process of a runner is paused, or the database is unavailable.
 * Before a trial begins, each runner owns a share of the slices. The trial ends one interval after each remaining runner owns a share
 * again.
 */
import { setTimeout as sleep } from "node:timers/promises"
import { auditedRows, brokenChains, changes, foreignWrites, oldestAge, psql } from "./audit.ts"
import { SLICES } from "../../../packages/monitor/src/store/slices.ts"
import { type Fleet, type Runner, until, type World } from "./fleet.ts"
import { type Rounds, analyseRounds } from "./rounds.ts"

export interface Place {
  readonly world: World
  readonly fleet: Fleet
  readonly intervalMs: number
  /** Number of locations. The runners of each location query every server once per round. */
  readonly askers: number
  readonly runners: Array<Runner>
}

/** The owners of slices in the store, and the number of slices that each of them owns. */
const owners = (fleet: Fleet): ReadonlyArray<readonly [owner: string, slices: number]> =>
  psql(fleet.postgres.url(), "select owner, count(*) from slice group by owner order by owner")
    .split("\n")
    .map((line) => {
      const [owner, slices] = line.split("|") as [string, string]
      return [owner, Number(slices)]
    })

/** If no slice changes its owner for this time, the distribution of the slices is regarded as final. */
const SETTLED_MS = 3000

/** Waits until each runner owns a share of the slices, and no slice has changed its owner for `SETTLED_MS`. */
export const balanced = ({ fleet, runners }: Pick<Place, "fleet" | "runners">): Promise<number> => {
  let last = ""
  let since = 0
  return until(
    () => `all have their share of the slices (${last})`,
    () => {
      const all = owners(fleet)
      // The required share is only a fifth of the average, because chance decides how many slices each runner owns.
      const least = SLICES / runners.length / 5
      const isFair = all.length === runners.length && all.every(([, slices]) => slices >= least)
      const text = String(all)
      if (!isFair || text !== last) since = Date.now()
      last = text
      return isFair && Date.now() - since >= SETTLED_MS
    }
  )
}

export interface Outcome extends Rounds {
  readonly servers: number
  readonly foreignWrites: number
  /** Number of writes that the triggers checked (see `auditedRows`). */
  readonly audited: number
  readonly brokenChains: number
  readonly changes: number
}

/**
 * Calls `happen`, waits until the slices are distributed again, and then waits for one more interval. Returns an evaluation of two things:
 * the queries that the servers received since the call of `happen`, and the rows in the database.
 */
export const observe = async (place: Place, happen: () => Promise<void>): Promise<Outcome> => {
  const { askers, fleet, intervalMs, world } = place
  await balanced(place)
  await world.asked()
  const from = Date.now()
  await happen()
  await balanced(place)
  await sleep(intervalMs)
  const asked = await world.asked()
  const url = fleet.postgres.url()
  return {
    ...analyseRounds({ targets: world.targets, intervalMs, askers }, asked, from, Date.now()),
    servers: world.targets.length,
    foreignWrites: foreignWrites(url),
    audited: auditedRows(url),
    brokenChains: brokenChains(url),
    changes: changes(url)
  }
}

const turn = (index: number, { runners }: Place): Runner => runners[index % runners.length]!

/**
 * Kills a runner. Each trial kills its runner at a different moment of the interval. After the evaluation, starts a new runner with the
 * name of the killed runner.
 */
export const kill = async (place: Place, round: number): Promise<Outcome> => {
  const { fleet, intervalMs, runners } = place
  const dead = turn(round, place)
  const outcome = await observe(place, async () => {
    await sleep(intervalMs * (1 + ((round * 0.618) % 1)))
    await dead.end("SIGKILL")
    runners.splice(runners.indexOf(dead), 1)
  })
  runners.push(await fleet.start(dead.name))
  return outcome
}

/** Pauses the process of a runner with SIGSTOP. Two seconds after the other runners own all slices, continues the process with SIGCONT. */
export const freeze = (place: Place, round: number): Promise<Outcome> =>
  observe(place, async () => {
    const { child } = turn(round, place)
    child.kill("SIGSTOP")
    await until("other runners own its slices", () => owners(place.fleet).length === place.runners.length - 1)
    await sleep(2000)
    child.kill("SIGCONT")
  })

/** The results of a trial in which the database is unavailable. */
export interface Outage extends Outcome {
  /** Time from the restart of the database until the stored state of every target is less than two intervals old. */
  readonly recoveredMs: number
  readonly died: number
}

/** Stops the database abruptly, and starts the database again after `awayMs`. */
export const outage = async (place: Place, awayMs: number): Promise<Outage> => {
  const { fleet, intervalMs, runners } = place
  let recoveredMs = 0
  const outcome = await observe(place, async () => {
    await fleet.postgres.stop()
    await sleep(awayMs)
    await fleet.postgres.start()
    const url = fleet.postgres.url()
    recoveredMs = await until("all results are current again", () => oldestAge(url) < 2 * intervalMs)
  })
  return { ...outcome, recoveredMs, died: runners.filter(({ child }) => child.exitCode !== null).length }
}
