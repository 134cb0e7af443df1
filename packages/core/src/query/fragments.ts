/** Split replies to a query: joined in memory that serves many queries. */
import { Reassembler } from "@sourcewire/protocol/machines"
import * as Result from "effect/Result"
import { Step } from "../engine/Exchange.ts"
import type { QueryExchange } from "./QueryExchange.ts"

/**
 * Reassemblers to be used again. The fragments of a reply come close together, so few are needed at a time, however many queries are under
 * way; each has memory for a usual reply.
 */
const idle: Array<Reassembler> = []
const MAX_IDLE = 32

/** Those of one query. */
export class Fragments {
  /** When the first came, since the query was last asked. */
  firstAt = Number.NEGATIVE_INFINITY
  readonly reassembler = idle.pop() ?? new Reassembler({ reuseMemory: true })

  /** The query has ended. */
  end(): void {
    if (idle.length === MAX_IDLE) return
    this.reassembler.reset()
    idle.push(this.reassembler)
  }
}

/** A fragment came. */
export const receiveFragment = <A>(exchange: QueryExchange<A>, datagram: Uint8Array, now: number): Step => {
  const fragments = (exchange.fragments ??= new Fragments())
  if (fragments.firstAt < exchange.sentAt) fragments.firstAt = now
  const joined = fragments.reassembler.add(datagram)
  if (Result.isFailure(joined)) return exchange.receiveDamaged(joined.failure, now)
  if (joined.success === undefined) {
    exchange.waitUntil(now + exchange.roundTrip.restMs)
    return Step.Wait
  }
  const step = exchange.receive(joined.success.bytes, now, fragments.firstAt)
  if (step === Step.Done) {
    fragments.end()
    exchange.fragments = undefined
  }
  return step
}
