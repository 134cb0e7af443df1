/**
 * The clock of a scan, which decides when targets time out. A target must not time out because of a fault on this host or in the network:
 *
 * - While the process does not run, the clock stops, because replies may be waiting in the sockets.
 * - While this host cannot send, the clock stops.
 * - If no reply arrives although many servers that replied before are in flight, the cause is the network and not the servers. In this
 *   case, the clock runs at a tenth of its usual speed.
 */
import { SCAN_FIRST_OUTAGE_MS, SCAN_OUTAGE_MS } from "../Limits.ts"
import type { RouteTable } from "../engine/RouteTable.ts"
import type { Timing } from "../engine/Timing.ts"
import type { EngineCounters } from "../engine/traffic.ts"
import type { Target } from "./target.ts"

/**
 * A check usually runs at most this many ms after its scheduled time. If the delay is longer, the process was busy or stopped. The part of
 * the delay above this value does not count against the time limits of targets.
 */
const LATE_MS = 30
/**
 * If no server replies, and at least this many servers that have replied before are in flight, the scan assumes an outage of the network.
 */
const MISSED_IN_OUTAGE = 8
/**
 * The speed of the clock during an outage, as a share of its usual speed. At this speed, few requests are retransmitted, and hardly any
 * target times out.
 */
const OUTAGE_SHARE = 0.1
/**
 * After a failed transmission, this host counts as unable to send for this time, in ms. Every target in flight retransmits within this
 * time. Therefore, if the outage lasts longer, further transmissions fail.
 */
const REFUSED_MS = 500
/**
 * If this host has successfully sent a datagram in the last `LEFT_MS` ms, the host does not count as unable to send. In this case, failed
 * transmissions only show that some addresses are unreachable.
 */
const LEFT_MS = 50

type TargetsInFlight = Pick<RouteTable<Target>, "forEach">

/** A {@link Timing} whose clock stops or slows down during outages. All times are in ms. */
export class OutageClock implements Timing {
  readonly schedule: Timing["schedule"]
  private readonly timing: Timing
  private readonly roundTrip: { readonly rtoMs: number }
  private lostMs = 0
  private checkedAt = 0
  private checkAt = Number.POSITIVE_INFINITY
  /**
   * Number of expected datagrams received until the last check (`received`), and when this number last changed (`receivedAt`). A datagram
   * is expected if it belongs to a target in flight.
   */
  private received = 0
  private receivedAt = 0
  /** The value of `received` at the last check that found too few servers in flight to detect an outage. −1 before the first such check. */
  private fewAt = -1
  /** Time that the clock has lost since the last expected datagram, because outages stopped it or slowed it down. */
  private outageMs = 0
  /**
   * Whether this host could not send, and has received no expected datagram since then. In this state, datagrams may still get lost, even
   * if the system reports no failure.
   */
  private isOut = false
  /**
   * When a transmission last failed (`refusedAt`), and when a check last found a successful transmission (`leftAt`). Both are times on the
   * host's clock, because the `OutageClock` may be stopped.
   */
  private refusedAt = Number.NEGATIVE_INFINITY
  private leftAt = Number.NEGATIVE_INFINITY
  /**
   * Number of datagrams that were sent without a failure, through sockets that report failures: until now (`left`), and until the last
   * check (`leftBefore`).
   */
  private left = 0
  private leftBefore = 0

  constructor(timing: Timing, roundTrip: { readonly rtoMs: number }) {
    this.timing = timing
    this.schedule = timing.schedule
    this.roundTrip = roundTrip
  }

  /**
   * The time of this clock. If a check is late, the clock stops until the check has run. Otherwise the check would have to set the clock
   * back.
   */
  now(): number {
    return Math.min(this.timing.now() - this.lostMs, this.checkAt + LATE_MS)
  }

  /** Schedules a check at `checkAt`, but only if no check is scheduled yet. Returns the time of the scheduled check. */
  scheduleCheck(checkAt: number, now: number): number {
    if (this.checkAt === Number.POSITIVE_INFINITY) {
      this.checkedAt = now
      this.checkAt = checkAt
    }
    return this.checkAt
  }

  /** Called when a datagram was sent through a socket that reports failures. */
  onLeft(): void {
    this.left++
  }

  /** Called when the system reported that a datagram was not sent. */
  onRefused(): void {
    this.left--
    this.refusedAt = this.timing.now()
  }

  /**
   * Determines how much of the time since the last check was lost to an outage or a busy process. Subtracts the lost time from the clock,
   * and returns it in ms.
   */
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
   * Whether many servers that replied before are in flight. If there are too few of these servers, the method counts them again only after
   * the next expected datagram: until then, their number can only decrease.
   */
  private isMissed(requests: TargetsInFlight): boolean {
    if (this.fewAt === this.received) return false
    let missed = 0
    requests.forEach(({ exchange, isOverdue }) => {
      if (exchange.hasReplied && !isOverdue) missed++
    })
    if (missed < MISSED_IN_OUTAGE) this.fewAt = this.received
    return missed >= MISSED_IN_OUTAGE
  }

  /**
   * Returns whether at least one of the sockets that now fail to send has received a datagram before. If no request in flight has a failing
   * socket, the result is whether any expected datagram was received.
   */
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
