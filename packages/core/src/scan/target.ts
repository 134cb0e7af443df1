/** One target of a scan: what it is asked, where it stands among those in flight, and what came of it. */
import { addressOf } from "../address/ipv4.ts"
import type { InfoReply } from "@sourcewire/protocol"
import * as Result from "effect/Result"
import type { AddressInput } from "../client/ClientShape.ts"
import { failureOf, type SocketFault } from "../engine/SocketFault.ts"
import { InFlight } from "../engine/Engine.ts"
import { SCAN_PATIENCE_MS } from "../Limits.ts"
import { Step } from "../engine/Exchange.ts"
import * as Query from "../query/Query.ts"
import type { QueryExchange } from "../query/QueryExchange.ts"
import { type ServerReply, ServerExchange } from "../query/ServerExchange.ts"
import type { Answered, ScanQuery, ScanResult } from "./ScanResult.ts"

/** What a target is part of. */
export interface TargetOwner {
  /** What the user allows for a query, in ms. */
  readonly maxMs: number
  /** Whether silence has a datagram sent again, so that nobody need be told that the first did not leave. */
  readonly repeats: boolean
  onTargetDone(target: Target): void
  /** All transmissions had their time, and no reply came. The target is only waited for from now on. */
  onOverdue(target: Target): void
  onRoom(target: Target): void
}

type TargetExchange = QueryExchange<ServerReply> | ServerExchange

/** A target, from when it is read until its result is there. */
export class Target extends InFlight<TargetExchange> {
  /** As it was given; absent where it is made again from the key. */
  private given: AddressInput | undefined = undefined
  address = ""
  /** Whether that text has a port. */
  private hasPort = false
  /** Where it is counted in the limits per host and per network. */
  hostPlace = 0
  networkPlace = 0
  /** What the system has said of the way there, which is closed. */
  private fault: SocketFault | undefined = undefined
  readonly owner: TargetOwner
  /** All its transmissions had their time. It no longer counts as load, but a reply until the end of its time is its result. */
  isOverdue = false

  constructor(owner: TargetOwner, exchange: TargetExchange, port: number, key: number | string) {
    super(exchange, port, key, owner.maxMs)
    this.owner = owner
  }

  /**
   * To ask this server, with an exchange that is as new: objects that are used again do not survive collections. `isRemade` text, as in
   * `1.2.3.4:27015`, is not kept: what is, and by nobody else, has V8 enlarge the space for young objects (149 MB in place of 200 for a
   * million). The text of a list is: a new one would be hashed anew by whoever looks a result up by it.
   */
  begin(given: AddressInput, port: number, key: number | string, isRemade: boolean): void {
    this.port = port
    this.key = key
    this.address = addressOf(key)
    this.socket = this.lost = this.fault = undefined
    this.isDone = this.isOverdue = false
    this.startedAt = 0
    this.dueAt = Number.POSITIVE_INFINITY
    this.given = isRemade ? undefined : given
    this.hasPort = isRemade && (given as string).includes(":")
  }

  override expire(now: number): Step {
    const step = super.expire(now)
    // An exchange that sends nothing after silence waits for the end of its time. A short time is not worth it.
    if (step === Step.Wait && !this.isOverdue && this.owner.maxMs > SCAN_PATIENCE_MS) {
      this.isOverdue = true
      this.owner.onOverdue(this)
    }
    return step
  }

  /** The system says that the way there is closed. Its server may reply all the same. */
  closeWay(fault: SocketFault): void {
    this.fault = fault
  }

  onDone(): void {
    this.owner.onTargetDone(this)
  }

  /** What came of it. Call it when done. */
  outcome(): ScanResult<ScanQuery> {
    const { address, exchange, fault, port } = this
    const target = this.given ?? (this.hasPort ? `${address}:${port}` : address)
    const { legacy, received, rtt, sent } = exchange
    const result = exchange.result!
    if (Result.isFailure(result)) {
      // Of a way that is said to be closed silence is no surprise.
      const error = fault !== undefined && received === 0 ? failureOf(fault) : result.failure
      return { _tag: "Failed", target, address, port, error, sent, received }
    }
    const { rttAmbiguous, rttMs } = rtt!
    const isUsual = rttAmbiguous === undefined && legacy === undefined
    const info = result.success as InfoReply
    // Nearly all are one of these two, and without a spread they take a third of the time.
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
