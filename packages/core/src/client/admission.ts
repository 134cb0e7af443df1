/**
 * Whose turn it is to ask: one query per server at a time, since replies carry no number by which two could be told apart, and no more
 * servers at once than the network, their machines and our receive queues bear. Everybody else waits, first come, first served, and
 * costs a few hundred bytes. Nobody is turned away: whoever asks ten thousand servers at once, or one server ten thousand things, gets
 * all the answers.
 *
 * The window is small, since asking more at once gets no more answers a second once the round trip is filled, but makes them come later
 * and the questions be repeated. What has had no answer for a while no longer counts, or dead servers would hold up the living.
 *
 * @module
 */
import * as Effect from "effect/Effect"
import { MAX_IN_FLIGHT, MAX_WINDOW } from "../Limits.ts"
import type { ConnectionClosed } from "../engine/QueryError.ts"
import type { Timing } from "../engine/Timing.ts"
import * as failures from "../engine/networkFailures.ts"
import type { Waiting } from "./line.ts"
import { Line } from "./line.ts"
import { QueryWindow } from "./queryWindow.ts"

/** How often is looked for dead servers while somebody waits, in ms. */
const TICK_MS = 100

/** A call, from when it wants to ask until it has asked. */
export class Turn implements Waiting<Turn> {
  line: Line<Turn> | undefined = undefined
  ahead: Turn | undefined = undefined
  behind: Turn | undefined = undefined
  state: "waits" | "asks" | "left" = "waits"
  /** When it began to ask. */
  startedAt = 0
  readonly server: number | string
  readonly onTurn: (isOpen: boolean) => void

  /** `onTurn` is called once, with `false` when there will be no turn any more; not after {@link Admission.leave}. */
  constructor(server: number | string, onTurn: (isOpen: boolean) => void) {
    this.server = server
    this.onTurn = onTurn
  }
}

/** See the module. */
export class Admission {
  private readonly timing: Timing
  private readonly room: () => number
  private readonly window = new QueryWindow(MAX_WINDOW)
  /** Ask, and count; in the order in which they began. */
  private readonly asking = new Line<Turn>()
  /** Ask in vain, it seems, and no longer count. */
  private readonly unanswered = new Line<Turn>()
  /** First of their servers, and wait for the window alone. */
  private readonly ready = new Line<Turn>()
  /** Servers that are asked, or are to be as soon as the window allows, each with those who wait behind. */
  private readonly servers = new Map<number | string, Line<Turn>>()
  private cancelTick: (() => void) | undefined = undefined
  private isClosed = false

  /** `room` is how many sockets there are for, where that is less. */
  constructor(timing: Timing, room: () => number) {
    this.timing = timing
    this.room = room
  }

  /** Runs `use` when it is its turn to ask that server. */
  inTurn<A, E>(server: number | string, use: Effect.Effect<A, E>): Effect.Effect<A, E | ConnectionClosed> {
    return Effect.suspend(() => {
      let onTurn: (isOpen: boolean) => void
      const turn = new Turn(server, (isOpen) => onTurn(isOpen))
      const come = Effect.callback<void, ConnectionClosed>((resume) => {
        onTurn = (isOpen) => resume(isOpen ? Effect.void : Effect.fail(failures.closed()))
        this.enter(turn)
      })
      return Effect.ensuring(
        Effect.andThen(come, use),
        Effect.sync(() => this.leave(turn))
      )
    })
  }

  /** Turns that have come and are not over. */
  get inFlight(): number {
    return this.asking.length + this.unanswered.length
  }

  /** Calls that wait. */
  get waiting(): number {
    let sum = this.ready.length
    for (const line of this.servers.values()) sum += line.length
    return sum
  }

  /** Wants a turn; it may come at once. */
  enter(turn: Turn): void {
    if (this.isClosed) {
      turn.onTurn(false)
      return
    }
    const line = this.servers.get(turn.server)
    if (line !== undefined) {
      line.push(turn)
      return
    }
    this.servers.set(turn.server, new Line())
    this.admit(turn)
  }

  /** Has asked, or no longer wants to. */
  leave(turn: Turn): void {
    const { line, state } = turn
    if (state === "left") return
    turn.state = "left"
    // Not in a line: it has never entered.
    if (line === undefined) return
    line.remove(turn)
    if (state === "asks" || line === this.ready) this.promote(turn.server)
    this.admitAll()
  }

  /** A server answered what it was asked at `startedAt`. `wasRepeated`: not to the first transmission of the question. */
  onAnswer(startedAt: number, wasRepeated: boolean): void {
    this.window.onAnswer(startedAt, this.timing.now(), wasRepeated)
    this.admitAll()
  }

  /** Nobody gets a turn any more; those who ask go on. */
  close(): void {
    this.isClosed = true
    this.stopTick()
    for (const line of [this.ready, ...this.servers.values()]) {
      for (let turn = line.shift(); turn !== undefined; turn = line.shift()) {
        turn.state = "left"
        turn.onTurn(false)
      }
    }
    this.servers.clear()
  }

  /** The next for that server, behind all others that are ready. */
  private promote(server: number | string): void {
    const next = this.servers.get(server)?.shift()
    if (next === undefined) this.servers.delete(server)
    else this.admit(next)
  }

  private admit(turn: Turn): void {
    this.ready.push(turn)
    this.admitAll()
  }

  private admitAll(): void {
    while (this.ready.length > 0 && this.hasRoom()) {
      const turn = this.ready.shift()!
      turn.state = "asks"
      turn.startedAt = this.timing.now()
      this.asking.push(turn)
      turn.onTurn(true)
    }
    if (this.ready.length > 0) this.cancelTick ??= this.timing.schedule(TICK_MS, this.tick)
    else this.stopTick()
  }

  private hasRoom(): boolean {
    const { length } = this.asking
    return length < this.window.size && this.inFlight < MAX_IN_FLIGHT && length < this.room()
  }

  private readonly tick = (): void => {
    this.cancelTick = undefined
    const now = this.timing.now()
    const before = now - this.window.deadMs
    let dead = 0
    for (let { first } = this.asking; first !== undefined && first.startedAt <= before; { first } = this.asking) {
      this.asking.remove(first)
      this.unanswered.push(first)
      dead++
    }
    if (dead > 0) this.window.onDead(now)
    this.admitAll()
  }

  private stopTick(): void {
    this.cancelTick?.()
    this.cancelTick = undefined
  }
}
