/** A target and all that is known of it now. What was is in the store. */
import type { Answered } from "@sourcewire/core/scan"
import type { Address } from "@sourcewire/core"
import type { Summary } from "@sourcewire/games"
import type { Group } from "../config/Config.ts"
import type { HourSamples } from "../history/HourSamples.ts"
import { sliceOf } from "../store/slices.ts"
import { type Candidates, portOf } from "./candidates.ts"
import { phaseOf } from "../schedule/rhythm.ts"
import type { Timed } from "../schedule/TimingWheel.ts"

/** Whether a target answers; `unknown` until it was asked often enough to tell. */
export type State = "unknown" | "up" | "down"

/** A reply of a server, as it is stored. */
export type Answer = Pick<Answered<"all">, "info" | "legacy" | "players" | "playersAssumed" | "rules"> & {
  /** The port that responded, if the target has several candidates. */
  readonly queryPort?: number
}

/** The last answer, and when it came. */
export interface LastAnswer {
  at: number
  rttMs: number
  rttAmbiguous: boolean
  readonly answer: Answer
  readonly summary: Summary
}

/** Why the last turn brought no answer. */
export interface Trouble {
  readonly _tag: string
  readonly message: string
}

/** What a store keeps of a target besides its history. */
export interface Known {
  state: State
  /** Since when it is in that state, in ms since 1970; 0 while that is unknown. */
  stateAt: number
  /** Turns without an answer in a row. */
  failures: number
  /** When the first of these turns began, in ms since 1970. */
  failingAt: number | undefined
  askedAt: number | undefined
  last: LastAnswer | undefined
  trouble: Trouble | undefined
  hour: HourSamples | undefined
  /** Hours that are over and that lack time of which it is not known yet whether the target was down. */
  earlier: ReadonlyArray<HourSamples> | undefined
}

/** What is known of a target that was never asked. */
export const unknown = (): Known => ({
  state: "unknown",
  stateAt: 0,
  failures: 0,
  failingAt: undefined,
  askedAt: undefined,
  last: undefined,
  trouble: undefined,
  hour: undefined,
  earlier: undefined
})

/** How often a target in this state is queried. */
export const turnIntervalOf = (
  { downIntervalMs, intervalMs }: Pick<Group, "downIntervalMs" | "intervalMs">,
  { state }: Pick<Known, "state">
): number => (state === "down" ? downIntervalMs : intervalMs)

/** A target that is watched; it can be handed to a scan. */
export class Watched implements Timed, Address {
  tick = -1
  readonly id: number
  readonly slice: number
  /** As in `game.example:27015`. */
  readonly address: string
  readonly host: string
  readonly phase: number
  /** Changes with the configuration. */
  group: Group
  known: Known
  /** When its last turn began, in ms since 1970. */
  takenAt: number | undefined = undefined
  /** Whether it is still configured. */
  isWatched = true
  /** The answer that the store has, as far as we know. */
  stored: Answer | undefined = undefined

  /** The query ports that a named game may use; `undefined` for a plain address. */
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
    this.slice = sliceOf(where)
    this.host = where.host
    this.#port = where.port
    this.phase = phaseOf(address)
    this.group = group
    this.known = known
    this.usePorts(ports)
  }

  /** Sets the candidates, the likeliest first; none for a plain address. */
  usePorts(ports: ReadonlyArray<number>): void {
    if (ports.join() === (this.candidates?.ports ?? []).join()) return
    this.candidates = ports.length === 0 ? undefined : { ports, tried: 0, firstFailure: undefined }
  }

  /** The port to query now. */
  get port(): number {
    return this.candidates === undefined ? this.#port : portOf(this.candidates, this.known.last?.answer)
  }
}

/** The name of a target: the one that the configuration gives, or the server's own; `undefined` while there is neither. */
export const nameOf = ({ address, group, known }: Pick<Watched, "address" | "group" | "known">): string | undefined =>
  group.names.get(address) ?? known.last?.summary.name
