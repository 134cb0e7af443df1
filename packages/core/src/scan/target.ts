/** One target of a scan, with its exchange, its state in the dispatcher, and its result. */
import { keyAddress } from "../address/ipv4.ts"
import type { InfoReply } from "@sourcewire/protocol"
import * as Result from "effect/Result"
import type { AddressInput } from "../client/ClientShape.ts"
import { faultError, type SocketFault } from "../engine/SocketFault.ts"
import type { Family } from "../engine/Datagrams.ts"
import { QueueEntry } from "../engine/Dispatcher.ts"
import { InFlight } from "../engine/Engine.ts"
import type { Limited } from "./hostLimits.ts"
import { SCAN_PATIENCE_MS } from "../Limits.ts"
import { Step } from "../engine/Exchange.ts"
import * as Query from "../query/Query.ts"
import type { QueryExchange } from "../query/QueryExchange.ts"
import { type ServerReply, ServerExchange } from "../query/ServerExchange.ts"
import type { Answered, ScanQuery, ScanResult } from "./ScanResult.ts"

/** The part of a scan that its targets use. */
export interface TargetOwner {
  /** Maximum time limit of a target, in ms. */
  readonly maxMs: number
  /** Whether requests are retransmitted. If `true`, the system need not report that the first datagram of a request could not be sent. */
  readonly repeats: boolean
  readonly sockets: { acquire(target: Target): void }
  onTargetDone(target: Target): void
  /**
   * Called when no transmission of the target got a reply in time. From then on, the scan sends no further datagrams to the target, but
   * accepts a late reply.
   */
  onOverdue(target: Target): void
}

type TargetExchange = QueryExchange<ServerReply> | ServerExchange

/** A target that was read. When the target has a result, the scan reuses the object for another target. */
export class Target extends InFlight<TargetExchange> implements Limited {
  readonly owner: TargetOwner
  readonly entry: QueueEntry<Limited> = new QueueEntry<Limited>(this)
  address = ""
  family: Family = 4
  /**
   * Whether no transmission of the target got a reply in time. An overdue target does not count against the limits for targets in flight,
   * but the scan still accepts a reply before the time limit.
   */
  isOverdue = false
  /** The target as the caller passed it. Absent if the text is formatted from the key. */
  private given: AddressInput | undefined = undefined
  /** Whether the text that is formatted from the key contains the port. */
  private hasPort = false
  /** The fault that the system reported if there is no route to the address. */
  private fault: SocketFault | undefined = undefined

  constructor(owner: TargetOwner, exchange: TargetExchange, port: number, key: number | string) {
    super(exchange, port, key, owner.maxMs)
    this.owner = owner
  }

  /**
   * Prepares the object for a target. The exchange must have been reset. Reusing objects avoids garbage collection.
   *
   * If `isRemade` is true, the text of the target, such as `1.2.3.4:27015`, is not stored. When the text is needed, it is formatted from
   * the key. If the texts were stored, V8 would enlarge the space for young objects, and a scan of a million targets would need 200 MB
   * instead of 149 MB.
   *
   * If the targets are an array, `isRemade` is `false`, because the texts of the array are in memory anyway. There is a second reason: if a
   * caller uses the text as the key of a map, the runtime must first compute the hash of each newly formatted text.
   */
  begin(given: AddressInput, port: number, key: number | string, isRemade: boolean): void {
    this.reset(port, key)
    this.address = keyAddress(key)
    this.family = typeof key === "number" ? 4 : 6
    this.fault = undefined
    this.isOverdue = false
    this.given = isRemade ? undefined : given
    this.hasPort = isRemade && (given as string).includes(":")
  }

  override expire(now: number): Step {
    const step = super.expire(now)
    // After the last retransmission, an exchange only waits for its time limit. If this time limit is long, the target becomes overdue, so
    // that another target can start during the wait.
    if (step === Step.Wait && !this.isOverdue && this.owner.maxMs > SCAN_PATIENCE_MS) {
      this.isOverdue = true
      this.owner.onOverdue(this)
    }
    return step
  }

  /** Called when the system reports that there is no route to the target. The server may reply anyway. */
  onUnreachable(fault: SocketFault): void {
    this.fault = fault
  }

  onAdmitted(): void {
    this.owner.sockets.acquire(this)
  }

  /** Does nothing: the scan has ended, so the target needs no result. */
  onClosed(): void {}

  onDone(): void {
    this.owner.onTargetDone(this)
  }

  /** Returns the result of the target. Called when the target is done. */
  outcome(): ScanResult<ScanQuery> {
    const { address, exchange, fault, port } = this
    const target = this.given ?? (this.hasPort ? `${address}:${port}` : address)
    const { legacy, received, rtt, sent } = exchange
    const result = exchange.result!
    if (Result.isFailure(result)) {
      // The missing route explains why no datagram arrived, so the result contains this error instead of a timeout.
      const error = fault !== undefined && received === 0 ? faultError(fault) : result.failure
      return { _tag: "Failed", target, address, port, error, sent, received }
    }
    const { rttAmbiguous, rttMs } = rtt!
    const hasNoExtras = rttAmbiguous === undefined && legacy === undefined
    const info = result.success as InfoReply
    // Nearly all results have one of the two forms below. Creating a result with an object literal takes a third of the time that a spread
    // would take.
    if (exchange instanceof ServerExchange) {
      const { errors, players, playersAssumed, rules } = exchange
      if (hasNoExtras && errors === undefined && playersAssumed === undefined) {
        return {
          _tag: "Answered",
          target,
          address,
          port,
          rttMs,
          sent,
          received,
          info,
          players,
          rules
        } as Answered<"all">
      }
    } else if (hasNoExtras && exchange.query === Query.info) {
      return { _tag: "Answered", target, address, port, rttMs, sent, received, info } satisfies Answered<"info">
    }
    const replies =
      exchange instanceof ServerExchange
        ? exchange.replies
        : { [exchange.query.name]: info, ...(legacy === undefined ? {} : { legacy }) }
    return { _tag: "Answered", target, address, port, ...rtt!, sent, received, ...replies } as Answered<"all">
  }
}
