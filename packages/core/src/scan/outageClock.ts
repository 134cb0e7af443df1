/**
 * The clock of a scan, by which targets time out. It stands still while the process does not run, because replies may wait in its sockets,
 * and while this machine cannot send. It runs slowly while many servers that have replied before are silent at once: that is an outage of
 * the network, not of the servers.
 */
import { SCAN_FIRST_OUTAGE_MS, SCAN_OUTAGE_MS } from "../Limits.ts"
import type { RouteTable } from "../engine/RouteTable.ts"
import type { Timing } from "../engine/Timing.ts"
import type { EngineCounters } from "../engine/traffic.ts"
import type { Target } from "./target.ts"

/** If a check is later than this, in ms, the process was busy or stopped. The rest of the time does not count. */
const LATE_MS = 30
/** If no server replies, and so many that have replied before are in flight, that is an outage of the line. */
const MISSED_IN_OUTAGE = 8
/** In such an outage, time runs by this factor: few requests are sent again, and hardly any target times out. */
const OUTAGE_SHARE = 0.1
/** How long this machine is treated as unable to send after it did not send a datagram, in ms. Meanwhile, all targets have tried again. */
const REFUSED_MS = 500
/** But not if another datagram has left within so many ms: then only some addresses cannot be reached. */
const LEFT_MS = 50

type TargetsInFlight = Pick<RouteTable<Target>, "forEach">

/** The clock of a scan. All times are ms. */
export class OutageClock implements Timing {
  readonly schedule: Timing["schedule"]
  private readonly timing: Timing
  private readonly roundTrip: { readonly rtoMs: number }
  private lostMs = 0
  private checkedAt = 0
  private checkAt = Number.POSITIVE_INFINITY
  /** Datagrams received that a target had waited for, at the last check; and when the last one came. */
  private received = 0
  private receivedAt = 0
  /** The value of `received` when too few servers that had replied before were in flight for an outage. */
  private fewAt = -1
  /** Time that outages have taken since the last datagram that a target had waited for. */
  private outageMs = 0
  /** This machine could not send, and nothing has come since. Datagrams that it sends again may still get lost. */
  private isOut = false
  /** When this machine last did not send a datagram, and when one left. By its own clock, because ours stands still meanwhile. */
  private refusedAt = Number.NEGATIVE_INFINITY
  private leftAt = Number.NEGATIVE_INFINITY
  /** Datagrams that left, of those for which the system reports failure; and the same at the last check. */
  private left = 0
  private leftBefore = 0

  constructor(timing: Timing, roundTrip: { readonly rtoMs: number }) {
    this.timing = timing
    this.schedule = timing.schedule
    this.roundTrip = roundTrip
  }

  /** If a check is late, the clock waits for it, so that it never goes back. */
  now(): number {
    return Math.min(this.timing.now() - this.lostMs, this.checkAt + LATE_MS)
  }

  /** The next check is then, unless one is scheduled already. Returns its time. */
  scheduleCheck(checkAt: number, now: number): number {
    if (this.checkAt === Number.POSITIVE_INFINITY) {
      this.checkedAt = now
      this.checkAt = checkAt
    }
    return this.checkAt
  }

  /** A datagram left. If it had not, the system would have reported it. */
  onLeft(): void {
    this.left++
  }

  /** It did not leave. */
  onRefused(): void {
    this.left--
    this.refusedAt = this.timing.now()
  }

  /** Counts the time since the last check. Returns for how long the clock has stood still. */
  check({ late, received, unsolicited }: EngineCounters, requests: TargetsInFlight): number {
    const lostBefore = this.lostMs
    const wanted = received - late - unsolicited
    const lateMs = this.timing.now() - this.lostMs - this.checkAt - LATE_MS
    if (lateMs > 0) this.lostMs += lateMs
    const now = this.now()
    this.checkAt = Number.POSITIVE_INFINITY
    if (wanted !== this.received) {
      this.receivedAt = now
      this.outageMs = 0
      this.isOut = false
    }
    if (this.left > this.leftBefore) this.leftAt = this.timing.now()
    this.received = wanted
    this.leftBefore = this.left
    if (this.outageMs < SCAN_OUTAGE_MS) {
      const lostMs = (1 - this.shareThatCounts(now, requests)) * (now - this.checkedAt)
      this.outageMs += lostMs
      this.lostMs += lostMs
    }
    return this.lostMs - lostBefore
  }

  private shareThatCounts(now: number, requests: TargetsInFlight): number {
    if (now - this.receivedAt <= this.roundTrip.rtoMs) return 1
    const at = this.timing.now()
    const isRefused = at - this.refusedAt <= REFUSED_MS && at - this.leftAt > LEFT_MS
    if ((isRefused || this.isOut) && (this.outageMs < SCAN_FIRST_OUTAGE_MS || this.hasWorked(requests))) {
      if (!isRefused) return OUTAGE_SHARE
      this.isOut = true
      return 0
    }
    return this.isMissed(requests) ? OUTAGE_SHARE : 1
  }

  /** Whether many servers that have replied before are in flight. While no reply comes, there can only be fewer: few are not counted again. */
  private isMissed(requests: TargetsInFlight): boolean {
    if (this.fewAt === this.received) return false
    let missed = 0
    requests.forEach(({ exchange, isOverdue }) => {
      if (exchange.isKnownToLive && !isOverdue) missed++
    })
    if (missed < MISSED_IN_OUTAGE) this.fewAt = this.received
    return missed >= MISSED_IN_OUTAGE
  }

  /** Whether the network that cannot send, or any if it is none, has ever delivered a datagram. */
  private hasWorked(requests: TargetsInFlight): boolean {
    let held = 0
    let heldAndReceived = 0
    requests.forEach(({ lost, socket }) => {
      if (lost?.isHeld !== true) return
      held++
      if (socket!.hasReceived) heldAndReceived++
    })
    return held === 0 ? this.received > 0 : heldAndReceived > 0
  }
}
