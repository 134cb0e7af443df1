/**
 * A fleet is upgraded: its runners are ended in order and started again as another program, one after the other, while all is watched.
 */
import { setTimeout as sleep } from "node:timers/promises"
import { oldestAge, psql } from "./audit.ts"
import { type Fleet, type Runner, until } from "./fleet.ts"
import { balanced, type Outcome, outcomeOf, type Place } from "./trials.ts"

/** Starts a runner that keeps its name when it is started again: name, address and port are the same. */
export const startAt = (fleet: Fleet, place: number, program?: ReadonlyArray<string>): Promise<Runner> => {
  const { pid } = process
  // An address that no other process takes.
  const host = `127.${128 + ((pid >> 16) & 127)}.${(pid >> 8) & 255}.${pid & 255}`
  return fleet.start(`runner-${place}`, ["--log", "json", "--bind", `${host}:${9155 + place}`], program)
}

/** What came of an upgrade. */
export interface Upgrade extends Outcome {
  /** Steps of the schema, before and after. */
  readonly steps: readonly [before: number, after: number]
  /** Errors in the logs of all runners, the older and the newer. */
  readonly complaints: ReadonlyArray<string>
}

const stepsOf = (fleet: Fleet): number => Number(psql(fleet.postgres.url(), "select count(*) from migration"))

const complaintsOf = ({ log }: Runner): ReadonlyArray<string> =>
  log()
    .split("\n")
    .filter((line) => line.includes('"level":"error"'))

/** Replaces each runner of a place by the program of its fleet. */
export const upgrade = async (place: Place): Promise<Upgrade> => {
  const { fleet, intervalMs, runners, world } = place
  await balanced(place)
  const before = stepsOf(fleet)
  const all = [...runners]
  await world.asked()
  const from = Date.now()
  await sleep(intervalMs)
  for (const [i, older] of runners.entries()) {
    await older.end("SIGTERM")
    runners[i] = await startAt(fleet, i)
    all.push(runners[i])
    await balanced(place)
    // The newer and the older work side by side.
    const began = Date.now()
    await until("every server was asked since", () =>
      Promise.resolve(oldestAge(fleet.postgres.url()) < Date.now() - began)
    )
  }
  await sleep(2 * intervalMs)
  return {
    ...outcomeOf(place, await world.asked(), from, Date.now()),
    steps: [before, stepsOf(fleet)],
    complaints: all.flatMap(complaintsOf)
  }
}
