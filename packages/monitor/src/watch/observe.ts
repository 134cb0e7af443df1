/**
 * What a turn tells of a target: its new state, and what has changed. Without clock, store and network.
 *
 * @module
 */
import type { ScanResult } from "@sourcewire/core"
import { type Summary, summary } from "@sourcewire/games"
import { HourSamples, hourOf } from "../history/HourSamples.ts"
import type { Answer, LastAnswer, Watched } from "./Watched.ts"

/** What can change. `joined` and `left` list names of players, as JSON. */
export type ChangedField = "state" | "name" | "map" | "version" | "full" | "joined" | "left"

/** A change, without its number. */
export interface Observed {
  readonly at: number
  readonly field: ChangedField
  readonly from: string
  readonly to: string
}

/** What a turn came to. */
export interface Observation {
  readonly changes: ReadonlyArray<Observed>
  /** An hour that is over. */
  readonly finished: HourSamples | undefined
  /** A fault of this machine kept the question from going out. */
  readonly isUnsent: boolean
}

const isFull = ({ maxPlayers, players }: Summary): boolean => maxPlayers > 0 && players >= maxPlayers

/** Bots are listed like players, and a server that starts a player's entry before his name is known lists it without one. */
const namesOf = ({ players }: Answer): ReadonlyArray<string> =>
  (players?.players ?? []).map(({ name }) => name).filter((name) => name !== "")

/** The names of one list that are not in the other, which may hold the same name several times. */
const missing = (names: ReadonlyArray<string>, others: ReadonlyArray<string>): ReadonlyArray<string> => {
  const counts = new Map<string, number>()
  for (const name of others) counts.set(name, (counts.get(name) ?? 0) + 1)
  return names.filter((name) => {
    const count = counts.get(name) ?? 0
    counts.set(name, count - 1)
    return count <= 0
  })
}

const changesBetween = (
  before: LastAnswer,
  after: LastAnswer,
  joins: boolean,
  note: (field: ChangedField, from: string, to: string) => void
): void => {
  if (before.summary.name !== after.summary.name) note("name", before.summary.name, after.summary.name)
  if (before.summary.map !== after.summary.map) note("map", before.summary.map, after.summary.map)
  const [old, now] = [before.summary.version ?? "", after.summary.version ?? ""]
  if (old !== now) note("version", old, now)
  const [was, is] = [isFull(before.summary), isFull(after.summary)]
  if (was !== is) note("full", String(was), String(is))
  // A list that is missing says nothing of who has left.
  if (!joins || before.answer.players === undefined || after.answer.players === undefined) return
  const [names, others] = [namesOf(after.answer), namesOf(before.answer)]
  const [joined, left] = [missing(names, others), missing(others, names)]
  if (joined.length > 0) note("joined", "", JSON.stringify(joined))
  if (left.length > 0) note("left", "", JSON.stringify(left))
}

const answerOf = (address: string, at: number, result: ScanResult<"all"> & { _tag: "Answered" }): LastAnswer => {
  const { info, legacy, players, playersAssumed, rttAmbiguous, rttMs, rules } = result
  return {
    at,
    rttMs,
    rttAmbiguous: rttAmbiguous === true,
    summary: summary(address, result),
    answer: {
      info,
      ...(legacy === undefined ? {} : { legacy }),
      ...(players === undefined ? {} : { players }),
      ...(playersAssumed === undefined ? {} : { playersAssumed }),
      ...(rules === undefined ? {} : { rules })
    }
  }
}

/** Takes the result of a target's turn in. A fault of this machine says nothing about the target. */
export const observe = (target: Watched, result: ScanResult<"info" | "all">, at: number): Observation => {
  const { group, known } = target
  const changes: Array<Observed> = []
  const note = (field: ChangedField, from: string, to: string): void => void changes.push({ at, field, from, to })
  const enter = (state: "up" | "down"): void => {
    if (known.state === state) return
    // Nobody is told that a server answers that was never known not to.
    if (known.state !== "unknown" || state === "down") note("state", known.state, state)
    known.state = state
    known.stateAt = at
  }
  if (result._tag === "Failed" && "local" in result.error && result.error.local === true) {
    known.trouble = troubleOf(result.error)
    return { changes, finished: undefined, isUnsent: true }
  }
  known.askedAt = at
  const finished = known.hour !== undefined && known.hour.hour !== hourOf(at) ? known.hour : undefined
  if (known.hour === undefined || finished !== undefined) known.hour = new HourSamples(hourOf(at))
  if (result._tag === "Failed") {
    known.hour.add(at, undefined)
    known.failures++
    known.trouble = troubleOf(result.error)
    if (known.failures >= group.downAfter) enter("down")
    return { changes, finished, isUnsent: false }
  }
  const after = answerOf(target.address, at, result as ScanResult<"all"> & { _tag: "Answered" })
  const { bots, players } = after.summary
  known.hour.add(at, { players, bots, rttMs: after.rttAmbiguous ? undefined : after.rttMs })
  known.failures = 0
  known.trouble = undefined
  enter("up")
  if (known.last !== undefined) changesBetween(known.last, after, group.joins, note)
  known.last = after
  return { changes, finished, isUnsent: false }
}

const troubleOf = ({ _tag, message }: { readonly _tag: string; readonly message: string }) => ({ _tag, message })
