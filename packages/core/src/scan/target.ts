/** One target of a scan: its exchange, its turn, and its result. */
import { keyAddress } from "../address/ipv4.ts"
import type { InfoReply } from "@sourcewire/protocol"
import * as Result from "effect/Result"
import type { AddressInput } from "../client/ClientShape.ts"
import { faultError, type SocketFault } from "../engine/SocketFault.ts"
import type { Family } from "../engine/Datagrams.ts"
import { Turn } from "../engine/Dispatcher.ts"
import { InFlight } from "../engine/Engine.ts"
import type { Limited } from "./hostLimits.ts"
import { SCAN_PATIENCE_MS } from "../Limits.ts"
import { Step } from "../engine/Exchange.ts"
import * as Query from "../query/Query.ts"
import type { QueryExchange } from "../query/QueryExchange.ts"
import { type ServerReply, ServerExchange } from "../query/ServerExchange.ts"
import type { Answered, ScanQuery, ScanResult } from "./ScanResult.ts"

/** The scan of a target. */
export interface TargetOwner {
  /** The time limit for a query, in ms. */
  readonly maxMs: number
  /** Whether a datagram is sent again after silence. If so, the scan need not know whether the first one left this machine. */
  readonly repeats: boolean
  readonly sockets: { acquire(target: Target): void }
  onTargetDone(target: Target): void
  /** All transmissions of the target had their time, and no reply came. The scan only waits for a reply from now on. */
  onOverdue(target: Target): void
}

type TargetExchange = QueryExchange<ServerReply> | ServerExchange

/** A target, from when it is read until its result is there. Then the same object is used for another target. */
export class Target extends InFlight<TargetExchange> implements Limited {
  readonly owner: TargetOwner
  readonly turn: Turn<Limited> = new Turn<Limited>(this)
  address = ""
  family: Family = 4
  /** All its transmissions had their time. It no longer uses up room, but a reply until the end of its time is its result. */
  isOverdue = false
  /** The target as the caller wrote it; absent if it is made again from the key. */
  private given: AddressInput | undefined = undefined
  /** Whether that text has a port. */
  private hasPort = false
  /** The system reports that there is no route to the address. */
  private fault: SocketFault | undefined = undefined

  constructor(owner: TargetOwner, exchange: TargetExchange, port: number, key: number | string) {
    super(exchange, port, key, owner.maxMs)
    this.owner = owner
  }

  /**
   * Prepares for a target, with an exchange that is as new. Objects that are used again need no garbage collection. With `isRemade`, the text,
   * such as `1.2.3.4:27015`, is not stored but made again: otherwise V8 enlarges the space for young objects (200 MB instead of 149 for
   * a million targets). The text of a list is stored, because the list contains it anyway, and a new text would have to be hashed again
   * by a caller that looks results up by it.
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
    // An exchange that sends nothing after silence waits for the end of its time. A short time makes no difference to others.
    if (step === Step.Wait && !this.isOverdue && this.owner.maxMs > SCAN_PATIENCE_MS) {
      this.isOverdue = true
      this.owner.onOverdue(this)
    }
    return step
  }

  /** The system reports that there is no route. The server may reply all the same. */
  onUnreachable(fault: SocketFault): void {
    this.fault = fault
  }

  onTurn(): void {
    this.owner.sockets.acquire(this)
  }

  /** The scan is over, so the target needs no result. */
  onClosed(): void {}

  onDone(): void {
    this.owner.onTargetDone(this)
  }

  /** The result. Called when the target is done. */
  outcome(): ScanResult<ScanQuery> {
    const { address, exchange, fault, port } = this
    const target = this.given ?? (this.hasPort ? `${address}:${port}` : address)
    const { legacy, received, rtt, sent } = exchange
    const result = exchange.result!
    if (Result.isFailure(result)) {
      // If there is no route, that explains the silence.
      const error = fault !== undefined && received === 0 ? faultError(fault) : result.failure
      return { _tag: "Failed", target, address, port, error, sent, received }
    }
    const { rttAmbiguous, rttMs } = rtt!
    const isUsual = rttAmbiguous === undefined && legacy === undefined
    const info = result.success as InfoReply
    // Nearly all results are one of these two. Without a spread, they take a third of the time.
    if (exchange instanceof ServerExchange) {
      const { errors, players, playersAssumed, rules } = exchange
      if (isUsual && errors === undefined && playersAssumed === undefined) {
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
    } else if (isUsual && exchange.query === Query.info) {
      return { _tag: "Answered", target, address, port, rttMs, sent, received, info } satisfies Answered<"info">
    }
    const replies =
      exchange instanceof ServerExchange
        ? exchange.replies
        : { [exchange.query.name]: info, ...(legacy === undefined ? {} : { legacy }) }
    return { _tag: "Answered", target, address, port, ...rtt!, sent, received, ...replies } as Answered<"all">
  }
}
