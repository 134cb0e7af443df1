/**
 * The clock of a scan, which decides when targets time out. It stops while the process does not run, because replies may be waiting in its
 * sockets, and while this host cannot send. If no reply arrives although many servers that replied before are in flight, the cause is the
 * network and not the servers. The clock then runs at a tenth of its speed.
 */
import { SCAN_FIRST_OUTAGE_MS, SCAN_OUTAGE_MS } from "../Limits.ts"
import type { RouteTable } from "../engine/RouteTable.ts"
import type { Timing } from "../engine/Timing.ts"
import type { EngineCounters } from "../engine/traffic.ts"
import type { Target } from "./target.ts"

/** If a check is later than this, in ms, the process was busy or stopped, and the time beyond this delay does not count. */
const LATE_MS = 30
/** If no server replies, and at least this many servers that have replied before are in flight, the network has an outage. */
const MISSED_IN_OUTAGE = 8
/** The speed of the clock in such an outage. Few requests are retransmitted, and hardly any target times out. */
const OUTAGE_SHARE = 0.1
/** Time after a failed transmission during which this host counts as unable to send, in ms. All targets retransmit within it. */
const REFUSED_MS = 500
/**
 * The host does not count as unable to send if it has sent another datagram within this time, in ms: then only some addresses are
 * unreachable.
 */
const LEFT_MS = 50

type TargetsInFlight = Pick<RouteTable<Target>, "forEach">

/** All times are ms. */
export class OutageClock implements Timing {
  readonly schedule: Timing["schedule"]
  private readonly timing: Timing
  private readonly roundTrip: { readonly rtoMs: number }
  private lostMs = 0
  private checkedAt = 0
  private checkAt = Number.POSITIVE_INFINITY
  /** Number of expected datagrams received until the last check, and the time of the last one. */
  private received = 0
  private receivedAt = 0
  /** The value of `received` when too few servers were in flight to detect an outage; −1 if this has not happened. */
  private fewAt = -1
  /** Duration of outages since the last expected datagram. */
  private outageMs = 0
  /** Whether this host could not send and has received nothing since. Retransmissions may still get lost. */
  private isOut = false
  /**
   * Times of the last failed and the last successful transmission. They are times of the host's clock, because the `OutageClock` may be
   * stopped.
   */
  private refusedAt = Number.NEGATIVE_INFINITY
  private leftAt = Number.NEGATIVE_INFINITY
  /** Number of datagrams sent through sockets that report failures, now and at the last check. */
  private left = 0
  private leftBefore = 0

  constructor(timing: Timing, roundTrip: { readonly rtoMs: number }) {
    this.timing = timing
    this.schedule = timing.schedule
    this.roundTrip = roundTrip
  }

  /** The time of this clock. If a check is late, the clock stops until the check has run, because the clock must never go back. */
  now(): number {
    return Math.min(this.timing.now() - this.lostMs, this.checkAt + LATE_MS)
  }

  /** Schedules the next check, if none is scheduled. Returns its time. */
  scheduleCheck(checkAt: number, now: number): number {
    if (this.checkAt === Number.POSITIVE_INFINITY) {
      this.checkedAt = now
      this.checkAt = checkAt
    }
    return this.checkAt
  }

  /** A datagram was sent through a socket that reports failures. */
  onLeft(): void {
    this.left++
  }

  /** The system reported that the datagram was not sent. */
  onRefused(): void {
    this.left--
    this.refusedAt = this.timing.now()
  }

  /** Adds the time since the last check. Returns how long the clock was stopped, in ms. */
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
      const lostMs = (1 - this.countedShare(now, requests)) * (now - this.checkedAt)
      this.outageMs += lostMs
      this.lostMs += lostMs
    }
    return this.lostMs - lostBefore
  }

  private countedShare(now: number, requests: TargetsInFlight): number {
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

  /**
   * Whether many servers that replied before are in flight. Until the next reply, their number can only decrease, so a low number is not
   * counted again.
   */
  private isMissed(requests: TargetsInFlight): boolean {
    if (this.fewAt === this.received) return false
    let missed = 0
    requests.forEach(({ exchange, isOverdue }) => {
      if (exchange.isKnownToLive && !isOverdue) missed++
    })
    if (missed < MISSED_IN_OUTAGE) this.fewAt = this.received
    return missed >= MISSED_IN_OUTAGE
  }

  /** Whether a datagram was received before from a network to which sending now fails. If no such network is known, all networks count. */
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
