/**
 * What a query makes of silence, once its deadline has passed.
 *
 * - An answer in the old dialect that is held is the answer.
 * - Where silence is known to mean something, it is the answer.
 * - Otherwise it is asked again: with the challenge once more, then without; or in another way, see `Query.alternate`.
 */
import * as Result from "effect/Result"
import { Step } from "../engine/Exchange.ts"
import type { QueryError } from "../engine/QueryError.ts"
import { Asked } from "../engine/unanswered.ts"
import { WRONG_KIND_MS } from "../Limits.ts"
import * as failures from "./failures.ts"
import type { Alternate } from "./Query.ts"
import type { QueryExchange } from "./QueryExchange.ts"

/** Silences before an alternate goes out besides the request. */
const SILENCES_BEFORE = 2

/** It was quiet. */
export const afterSilence = <A>(exchange: QueryExchange<A>, now: number): Step => {
  const { challenges, damage, fragments, held, other, query, sent } = exchange
  if (held !== undefined) {
    exchange.legacy = undefined
    return exchange.finish(Result.succeed(held))
  }
  const isOther = other?.after === sent
  if (query.silence !== undefined && fragments === undefined && damage === undefined && !isOther) {
    exchange.assumed = true
    return exchange.finish(Result.succeed(query.silence))
  }
  const alternate = challenges.isGiven ? undefined : query.alternate
  const isBefore = alternate?.instead === false && exchange.silences >= SILENCES_BEFORE
  if (isBefore && exchange.packet !== alternate.packet && !exchange.isOver(now)) {
    return askAlternate(exchange, alternate, now, WRONG_KIND_MS)
  }
  const verdict = exchange.afterSilence(now)
  // Where every transmission was met with the wrong kind of answer, waiting longer brings no other.
  if (verdict === "over" || (verdict === "wait" && isOther)) return exchange.fail(whyNothing(exchange))
  if (verdict === "wait") return Step.Wait
  exchange.repeated = true
  if (alternate?.instead === true && exchange.silences % 2 === 1) return askAlternate(exchange, alternate, now)
  challenges.afterSilence()
  exchange.turnToRequest()
  return exchange.ask(now)
}

const askAlternate = <A>(exchange: QueryExchange<A>, alternate: Alternate, now: number, waitMs?: number): Step => {
  exchange.packet = alternate.packet
  exchange.asked = alternate.answers === undefined ? Asked.Opening : Asked.Alternate
  return exchange.ask(now, waitMs)
}

const whyNothing = <A>(exchange: QueryExchange<A>): QueryError => {
  const { challenges, damage, fragments, other, query, received, sent, settings } = exchange
  if (damage !== undefined) return damage
  if (other?.after === sent) return failures.unexpectedReply(query.valve, other.type)
  const phase = fragments !== undefined ? "split" : challenges.isGiven ? "challenge" : "request"
  return failures.timeout(query.valve, phase, settings.timeoutMs, sent, received)
}
