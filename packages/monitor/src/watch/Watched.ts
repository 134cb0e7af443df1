/** A target and its current state. The history of a target is in the store. */
import type { Answered } from "@sourcewire/core/scan"
import type { Address } from "@sourcewire/core"
import type { Summary } from "@sourcewire/games"
import type { Group } from "../config/Config.ts"
import type { HourSamples } from "../history/HourSamples.ts"
import { findSlice } from "../store/slices.ts"
import { type Candidates, currentPort } from "./candidates.ts"
import { choosePhase } from "../schedule/rhythm.ts"
import type { Timed } from "../schedule/TimingWheel.ts"

/** The state of a target. The state is `unknown` until a check succeeds, or until `downAfter` consecutive checks have failed. */
export type State = "unknown" | "up" | "down"

/** A stored reply. */
export type Answer = Pick<Answered<"all">, "info" | "legacy" | "players" | "playersAssumed" | "rules"> & {
  /** The port that responded, if the target has several candidate ports. */
  readonly queryPort?: number
}

/** The last reply of a target: its content, its time of arrival and its round-trip time. */
export interface LastAnswer {
  at: number
  rttMs: number
  rttAmbiguous: boolean
  readonly answer: Answer
  readonly summary: Summary
}

/** The error of a failed check. */
export interface ErrorSummary {
  readonly _tag: string
  readonly message: string
}

/** The current state of a target. All fields except `earlier` are also in the store. */
export interface Known {
  state: State
  /** When the state began, in milliseconds since 1970; 0 if this time is unknown. */
  stateAt: number
  /** Number of consecutive failed checks. */
  failures: number
  /**
   * When the first check of the current series of failed checks began, in milliseconds since 1970; `undefined` if the last check succeeded.
   */
  failingAt: number | undefined
  queriedAt: number | undefined
  last: LastAnswer | undefined
  lastError: ErrorSummary | undefined
  hour: HourSamples | undefined
  /**
   * Samples of past hours in which a part of the time is not assigned to a state yet. If a check fails, later checks show whether the
   * target was down, and then this time is assigned to a state.
   */
  earlier: ReadonlyArray<HourSamples> | undefined
}

/** The state of a target that was never queried. */
export const unknown = (): Known => ({
  state: "unknown",
  stateAt: 0,
  failures: 0,
  failingAt: undefined,
  queriedAt: undefined,
  last: undefined,
  lastError: undefined,
  hour: undefined,
  earlier: undefined
})

/** Returns the interval between the checks of a target: `downIntervalMs` if the target is down, otherwise `intervalMs`. */
export const chooseInterval = (
  { downIntervalMs, intervalMs }: Pick<Group, "downIntervalMs" | "intervalMs">,
  { state }: Pick<Known, "state">
): number => (state === "down" ? downIntervalMs : intervalMs)

/** A monitored target. The monitor passes this object to the scan. */
export class Watched implements Timed, Address {
  tick = -1
  readonly id: number
  readonly slice: number
  /** The address, for example `game.example:27015`. */
  readonly address: string
  readonly host: string
  readonly phase: number
  /** The group of the target. If the target moves to another group, the monitor creates a new `Watched` object for the target. */
  group: Group
  known: Known
  /** When the last check of the target began, in milliseconds since 1970. */
  takenAt: number | undefined = undefined
  /** Whether the target is still part of the plan. */
  isWatched = true
  /** The target's reply that this process last wrote to the store or read from the store. */
  stored: Answer | undefined = undefined

  /** The query ports to try; `undefined` if the target has only one possible query port. */
  candidates: Candidates | undefined
  readonly #port: number

  constructor(
    id: number,
    address: string,
    where: Address,
    group: Group,
    known: Known,
    ports: ReadonlyArray<number> = []
  ) {
    this.id = id
    this.address = address
    this.slice = findSlice(where)
    this.host = where.host
    this.#port = where.port
    this.phase = choosePhase(address)
    this.group = group
    this.known = known
    this.usePorts(ports)
  }

  /** Sets the query ports to try, the most likely port first. If the target has only one possible query port, `ports` is empty. */
  usePorts(ports: ReadonlyArray<number>): void {
    if (ports.join() === (this.candidates?.ports ?? []).join()) return
    this.candidates = ports.length === 0 ? undefined : { ports, tried: 0, firstFailure: undefined }
  }

  /** The port to query now. */
  get port(): number {
    return this.candidates === undefined ? this.#port : currentPort(this.candidates, this.known.last?.answer)
  }
}

/**
 * Returns the configured name of a target. If no name is configured, returns the name in the last reply of the server, or `undefined` if
 * there is no reply.
 */
export const findName = ({ address, group, known }: Pick<Watched, "address" | "group" | "known">): string | undefined =>
  group.names.get(address) ?? known.last?.summary.name
