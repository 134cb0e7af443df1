/**
 * How many servers a client asks at once, which follows what is told to it. It grows with the answers, and shrinks by half when many of
 * them took a retransmission and the others much longer than they can: then more is asked than the line, a machine or a receive queue
 * bears, and whatever is asked again makes it worse. One sign alone is none: a line that loses a lot does so at any pace, and servers
 * differ in how far they are.
 *
 * Judged are only answers to what was asked after the last change; the others tell how it was before. (A scan's window is another: a
 * scan knows the round trip, and counts the datagrams that its receive queues lost.) All times are ms of one monotonic clock.
 */
import { FIRST_WINDOW } from "../Limits.ts"

/** It never shrinks below. */
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

/** The window. */
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
