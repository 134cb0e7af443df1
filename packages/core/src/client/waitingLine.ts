/**
 * Who comes when, where calls have to wait for their turn: no more servers are asked at once than the network, their machines and our
 * receive queues bear. Everybody else waits, first come, first served, and costs a few hundred bytes. Nobody is turned away: whoever
 * asks ten thousand servers at once, or one server ten thousand things, gets all the answers.
 *
 * The window is small, since asking more at once gets no more answers a second once the round trip is filled, but makes them come later
 * and the questions be repeated. What has had no answer for a while no longer counts, or dead servers would hold up the living.
 */
import type { Timing } from "../engine/Timing.ts"
import { MAX_IN_FLIGHT, MAX_WINDOW } from "../Limits.ts"
import { QueryWindow } from "./queryWindow.ts"
import type { Turn } from "./Server.ts"

/** How often is looked for dead servers while somebody waits, in ms. */
const TICK_MS = 100

/** Turns in the order in which they came, any of which may leave. */
class Line extends Set<Turn> {
  /** One iterator for all: a new one for each turn would step over those that have left since the set was last compacted. */
  private left = this.values()

  /** Takes the first out. */
  shift(): Turn | undefined {
    if (this.size === 0) return undefined
    let next = this.left.next()
    if (next.done === true) next = (this.left = this.values()).next()
    this.delete(next.value!)
    return next.value
  }
}

/** Gives turns, and takes them back, from when somebody had to wait. */
export class WaitingLine {
  private readonly timing: Timing
  private readonly room: () => number
  private readonly window = new QueryWindow(MAX_WINDOW)
  /** Ask, and count; in the order in which they began. */
  private readonly asking: Set<Turn>
  /** Ask in vain, it seems, and no longer count. */
  private readonly unanswered = new Set<Turn>()
  /** First of their servers, and wait for the window alone. */
  private readonly ready = new Line()
  /** Servers that are asked, or are to be as soon as the window allows, each with those who wait behind. */
  private readonly servers = new Map<number | string, Line>()
  private cancelTick: (() => void) | undefined = undefined

  /** `room` is how many sockets there are for, where that is less; `asking` are those whose turn has come, of a server each. */
  constructor(timing: Timing, room: () => number, asking: Iterable<Turn> = []) {
    this.timing = timing
    this.room = room
    this.asking = new Set(asking)
    for (const { key } of this.asking) this.servers.set(key, new Line())
  }

  /** Turns that have come and are not over. */
  get inFlight(): number {
    return this.asking.size + this.unanswered.size
  }

  /** Calls that wait. */
  get waiting(): number {
    let sum = this.ready.size
    for (const line of this.servers.values()) sum += line.size
    return sum
  }

  /** Wants a turn; it may come at once. */
  enter(turn: Turn): void {
    const line = this.servers.get(turn.key)
    if (line !== undefined) {
      line.add(turn)
      return
    }
    this.servers.set(turn.key, new Line())
    this.ready.add(turn)
    this.admitAll()
  }

  /** Has asked, or no longer wants to. */
  leave(turn: Turn): void {
    const line = this.servers.get(turn.key)
    if (this.asking.delete(turn) || this.unanswered.delete(turn) || this.ready.delete(turn)) {
      // The next for that server comes behind all others that are ready.
      const next = line?.shift()
      if (next === undefined) this.servers.delete(turn.key)
      else this.ready.add(next)
    } else line?.delete(turn)
    this.admitAll()
  }

  /** A server answered what it was asked at `startedAt`. `wasRepeated`: not to the first transmission of the question. */
  onAnswer(startedAt: number, wasRepeated: boolean): void {
    this.window.onAnswer(startedAt, this.timing.now(), wasRepeated)
    this.admitAll()
  }

  /** Nobody gets a turn any more; those who ask go on. */
  close(): void {
    this.stopTick()
    const waiting = [this.ready, ...this.servers.values()].flatMap((line) => [...line])
    this.ready.clear()
    this.servers.clear()
    for (const turn of waiting) turn.onTurn(false)
  }

  private admitAll(): void {
    while (this.ready.size > 0 && this.hasRoom()) {
      const turn = this.ready.shift()!
      turn.turnAt = this.timing.now()
      this.asking.add(turn)
      turn.onTurn(true)
    }
    if (this.ready.size > 0) this.cancelTick ??= this.timing.schedule(TICK_MS, this.tick)
    else this.stopTick()
  }

  private hasRoom(): boolean {
    const { size } = this.asking
    return size < this.window.size && this.inFlight < MAX_IN_FLIGHT && size < this.room()
  }

  private readonly tick = (): void => {
    this.cancelTick = undefined
    const now = this.timing.now()
    const before = now - this.window.deadMs
    const dead = [...this.asking].filter(({ turnAt }) => turnAt! <= before)
    for (const turn of dead) {
      this.asking.delete(turn)
      this.unanswered.add(turn)
    }
    if (dead.length > 0) this.window.onDead(now)
    this.admitAll()
  }

  private stopTick(): void {
    this.cancelTick?.()
    this.cancelTick = undefined
  }
}
