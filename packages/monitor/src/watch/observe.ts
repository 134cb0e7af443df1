/**
 * Processes the result of a check: computes the new state of the target and the changes to record. The functions are pure: they use no
 * clock, store or network.
 */
import type { ScanResult } from "@sourcewire/core"
import type { Answered } from "@sourcewire/core/scan"
import { type Summary, playerNames } from "@sourcewire/games"
import { makeSummary } from "./candidates.ts"
import { isSame } from "./isSame.ts"
import type { HourSamples } from "../history/HourSamples.ts"
import { account } from "./accounting.ts"
import type { Incident } from "./incidents.ts"
import { type MutedTime, maintenanceTime } from "./Mutes.ts"
import type { Answer, LastAnswer, ErrorSummary, Watched } from "./Watched.ts"

/**
 * The fields of a target whose changes the monitor records. `joined` and `left` contain names of players as JSON. `disagreement` contains
 * the state at each location, or an empty text if the locations agree. A change of `finding` contains the kind of a strong finding. The
 * kind is in `to` if the finding began, and in `from` if the finding ended.
 */
export type ChangedField =
  | "state"
  | "name"
  | "map"
  | "version"
  | "full"
  | "joined"
  | "left"
  | "disagreement"
  | "finding"

/** A change of a field, before the monitor assigns an id to the change. */
export interface Observed {
  readonly at: number
  readonly field: ChangedField
  readonly from: string
  readonly to: string
}

/** The effects of a check: changes, hourly samples to store, and an incident. */
export interface Observation {
  readonly changes: ReadonlyArray<Observed>
  /** The samples of the hours that ended before this check. */
  readonly finished: ReadonlyArray<HourSamples>
  /** The incident that began or ended with this check. */
  readonly incident: Incident | undefined
  /** Whether this host failed to send the query. */
  readonly isUnsent: boolean
}

const isFull = ({ maxPlayers, players }: Summary): boolean => maxPlayers > 0 && players >= maxPlayers

/**
 * The names of the players and bots. Two kinds of names are omitted: empty names, and the placeholder that Counter-Strike lists instead of
 * hidden names.
 */
const listNames = ({ players }: Answer): ReadonlyArray<string> => (players === undefined ? [] : playerNames(players))

/**
 * The names in `names` that are missing from `others`. If a name occurs more often in `names` than in `others`, the result contains each
 * additional occurrence.
 */
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
  // If one of the replies has no list of players, the monitor does not know which players joined or left.
  if (!joins || before.answer.players === undefined || after.answer.players === undefined) return
  const [names, others] = [listNames(after.answer), listNames(before.answer)]
  const [joined, left] = [missing(names, others), missing(others, names)]
  if (joined.length > 0) note("joined", "", JSON.stringify(joined))
  if (left.length > 0) note("left", "", JSON.stringify(left))
}

/**
 * Converts the result of a query to the reply that the monitor stores. If the reply equals the target's previous reply, the function
 * returns the object of the previous reply with new times. From this object, other parts of the monitor recognize that the reply is
 * unchanged, and do not store the reply again.
 */
const makeAnswer = (
  { address, candidates, known: { last } }: Watched,
  at: number,
  { info, legacy, players, playersAssumed, port, rttAmbiguous, rttMs, rules }: Answered<"all">
): LastAnswer => {
  const answer: Answer = {
    info,
    ...(legacy === undefined ? {} : { legacy }),
    ...(players === undefined ? {} : { players }),
    ...(playersAssumed === undefined ? {} : { playersAssumed }),
    ...(rules === undefined ? {} : { rules }),
    ...(candidates === undefined ? {} : { queryPort: port })
  }
  const times = { at, rttMs, rttAmbiguous: rttAmbiguous === true }
  // The previous object is updated instead of replaced: a new object would exist until the next check, and objects that live so long are
  // expensive for the garbage collector.
  if (last !== undefined && isSame(last.answer, answer)) return Object.assign(last, times)
  return { ...times, summary: makeSummary(address, answer), answer }
}

