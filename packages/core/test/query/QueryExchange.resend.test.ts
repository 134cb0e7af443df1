/** A datagram that had not left this machine, and goes out late: that is neither silence nor of the query's time. */
import { describe, expect, it } from "vitest"
import { Step } from "../../src/engine/Exchange.ts"
import { INITIAL_RTO_MS } from "../../src/Limits.ts"
import * as Query from "../../src/query/Query.ts"
import type { ExchangeSettings } from "../../src/engine/Exchange.ts"
import { QueryExchange } from "../../src/query/QueryExchange.ts"
import { RoundTrip } from "../../src/engine/RoundTrip.ts"
import { bytesOf } from "../drive.ts"
import * as messages from "../messages.ts"

const settings: ExchangeSettings = { timeoutMs: 3000, retries: 2, encoding: "auto", random: () => 0.5 }
const begun = () => {
  const exchange = new QueryExchange(Query.info, settings)
  exchange.start(0)
  return exchange
}

describe("resend", () => {
  it("waits anew, from when it went out", () => {
    const exchange = begun()
    const { packet } = exchange
    expect(exchange.resend(200, 200)).toBe(Step.Send)
    expect(exchange.packet).toBe(packet)
    expect(exchange.deadline).toBe(200 + INITIAL_RTO_MS)
    expect([exchange.sent, exchange.outstanding, exchange.repeated]).toEqual([1, 1, false])
  })

  it("measures the round trip from there", () => {
    const exchange = begun()
    exchange.resend(200, 200)
    expect(exchange.receive(bytesOf(messages.INFO), 230)).toBe(Step.Done)
    expect(exchange.rtt).toEqual({ rttMs: 30 })
  })

  it("puts off the end by as much, and no further", () => {
    const exchange = begun()
    exchange.resend(5000, 5000)
    let last = 0
    while (exchange.result === undefined) {
      last = exchange.deadline
      exchange.expire(last)
    }
    expect(last).toBe(8000)
  })

  it("does not wait beyond the end", () => {
    const exchange = begun()
    exchange.resend(2990, 0)
    expect(exchange.deadline).toBe(3000)
  })

  it("is not for an exchange that is done, or has an answer in hand", () => {
    const done = begun()
    done.receive(bytesOf(messages.INFO), 10)
    expect(done.resend(20, 10)).toBe(Step.Wait)
    expect(done.deadline).toBe(Number.POSITIVE_INFINITY)

    const holding = begun()
    holding.receive(bytesOf(messages.LEGACY), 10)
    const { deadline, result } = holding
    expect(result).toBeUndefined()
    expect(holding.resend(20, 10)).toBe(Step.Wait)
    expect(holding.deadline).toBe(deadline)
  })
})

describe("an exchange behind another on the same socket", () => {
  const behind = (roundTrip: RoundTrip) => {
    const exchange = new QueryExchange(Query.players, settings, roundTrip)
    exchange.comeAfter(1)
    exchange.start(0)
    expect(exchange.outstanding).toBe(2)
    return exchange
  }

  it("takes what comes too soon for a reply to the one before, once", () => {
    const known = () => {
      const roundTrip = new RoundTrip()
      roundTrip.sample(100)
      return roundTrip
    }
    for (const early of [messages.PLAYERS, messages.challengeOf("01020304")]) {
      const exchange = behind(known())
      expect(exchange.receive(bytesOf(early), 49)).toBe(Step.Wait)
      expect(exchange.outstanding).toBe(1)
      expect(exchange.receive(bytesOf(messages.PLAYERS), 49)).toBe(Step.Done)
    }
    expect(behind(known()).receive(bytesOf(messages.PLAYERS), 50)).toBe(Step.Done)
  })

  it("takes whatever comes for its own where nothing is known of the round trip", () => {
    expect(behind(new RoundTrip()).receive(bytesOf(messages.PLAYERS), 1)).toBe(Step.Done)
  })
})
