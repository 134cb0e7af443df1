/**
 * Who comes when, where calls have to wait for their turn: no more servers are asked at once than the network, their machines and our
 * receive queues bear. Everybody else waits, first come, first served, and costs a few hundred bytes. Nobody is turned away: whoever
 * asks ten thousand servers at once, or one server ten thousand things, gets all the answers.
 *
 * The window is small, since asking more at once gets no more answers a second once the round trip is filled, but makes them come later
 * and the questions be repeated. What has had no answer for a while no longer counts, or dead servers would hold up the living.
 *
 * @module
 */
import type { Timing } from "../engine/Timing.ts"
import { FIRST_WINDOW, MAX_IN_FLIGHT, MAX_WINDOW } from "../Limits.ts"
import type { Turn } from "./admission.ts"

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
    for (const { server } of this.asking) this.servers.set(server, new Line())
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
    const line = this.servers.get(turn.server)
    if (line !== undefined) {
      line.add(turn)
      return
    }
    this.servers.set(turn.server, new Line())
    this.ready.add(turn)
    this.admitAll()
  }

  /** Has asked, or no longer wants to. */
  leave(turn: Turn): void {
    const line = this.servers.get(turn.server)
    if (this.asking.delete(turn) || this.unanswered.delete(turn) || this.ready.delete(turn)) {
      // The next for that server comes behind all others that are ready.
      const next = line?.shift()
      if (next === undefined) this.servers.delete(turn.server)
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
      turn.startedAt = this.timing.now()
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
    const dead = [...this.asking].filter(({ startedAt }) => startedAt! <= before)
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

const LEAST_WINDOW = 4
/** Answers that are judged together. */
const ANSWERS_JUDGED = 32
/** Share of answers that took a retransmission above which they are many, */
const MANY_SHARE = 0.2
/** and above which those that took none are too few to tell how long an answer takes. */
const MOST_SHARE = 0.75
/** Answers take long from this many times the time that they took at best. */
const LONG_FACTOR = 2
/** The best is forgotten by that much each time, since ways change. */
const BEST_FACTOR = 1.02
/** A server is taken to be dead when it has not answered for this many ms, */
const DEAD_MS = 1000
/** or, if that is longer, in this many times the time that answers take. */
const DEAD_FACTOR = 4
/** The window grows by this factor, once in that time, where servers are dead; the second one when it has been too large before. */
const DEAD_GROWTH = 2
const DEAD_REGROWTH = 1.25

/**
 * How many servers a client asks at once, which follows what is told to it. It grows with the answers, and shrinks by half when many of
 * them took a retransmission and the others much longer than they can: then more is asked than the line, a machine or a receive queue
 * bears, and whatever is asked again makes it worse. One sign alone is none: a line that loses a lot does so at any pace, and servers
 * differ in how far they are.
 *
 * Judged are only answers to what was asked after the last change; the others tell how it was before. (A scan's window is another: a
 * scan knows the round trip, and counts the datagrams that its receive queues lost.) All times are ms of one monotonic clock.
 */
export class QueryWindow {
  /** Servers that may be asked at once; not always a whole number. */
  size: number
  private readonly max: number
  /** It has never been too large. */
  private isGrowing = true
  /** Since when what is asked is judged. */
  private judgedFrom = Number.NEGATIVE_INFINITY
  private answers = 0
  private repeated = 0
  /** Of those that took no retransmission, and of all. */
  private onceMs = 0
  private totalMs = 0
  /** How long answers took at last, and at best. */
  private meanMs = 0
  private bestMs = Number.POSITIVE_INFINITY
  /** When it last grew because of dead servers. */
  private grownAt = Number.NEGATIVE_INFINITY

  constructor(max: number) {
    this.max = max
    this.size = Math.min(max, FIRST_WINDOW)
  }

  /** How long to wait for a server before it is taken to be dead, in ms. */
  get deadMs(): number {
    return Math.max(DEAD_MS, DEAD_FACTOR * this.meanMs)
  }

  /** A server answered what it was asked at `startedAt`. */
  onAnswer(startedAt: number, now: number, wasRepeated: boolean): void {
    this.size = Math.min(this.max, this.size + (this.isGrowing ? 1 : 1 / this.size))
    if (startedAt < this.judgedFrom) return
    this.answers++
    this.totalMs += now - startedAt
    if (wasRepeated) this.repeated++
    else this.onceMs += now - startedAt
    if (this.answers >= ANSWERS_JUDGED) this.judge(now)
  }

  /** Servers were taken to be dead: they took room from the living, and gave no sign of anything. */
  onDead(now: number): void {
    if (now - this.grownAt < this.deadMs) return
    this.grownAt = now
    this.size = Math.min(this.max, this.size * (this.isGrowing ? DEAD_GROWTH : DEAD_REGROWTH))
  }

  private judge(now: number): void {
    const { answers, repeated } = this
    const share = repeated / answers
    this.meanMs = share <= MOST_SHARE ? this.onceMs / (answers - repeated) : this.totalMs / answers
    this.bestMs = Math.min(this.meanMs, BEST_FACTOR * this.bestMs)
    this.answers = this.repeated = this.onceMs = this.totalMs = 0
    if (share <= MANY_SHARE || this.meanMs <= LONG_FACTOR * this.bestMs) return
    this.isGrowing = false
    this.size = Math.max(Math.min(LEAST_WINDOW, this.max), this.size / 2)
    this.judgedFrom = now
  }
}
