/**
 * The engine of a scan: no address is asked twice, datagrams are counted against the rate, time stands still in outages, and where the
 * way to a target is closed it is asked all the same.
 */
import type { SocketFault } from "../engine/Datagrams.ts"
import { Engine } from "../engine/Engine.ts"
import type { Timing } from "../engine/Timing.ts"
import type { OutageClock } from "./outageClock.ts"
import { RouteTable } from "./routeTable.ts"
import type { Target } from "./target.ts"
import type { TokenBucket } from "./TokenBucket.ts"

/** Runs targets. */
export class ScanEngine extends Engine<Target> {
  private readonly machine: Timing
  private readonly outages: OutageClock
  private readonly bucket: TokenBucket | undefined

  /** The `bucket` is charged for every datagram that leaves. It holds nothing up: whoever submits targets asks when the next may begin. */
  constructor(timing: Timing, outages: OutageClock, bucket?: TokenBucket) {
    super({ timing: outages }, new RouteTable())
    this.machine = timing
    this.outages = outages
    this.bucket = bucket
  }

  /** Forgets all targets, without a word to them, and leaves no timer. */
  clear(): void {
    this.requests.clear()
    this.inFlight = 0
    this.stopTimer()
  }

  protected override onFault(target: Target, fault: SocketFault): void {
    // Ways are found again, and some runtimes name the wrong peer.
    if (fault.kind === "unreachable") {
      target.fault = fault
      return
    }
    if (fault.kind === "local") {
      this.bucket?.credit()
      this.outages.onRefused()
    }
    super.onFault(target, fault)
  }

  /** Nothing is remembered of the target. The timer goes on: time that outages take is counted from one look to the next. */
  protected override onEnd(): void {}

  protected override send(target: Target): void {
    const { address, exchange, owner, port, socket } = target
    const { handle } = socket!
    this.counters.sent++
    this.bucket?.debit(this.machine.now())
    // Where silence has it sent again, nobody need be told that it did not leave.
    const isQuiet = owner.repeats && !exchange.repeated
    if (isQuiet && handle?.sendQuietly !== undefined) handle.sendQuietly(exchange.packet, address, port)
    else {
      this.outages.onLeft()
      handle?.send(exchange.packet, address, port)
    }
  }

  protected override wakeTime(_dueAt: number, now: number): number {
    return this.outages.lookNext(super.wakeTime(now, now, 0), now)
  }

  protected override look(): void {
    const stoodStillMs = this.outages.look(this.counters, this.requests)
    if (stoodStillMs > 0) {
      this.requests.forEach((target) => {
        if (target.lost?.isHeld !== true) return
        target.lost.hasten(stoodStillMs)
        target.dueAt = target.lost.deadline
      })
    }
    super.look()
  }
}
