/**
 * The time that counts for targets. It stands still while the process did not run, with answers in its sockets, and while this machine
 * sends nothing; it runs slowly while many servers that are known to live are silent at once, which is an outage and not their deaths.
 */
import { SCAN_FIRST_OUTAGE_MS, SCAN_OUTAGE_MS } from "../Limits.ts"
import type { RouteTable } from "../engine/RouteTable.ts"
import type { Timing } from "../engine/Timing.ts"
import type { EngineCounters } from "../engine/traffic.ts"
import type { Target } from "./target.ts"

/** A look that is later than this, in ms, comes from a process that was busy or stopped: the rest counts for nobody. */
const LATE_MS = 30
/** Known living servers that wait in a silence of everybody, from which on it is taken for an outage of the line. */
const MISSED_IN_OUTAGE = 8
/** In such a silence time counts for so much less: questions are repeated, few, and hardly any target is given up. */
const OUTAGE_SHARE = 0.1
/** How long after a refusal, in ms, this machine is known not to send: meanwhile all that wait have tried again. */
const REFUSED_MS = 500
/** Unless something else has left in so many ms: then only some addresses cannot be reached from here. */
const LEFT_MS = 50

type TargetsInFlight = Pick<RouteTable<Target>, "forEach">

/** The clock of a scan. All times are ms. */
export class OutageClock implements Timing {
  readonly schedule: Timing["schedule"]
  private readonly timing: Timing
  private readonly roundTrip: { readonly rtoMs: number }
  private lostMs = 0
  private lookedAt = 0
  private lookAt = Number.POSITIVE_INFINITY
  private heard = 0
  private heardAt = 0
  /** Datagrams heard when too few known living servers were awaited for an outage. */
  private fewAt = -1
  /** Time that outages have taken since the last datagram that a target had waited for. */
  private outageMs = 0
  /** This machine has sent nothing, and nothing has come since: what it sends again may still get lost on the way. */
  private isOut = false
  /** When this machine last did not send. These two on its own clock, since ours stands still meanwhile. */
  private refusedAt = Number.NEGATIVE_INFINITY
  private leftAt = Number.NEGATIVE_INFINITY
  /** Datagrams that left, of those whose refusal is reported; and at the last look. */
  private left = 0
  private leftBefore = 0

  constructor(timing: Timing, roundTrip: { readonly rtoMs: number }) {
    this.timing = timing
    this.schedule = timing.schedule
    this.roundTrip = roundTrip
  }

  /** Waits for a look that is late, so that it never goes back when that comes. */
  now(): number {
    return Math.min(this.timing.now() - this.lostMs, this.lookAt + LATE_MS)
  }

  /** The next look is to come then, unless one is to come already. Gives when it is. */
  lookNext(lookAt: number, now: number): number {
    if (this.lookAt === Number.POSITIVE_INFINITY) {
      this.lookedAt = now
      this.lookAt = lookAt
    }
    return this.lookAt
  }

  /** A datagram left whose refusal would be reported. */
  onLeft(): void {
    this.left++
  }

  /** It did not leave. */
  onRefused(): void {
    this.left--
    this.refusedAt = this.timing.now()
  }

  /** Counts the time since the look before. Gives how much of it the clock has stood still. */
  look({ late, received, unsolicited }: EngineCounters, requests: TargetsInFlight): number {
    const lostBefore = this.lostMs
    const heard = received - late - unsolicited
    const lateMs = this.timing.now() - this.lostMs - this.lookAt - LATE_MS
    if (lateMs > 0) this.lostMs += lateMs
    const now = this.now()
    this.lookAt = Number.POSITIVE_INFINITY
    if (heard !== this.heard) {
      this.heardAt = now
      this.outageMs = 0
      this.isOut = false
    }
    if (this.left > this.leftBefore) this.leftAt = this.timing.now()
    this.heard = heard
    this.leftBefore = this.left
    if (this.outageMs < SCAN_OUTAGE_MS) {
      const lostMs = (1 - this.shareThatCounts(now, requests)) * (now - this.lookedAt)
      this.outageMs += lostMs
      this.lostMs += lostMs
    }
    return this.lostMs - lostBefore
  }

  private shareThatCounts(now: number, requests: TargetsInFlight): number {
    if (now - this.heardAt <= this.roundTrip.rtoMs) return 1
    const at = this.timing.now()
    const isRefused = at - this.refusedAt <= REFUSED_MS && at - this.leftAt > LEFT_MS
    if ((isRefused || this.isOut) && (this.outageMs < SCAN_FIRST_OUTAGE_MS || this.hasWorked(requests))) {
      if (!isRefused) return OUTAGE_SHARE
      this.isOut = true
      return 0
    }
    return this.isMissed(requests) ? OUTAGE_SHARE : 1
  }

  /** Whether many known living servers are awaited. In a silence there can only be fewer, so few need not be counted again. */
  private isMissed(requests: TargetsInFlight): boolean {
    if (this.fewAt === this.heard) return false
    let missed = 0
    requests.forEach(({ exchange, isOverdue }) => {
      if (exchange.isKnownToLive && !isOverdue) missed++
    })
    if (missed < MISSED_IN_OUTAGE) this.fewAt = this.heard
    return missed >= MISSED_IN_OUTAGE
  }

  /** Whether the network that refuses, or if none does any, has ever let anything through. */
  private hasWorked(requests: TargetsInFlight): boolean {
    let held = 0
    let heldAndHeard = 0
    requests.forEach(({ lost, socket }) => {
      if (lost?.isHeld !== true) return
      held++
      if (socket!.hasHeard) heldAndHeard++
    })
    return held === 0 ? this.heard > 0 : heldAndHeard > 0
  }
}
