/**
 * What comes to a query and is not the answer.
 *
 * - A refusal ends it.
 * - Another kind of reply is never the answer. It only makes the next transmission come sooner, since filters in front of game servers
 *   answer the first PLAYER with an INFO, and late replies of the query before arrive here too.
 * - What comes after the answer may tell the round trip.
 */
import { MessageType } from "@sourcewire/protocol/machines"
import * as Result from "effect/Result"
import { Step } from "../engine/Exchange.ts"
import * as failures from "./failures.ts"
import type { QueryExchange } from "./QueryExchange.ts"

/** A message of another kind came. */
export const receiveOther = <A>(exchange: QueryExchange<A>, type: number, datagram: Uint8Array, now: number): Step => {
  if (type === MessageType.A2C_PRINT || type === MessageType.S2C_CONNREJECT) {
    return exchange.fail(failures.refused(datagram, exchange.settings.encoding))
  }
  exchange.other = { type, after: exchange.sent }
  return waitLess(exchange, now)
}

/** What came is not the answer, but the server lives. */
export const waitLess = <A>(exchange: QueryExchange<A>, now: number): Step => {
  exchange.hasten(now)
  return Step.Wait
}

/** A datagram came to a query that is done. */
export const receiveLate = <A>(exchange: QueryExchange<A>, type: number, now: number): Step => {
  if (Result.isSuccess(exchange.result!)) {
    if (exchange.query.answers.includes(type)) exchange.measureLate(now, exchange.answeredBy(type))
    else if (type === MessageType.S2C_CHALLENGE) exchange.listed.repeated(now)
  }
  return Step.Done
}
