/**
 * The decisions that the engine delegates to a scan:
 *
 * - Datagrams count against the rate limit.
 * - The clock stops during outages.
 * - A target stays in flight even if the system finds no route to the target's address.
 */
import { Engine, type EngineOwner } from "../engine/Engine.ts"
import type { SocketFault } from "../engine/SocketFault.ts"
import type { Timing } from "../engine/Timing.ts"
import type { EngineCounters } from "../engine/traffic.ts"
import type { OutageClock } from "./outageClock.ts"
import type { RouteTable } from "../engine/RouteTable.ts"
import type { Target } from "./target.ts"
import type { TokenBucket } from "./TokenBucket.ts"

export class ScanOwner implements EngineOwner<Target> {
  private readonly hostTiming: Timing
  private readonly outages: OutageClock
  private readonly bucket: TokenBucket | undefined

  /**
   * Every datagram that is sent removes a token from `bucket`, which uses the host's clock. The owner does not delay datagrams: the scan
   * checks `bucket` before it starts a target.
   */
  constructor(hostTiming: Timing, outages: OutageClock, bucket: TokenBucket | undefined) {
    this.hostTiming = hostTiming
    this.outages = outages
    this.bucket = bucket
  }

  beforeSend({ exchange, owner }: Target, canBeQuiet: boolean): boolean {
    this.bucket?.debit(this.hostTiming.now())
    // If the request will be retransmitted anyway, the scan does not need a report that this datagram could not be sent.
    const isQuiet = canBeQuiet && owner.repeats && !exchange.repeated
    if (!isQuiet) this.outages.onLeft()
    return isQuiet
  }

  onFault(target: Target, fault: SocketFault): boolean {
    // The target stays in flight, because the route can become available again, and because some runtimes report this fault for the wrong
    // target.
    if (fault.kind === "unreachable") {
      target.onUnreachable(fault)
      return true
    }
    if (fault.kind === "local") {
      this.bucket?.credit()
      this.outages.onRefused()
    }
    return false
  }

  wakeAt(at: number, now: number): number {
    return this.outages.scheduleCheck(at, now)
  }

  beforeCheck(counters: EngineCounters, requests: RouteTable<Target>): number {
    return this.outages.check(counters, requests)
  }
}

export const scanEngine = (timing: Timing, outages: OutageClock, bucket?: TokenBucket): Engine<Target> =>
  new Engine({ timing: outages, owner: new ScanOwner(timing, outages, bucket) })