/** The outcome of a check: a reply, or an error. */
export type QueryOutcome =
  | { readonly answer: LastAnswer }
  | {
      readonly error: ErrorSummary
      /** Whether this host caused the error. An error that this host caused contains no information about the target. */
      readonly isLocal: boolean
      /** If the group of the target has `locations`, the error at each location. */
      readonly locations?: Incident["locations"]
    }

const toOutcome = (target: Watched, result: ScanResult<"info" | "all">, at: number): QueryOutcome => {
  if (result._tag === "Answered") return { answer: makeAnswer(target, at, result as Answered<"all">) }
  const { error } = result
  return { error: { _tag: error._tag, message: error.message }, isLocal: "local" in error && error.local === true }
}

/** Applies the outcome of a check to a target, and returns the changes. */
export const applyOutcome = (
  target: Watched,
  outcome: QueryOutcome,
  at: number,
  mutedTime: MutedTime = maintenanceTime
): Observation => {
  const { group, known } = target
  const changes: Array<Observed> = []
  const note = (field: ChangedField, from: string, to: string): void => void changes.push({ at, field, from, to })
  if ("error" in outcome && outcome.isLocal) {
    known.lastError = outcome.error
    return { changes, finished: [], incident: undefined, isUnsent: true }
  }
  const isMutedAt = (time: number): boolean => mutedTime(target, time, time + 1).length > 0
  const makeIncident = (from: number, to?: number): Incident => ({
    from,
    noticedAt: at,
    ...(to === undefined ? {} : { to }),
    reason: known.lastError?._tag ?? "",
    message: known.lastError?.message ?? "",
    ...(known.last === undefined ? {} : { players: known.last.summary.players, map: known.last.summary.map }),
    isMuted: isMutedAt(at),
    ...("locations" in outcome ? { locations: outcome.locations } : {})
  })
  if ("error" in outcome) {
    const hasMuteEnded = known.state === "down" && isMutedAt(known.queriedAt ?? at) && !isMutedAt(at)
    const beganAt = Math.min(at, Math.max(target.takenAt ?? at, known.queriedAt ?? 0))
    const failingAt = known.failures > 0 ? (known.failingAt ?? beganAt) : beganAt
    const isDown = known.state === "down" || known.failures + 1 >= group.downAfter
    const finished = account(target, { at, isAnswered: false, isDown, failingAt }, mutedTime)
    known.queriedAt = at
    known.hour!.add(at, undefined)
    known.failures++
    known.failingAt = failingAt
    known.lastError = outcome.error
    // No alert is sent during a mute. Therefore, if a target is still down when its mute ends, a change from `muted` to `down` is recorded.
    if (hasMuteEnded) note("state", "muted", "down")
    if (!isDown || known.state === "down") return { changes, finished, incident: undefined, isUnsent: false }
    note("state", known.state, "down")
    known.state = "down"
    known.stateAt = failingAt
    return { changes, finished, incident: makeIncident(failingAt), isUnsent: false }
  }
  const { answer: after } = outcome
  const { bots, players } = after.summary
  const finished = account(target, { at, isAnswered: true, isDown: false, failingAt: undefined }, mutedTime)
  known.queriedAt = at
  known.hour!.add(at, { players, bots, rttMs: after.rttAmbiguous ? undefined : after.rttMs })
  const incident = known.state === "down" ? makeIncident(known.stateAt, at) : undefined
  known.failures = 0
  known.failingAt = undefined
  known.lastError = undefined
  if (known.state !== "up") {
    // A change to `up` is reported only if the previous state is `down`, not if it is `unknown`.
    if (known.state === "down") note("state", "down", "up")
    known.state = "up"
    known.stateAt = at
  }
  if (known.last !== undefined && known.last.answer !== after.answer)
    changesBetween(known.last, after, group.joins, note)
  known.last = after
  return { changes, finished, incident, isUnsent: false }
}

/** Applies the result of a query to a target. An error that this host caused does not change the state of the target. */
export const observe = (
  target: Watched,
  result: ScanResult<"info" | "all">,
  at: number,
  mutedTime?: MutedTime
): Observation => applyOutcome(target, toOutcome(target, result, at), at, mutedTime)
