/**
 * Targets in flight: who waits for datagrams from where, and until when. What `Engine` is to a client, for a scan: each address is
 * asked by one target only, so there are no queues, and a deadline may be a few milliseconds late, so there is one look at all of them
 * now and then in place of an ordered heap. That is a third less work per target, and much less for a compiler to get warm with.
 *
 * @module
 */
import type { DatagramHandle, DatagramHandler, SocketFault } from "../engine/Datagrams.ts"
import { Step } from "../engine/Exchange.ts"
import type { TokenBucket } from "../engine/TokenBucket.ts"
import type { QueryError } from "../engine/QueryError.ts"
import type { Timing } from "../engine/Timing.ts"
import { emptyList } from "../engine/emptyList.ts"
import { JITTER } from "../Limits.ts"
import * as failures from "../engine/networkFailures.ts"
import { routeKey } from "../address/ip.ts"
import { OutageClock } from "../engine/outageClock.ts"
import type { ScanPatience } from "./timeouts.ts"
import { RouteTable } from "../engine/routeTable.ts"
import type { Target } from "./target.ts"

/** How often deadlines are looked at, in ms. */
const LOOK_MS = 10
/** With more in flight it is done less often, to keep it below some percent of the time. */
const LOOKED_AT_PER_MS = 2000
/** Every so many datagrams it is seen to that deadlines were looked at: a flood lets no timer run on some runtimes. A power of two. */
const DATAGRAMS_PER_TURN = 256

/** How long after this machine did not send a datagram it is tried again, in ms: seldom enough for thousands at a time. */
const RESEND_MS = 250
/** A transmission that is refused so soon after it was tried again, in ms, is the same one. */
const SAME_MS = 50

/** A socket of a scan: a handler to open it with, then `handle` is set. */
export class FlightSocket implements DatagramHandler {
  handle: DatagramHandle | undefined = undefined
  /** Targets under way through it. */
  inFlight = 0
  /** Whether anything has come through it: if not, there may be no network for its family. */
  hasHeard = false
  private readonly flights: Flights

  constructor(flights: Flights) {
    this.flights = flights
  }

  onDatagram(bytes: Uint8Array, address: string, port: number): void {
    this.hasHeard = true
    this.flights.count()
    this.flights.receive(this, bytes, address, port)
  }

  onFault(fault: SocketFault): void {
    this.flights.fault(this, fault)
  }
}

/** Who hears of the ends. */
export interface FlightsOwner {
  onLanded(target: Target): void
}

/** See the module. */
export class Flights {
  /** Datagrams. */
  sent = 0
  received = 0
  /** Datagrams that no target waited for. Dropped. */
  unsolicited = 0
  /** Datagrams that this machine did not send; each is tried again. */
  refused = 0
  private readonly timing: Timing
  private readonly patience: ScanPatience
  private readonly bucket: TokenBucket | undefined
  private readonly owner: FlightsOwner
  private readonly targets = new RouteTable<Target>()
  private readonly due = emptyList<Target>()
  /** Those whose last datagram this machine did not send. */
  private held = emptyList<Target>()
  /** Whether a first transmission is the last as well, so that nobody else would notice that it did not leave. */
  private readonly asksOnce: boolean
  private cancelLook: (() => void) | undefined = undefined
  private readonly clock: OutageClock
  /** Known living servers that waited at the last look. */
  private expected = 0

  constructor(timing: Timing, patience: ScanPatience, bucket: TokenBucket | undefined, owner: FlightsOwner) {
    this.timing = timing
    this.patience = patience
    this.bucket = bucket
    this.owner = owner
    this.asksOnce = patience.retries === 0
    this.clock = new OutageClock(timing, patience.roundTrip)
  }

  /** Targets in flight. */
  get size(): number {
    return this.targets.size
  }

  /** Begins a target. None may be under way to the same address and port. */
  start(target: Target, socket: FlightSocket): void {
    target.socket = socket
    socket.inFlight++
    this.targets.add(target.key, target)
    const now = this.clock.now()
    this.apply(target, target.start(now))
    if (this.cancelLook === undefined) this.lookLater(now)
  }

  /** Ends a target that cannot be begun. */
  fail(target: Target, error: QueryError): void {
    target.fail(error)
    this.land(target)
  }

  /** Forgets all targets and stops the clock. */
  clear(): void {
    this.targets.clear()
    this.held.length = 0
    this.cancelLook?.()
    this.cancelLook = undefined
  }

