/** What a turn tells of a target: its new state, and what has changed. Without clock, store and network. */
import type { ScanResult } from "@sourcewire/core"
import type { Answered } from "@sourcewire/core/machines"
import { type Summary, summary } from "@sourcewire/games"
import { isSame } from "./isSame.ts"
import { HourSamples, hourOf } from "../history/HourSamples.ts"
import type { Answer, LastAnswer, Trouble, Watched } from "./Watched.ts"

/**
 * What can change. `joined` and `left` list names of players, as JSON; `disagreement` has what each location says, and nothing where they
 * agree.
 */
export type ChangedField = "state" | "name" | "map" | "version" | "full" | "joined" | "left" | "disagreement"

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

/** An answer that says what the one before said is that one: it is neither looked at nor stored again. */
const answerOf = (
  { address, known: { last } }: Watched,
  at: number,
  { info, legacy, players, playersAssumed, rttAmbiguous, rttMs, rules }: Answered<"all">
): LastAnswer => {
  const answer: Answer = {
    info,
    ...(legacy === undefined ? {} : { legacy }),
    ...(players === undefined ? {} : { players }),
    ...(playersAssumed === undefined ? {} : { playersAssumed }),
    ...(rules === undefined ? {} : { rules })
  }
  const turn = { at, rttMs, rttAmbiguous: rttAmbiguous === true }
  // Written over, and not made anew: what lives until the next turn is dear to collect.
  if (last !== undefined && isSame(last.answer, answer)) return Object.assign(last, turn)
  return { ...turn, summary: summary(address, answer), answer }
}

/** What came of a target's turn: its answer, or why there is none. */
export type Turn =
  | { readonly answer: LastAnswer }
  | {
      readonly trouble: Trouble
      /** It is this machine's fault, and says nothing about the target. */
      readonly isOurs: boolean
    }

const turnOf = (target: Watched, result: ScanResult<"info" | "all">, at: number): Turn => {
  if (result._tag === "Answered") return { answer: answerOf(target, at, result as Answered<"all">) }
  const { error } = result
  const trouble = { _tag: error._tag, message: error.message }
  return { trouble, isOurs: "local" in error && error.local === true }
}

/** Takes in what came of a target's turn. */
export const takeIn = (target: Watched, turn: Turn, at: number): Observation => {
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
  if ("trouble" in turn && turn.isOurs) {
    known.trouble = turn.trouble
    return { changes, finished: undefined, isUnsent: true }
  }
  known.askedAt = at
  const finished = known.hour !== undefined && known.hour.hour !== hourOf(at) ? known.hour : undefined
  if (known.hour === undefined || finished !== undefined) known.hour = new HourSamples(hourOf(at))
  if ("trouble" in turn) {
    known.hour.add(at, undefined)
    known.failures++
    known.trouble = turn.trouble
    if (known.failures >= group.downAfter) enter("down")
    return { changes, finished, isUnsent: false }
  }
  const { answer: after } = turn
  const { bots, players } = after.summary
  known.hour.add(at, { players, bots, rttMs: after.rttAmbiguous ? undefined : after.rttMs })
  known.failures = 0
  known.trouble = undefined
  enter("up")
  if (known.last !== undefined && known.last.answer !== after.answer)
    changesBetween(known.last, after, group.joins, note)
  known.last = after
  return { changes, finished, isUnsent: false }
}

/** Takes in the result that a scan has for a target. A fault of this machine says nothing about the target. */
export const observe = (target: Watched, result: ScanResult<"info" | "all">, at: number): Observation =>
  takeIn(target, turnOf(target, result, at), at)
