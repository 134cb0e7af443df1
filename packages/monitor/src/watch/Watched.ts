/** A target and all that is known of it now. What was is in the store. */
import type { Answered } from "@sourcewire/core/machines"
import type { Address } from "@sourcewire/core"
import type { Summary } from "@sourcewire/games"
import type { Group } from "../config/Config.ts"
import type { HourSamples } from "../history/HourSamples.ts"
import { sliceOf } from "../store/slices.ts"
import { phaseOf } from "../schedule/rhythm.ts"
import type { Timed } from "../schedule/TimingWheel.ts"

/** Whether a target answers; `unknown` until it was asked often enough to tell. */
export type State = "unknown" | "up" | "down"

/** What a server said, as it is stored. */
export type Answer = Pick<Answered<"all">, "info" | "legacy" | "players" | "playersAssumed" | "rules">

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
  askedAt: number | undefined
  last: LastAnswer | undefined
  trouble: Trouble | undefined
  hour: HourSamples | undefined
}

/** What is known of a target that was never asked. */
export const unknown = (): Known => ({
  state: "unknown",
  stateAt: 0,
  failures: 0,
  askedAt: undefined,
  last: undefined,
  trouble: undefined,
  hour: undefined
})

/** A target that is watched; it can be handed to a scan. */
export class Watched implements Timed, Address {
  tick = -1
  readonly id: number
  readonly slice: number
  /** As in `game.example:27015`. */
  readonly address: string
  readonly host: string
  readonly port: number
  readonly phase: number
  /** Changes with the configuration. */
  group: Group
  known: Known
  /** Whether it is still configured. */
  isWatched = true
  /** The answer that the store has, as far as we know. */
  stored: Answer | undefined = undefined

  constructor(id: number, address: string, where: Address, group: Group, known: Known) {
    this.id = id
    this.address = address
    this.slice = sliceOf(where)
    this.host = where.host
    this.port = where.port
    this.phase = phaseOf(address)
    this.group = group
    this.known = known
  }
}