  /** A datagram came, of whomever. */
  count(): void {
    if ((++this.received & (DATAGRAMS_PER_TURN - 1)) === 0) this.lookIfDue()
  }

  /** Gives it to the target that waits for it. Short: V8 then takes it into its caller at once and need not optimise it twice (docs/adr/0005-scanner.md). */
  receive(socket: FlightSocket, bytes: Uint8Array, address: string, port: number): void {
    const target = this.targets.get(routeKey(address, port))
    if (target === undefined || target.socket !== socket) {
      this.unsolicited++
      return
    }
    this.apply(target, target.receive(bytes, this.clock.now()))
  }

  /** A socket complains. */
  fault(socket: FlightSocket, fault: SocketFault): void {
    const { peer } = fault
    const target = peer === undefined ? undefined : this.targets.get(routeKey(peer.address, peer.port))
    if (target?.socket !== socket) return
    target.fault = fault
    if (fault.kind === "local") this.hold(target)
    // No way there: its repetitions go on, since ways are found again, and some runtimes name the wrong peer.
    else if (fault.kind !== "unreachable") this.fail(target, failures.ofSocket(fault))
  }

  /** This machine did not send what the target sent last. */
  private hold(target: Target): void {
    this.sent--
    this.refused++
    this.bucket?.credit()
    this.clock.onRefused()
    if (target.resendAt === Number.POSITIVE_INFINITY) {
      this.held.push(target)
      const now = this.clock.now()
      if (now - target.heldAt > SAME_MS) target.heldMs = 0
      target.heldAt = now
    }
    target.resendAt = this.timing.now() + RESEND_MS * (1 - JITTER + 2 * JITTER * this.patience.random())
    target.deadline = Number.POSITIVE_INFINITY
  }

  private apply(target: Target, step: Step): void {
    if (step === Step.Send) {
      this.sent++
      this.bucket?.debit(this.timing.now())
      const handle = target.socket!.handle!
      // What cannot be sent at all is noticed when silence has it sent again.
      if (target.exchange.repeated || handle.sendQuietly === undefined || this.asksOnce) {
        this.clock.onLeft()
        handle.send(target.exchange.packet, target.address, target.port)
      } else handle.sendQuietly(target.exchange.packet, target.address, target.port)
    } else if (step === Step.Done) this.land(target)
  }

  private land(target: Target): void {
    this.targets.delete(target.key)
    if (target.socket !== undefined) target.socket.inFlight--
    this.owner.onLanded(target)
  }

  private lookLater(now: number): void {
    const waitMs = Math.max(LOOK_MS, this.targets.size / LOOKED_AT_PER_MS)
    this.clock.lookNext(now, now + waitMs)
    this.cancelLook = this.timing.schedule(waitMs, () => this.look())
  }

  private lookIfDue(): void {
    if (this.cancelLook === undefined || !this.clock.isDue()) return
    this.cancelLook()
    this.look()
  }

  private look(): void {
    this.cancelLook = undefined
    const { expected, held } = this
    const heard = this.received - this.unsolicited
    const hasWorked = (): boolean => (held.length === 0 ? heard > 0 : held.some(({ socket }) => socket!.hasHeard))
    this.clock.look({ heard, expected, hasWorked })
    const now = this.clock.now()
    this.expected = 0
    this.patience.adapt()
    this.targets.forEach((target) => {
      if (target.isKnownToLive) this.expected++
      if (target.deadline <= now) this.due.push(target)
    })
    for (const target of this.due) this.apply(target, target.expire(now))
    this.due.length = 0
    if (this.held.length > 0) this.resendHeld(now)
    if (this.targets.size > 0 && this.cancelLook === undefined) this.lookLater(now)
  }

  private resendHeld(now: number): void {
    const { held } = this
    const at = this.timing.now()
    this.held = emptyList()
    for (const target of held) {
      if (at < target.resendAt) {
        this.held.push(target)
        continue
      }
      target.resendAt = Number.POSITIVE_INFINITY
      // An answer to an earlier transmission has come, and it has landed or got further.
      if (target.deadline !== Number.POSITIVE_INFINITY || this.targets.get(target.key) !== target) continue
      const lateMs = now - target.heldAt
      target.heldMs += lateMs
      if (target.heldMs >= this.patience.maxMs) this.fail(target, failures.ofSocket(target.fault!))
      else {
        target.heldAt = now
        target.fault = undefined
        this.apply(target, target.resend(now, lateMs))
      }
    }
  }
}
