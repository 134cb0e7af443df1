/** A query that starts while replies to the previous query are outstanding. */
import { describe, expect, it } from "vitest"
import { Step } from "../../src/engine/Exchange.ts"
import * as Query from "../../src/query/Query.ts"
import type { ExchangeSettings } from "../../src/engine/Exchange.ts"
import { QueryExchange } from "../../src/query/QueryExchange.ts"
import { RoundTrip } from "../../src/engine/Retry.ts"
import { parseHex } from "../drive.ts"
import * as messages from "../messages.ts"

const settings: ExchangeSettings = { timeoutMs: 3000, retries: 2, encoding: "auto", random: () => 0.5 }
describe("a second exchange on the same socket", () => {
  const startAfterAnother = (roundTrip: RoundTrip) => {
    const exchange = new QueryExchange(Query.players, settings, roundTrip)
    exchange.expectLateReplies(1)
    exchange.start(0)
    expect(exchange.outstanding).toBe(2)
    return exchange
  }

  it("ignores one reply that arrives within half the round-trip time, because this reply belongs to the previous exchange", () => {
    const makeRoundTrip = () => {
      const roundTrip = new RoundTrip()
      roundTrip.sample(100)
      return roundTrip
    }
    for (const early of [messages.PLAYERS, messages.challengeHex("01020304")]) {
      const exchange = startAfterAnother(makeRoundTrip())
      expect(exchange.receive(parseHex(early), 49)).toBe(Step.Wait)
      expect(exchange.outstanding).toBe(1)
      expect(exchange.receive(parseHex(messages.PLAYERS), 49)).toBe(Step.Done)
    }
    expect(startAfterAnother(makeRoundTrip()).receive(parseHex(messages.PLAYERS), 50)).toBe(Step.Done)
  })

  it("accepts any reply if the round-trip time is unknown", () => {
    expect(startAfterAnother(new RoundTrip()).receive(parseHex(messages.PLAYERS), 1)).toBe(Step.Done)
  })
})
