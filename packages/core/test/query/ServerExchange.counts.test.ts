/** The totals of the three queries to one server: sent and received datagrams, outstanding replies, and the round-trip time. */
import { describe, expect, it } from "vitest"
import { RoundTrip } from "../../src/engine/Retry.ts"
import { Step } from "../../src/engine/Exchange.ts"
import { clientClosed } from "../../src/engine/QueryError.ts"
import { ServerExchange } from "../../src/query/ServerExchange.ts"
import type { Server } from "../drive.ts"
import { parseHex, drive } from "../drive.ts"
import * as messages from "../messages.ts"

const SETTINGS = { timeoutMs: 3000, retries: 4, encoding: "auto", random: () => 0.5 } as const
const make = () => new ServerExchange(SETTINGS, new RoundTrip())

const answerTo = (request: string): ReadonlyArray<string> =>
  request.startsWith("ffffffff54")
    ? [messages.INFO]
    : request.startsWith("ffffffff55")
      ? [messages.PLAYERS]
      : request.startsWith("ffffffff56")
        ? [messages.RULES]
        : []
const prompt: Server = (request) => answerTo(request).map((hex) => ({ hex, after: 20 }))

describe("outstanding replies", () => {
  it("include the replies to the query in flight and to the previous exchange", () => {
    const exchange = make()
    exchange.expectLateReplies(2)
    expect(exchange.start(0)).toBe(Step.Send)
    expect(exchange.outstanding).toBe(3)
    exchange.receive(parseHex(messages.INFO), 50)
    expect(exchange.rtt).toMatchObject({ rttAmbiguous: true })
  })
})

describe("an exchange that has ended", () => {
  it("does not count later datagrams", () => {
    const exchange = make()
    drive(exchange, prompt)
    const { received, result, sent } = exchange
    expect([sent, received]).toEqual([3, 3])
    expect(exchange.receive(parseHex(messages.RULES), 100)).toBe(Step.Done)
    expect([exchange.sent, exchange.received, exchange.result]).toEqual([3, 3, result])
    expect(Object.keys(exchange.replies)).toEqual(["info", "players", "rules"])
  })

  it("reports the number of sent datagrams, even if an error has ended the exchange", () => {
    const exchange = make()
    exchange.start(0)
    exchange.fail(clientClosed())
    expect([exchange.sent, exchange.result]).toMatchObject([1, { failure: { _tag: "ConnectionClosed" } }])
  })

  it("returns INFO, PLAYER and an error if RULES got no reply", () => {
    const exchange = make()
    drive(exchange, (request, nth, at) => (request.startsWith("ffffffff56") ? [] : prompt(request, nth, at)))
    expect(Object.keys(exchange.replies)).toEqual(["info", "players", "errors"])
  })
})

describe("late replies to INFO", () => {
  it("count as received datagrams, and the round-trip time remains ambiguous", () => {
    const exchange = make()
    const { late, sent } = drive(exchange, (request, nth, at) =>
      request.startsWith("ffffffff54")
        ? [{ hex: messages.INFO, after: 700 }]
        : prompt(request, nth, at).map((reply) => ({ ...reply, after: 900 }))
    )
    // Each request gets one reply. Three INFO requests were sent before the first reply arrived, and this reply may belong to any of them.
    expect(exchange.received).toBe(sent.length - late.length)
    expect(sent.length).toBeGreaterThan(4)
    expect(exchange.rtt).toEqual({ rttMs: 700, rttAmbiguous: true })
  })
})

it("the round-trip time of a server stays ambiguous if none of the three queries has an exact round-trip time", () => {
  for (const answersPlayers of [true, false]) {
    const exchange = make()
    const requestCounts = new Map<string, number>()
    drive(exchange, (request) => {
      const kind = request.slice(8, 10)
      const nth = (requestCounts.get(kind) ?? 0) + 1
      requestCounts.set(kind, nth)
      if (kind === "55" && !answersPlayers) return []
      return nth === 2 ? answerTo(request).map((hex) => ({ hex, after: kind === "54" ? 33 : 44 })) : []
    })
    expect(exchange.rtt).toEqual({ rttMs: 333, rttAmbiguous: true })
  }
})
