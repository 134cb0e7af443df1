import { describe, expect, it } from "vitest"
import { BACKOFF_FACTOR, INITIAL_RTO_MS } from "../../src/Limits.ts"
import * as Query from "../../src/query/Query.ts"
import { RoundTrip } from "../../src/engine/Retry.ts"
import type { Server } from "../drive.ts"
import { parseHex } from "../drive.ts"
import * as messages from "../messages.ts"
import { challengeHex } from "../messages.ts"
import { getError, guarded, reply, run, silent, getValue } from "../oneQuery.ts"

describe("retransmission", () => {
  it("happens after growing delays until the timeout", () => {
    const { endedAt, result, sent } = run(Query.info, silent)
    expect(getError(result)).toMatchObject({ _tag: "Timeout", phase: "request", sent: 7, received: 0 })
    expect(endedAt).toBe(3000)
    const pauses = sent.slice(1).map(({ at }, i) => at - sent[i]!.at)
    expect(pauses[0]).toBe(INITIAL_RTO_MS)
    for (let i = 1; i < pauses.length; i++) expect(pauses[i]).toBeCloseTo(pauses[i - 1]! * BACKOFF_FACTOR)
  })

  it("happens after a random delay", () => {
    const second = (random: number): number =>
      run(Query.info, silent, { settings: { random: () => random } }).sent[1]!.at
    expect([second(0), second(0.5), second(1)]).toEqual(
      [0.9, 1, 1.1].map((part) => expect.closeTo(part * INITIAL_RTO_MS))
    )
  })

  it("happens several times within a short timeout, but not if `retries` is 0", () => {
    expect(run(Query.info, silent, { settings: { timeoutMs: 200 } }).sent.length).toBeGreaterThan(3)
    expect(run(Query.info, silent, { settings: { retries: 0 } }).sent).toHaveLength(1)
  })

  it("happens sooner if the server is known to have a short round-trip time", () => {
    const roundTrip = new RoundTrip()
    for (let i = 0; i < 20; i++) roundTrip.sample(40)
    const { sent } = run(Query.info, silent, { roundTrip })
    expect(sent[1]!.at).toBeLessThan(150)
    expect(sent[1]!.at).toBeGreaterThanOrEqual(100)
  })
})

describe("the round-trip time", () => {
  const after =
    (delayMs: number): Server =>
    () => [reply(messages.INFO, delayMs)]
  const challenging =
    (delayMs: number): Server =>
    (request, nth, at) =>
      guarded(messages.INFO, "aabbccdd")(request, nth, at).map(({ hex }) => reply(hex, delayMs))
  const losing =
    (server: Server, lost: number): Server =>
    (request, nth, at) =>
      nth === lost ? [] : server(request, nth, at)
  const twice =
    (server: Server): Server =>
    (request, nth, at) =>
      server(request, nth, at).flatMap((one) => [one, { ...one, after: one.after + 1 }])

  it.each([
    ["exact if the server replies immediately", after(1), { rttMs: 1 }],
    ["exact if the server replies immediately, after a challenge", challenging(1), { rttMs: 1 }],
    ["ambiguous if the server loses the first request", losing(after(1), 1), { rttMs: 301, rttAmbiguous: true }],
    ["exact if the server loses the request with the challenge", losing(challenging(1), 2), { rttMs: 1 }],
    ["exact if the server loses the challenge", losing(challenging(1), 1), { rttMs: 1 }],
    ["ambiguous if the server takes 900 ms", after(900), { rttMs: 900, rttAmbiguous: true }],
    [
      "ambiguous if the server takes 900 ms for a challenge and for the reply",
      challenging(900),
      { rttMs: 900, rttAmbiguous: true }
    ],
    ["exact if the server sends everything twice", twice(after(20)), { rttMs: 20 }],
    ["exact if the server sends everything twice, after a challenge", twice(challenging(20)), { rttMs: 20 }],
    [
      "ambiguous if the server loses the first request and sends everything twice",
      losing(twice(after(20)), 1),
      { rttAmbiguous: true }
    ],
    [
      "ambiguous if the server loses the challenge and sends everything twice",
      losing(twice(challenging(20)), 1),
      { rttAmbiguous: true }
    ]
  ])("is %s", (_, server, rtt) => {
    const measured = run(Query.info, server).exchange.rtt!
    expect({ ...measured, rttMs: Math.round(measured.rttMs * 1e6) / 1e6 }).toEqual({ rttMs: expect.anything(), ...rtt })
  })

  it.each([
    ["every reply has arrived", after(900)],
    ["every reply has arrived, after a challenge", challenging(900)],
    ["one reply is lost", losing(after(900), 2)],
    ["the last reply is lost, and another reply is duplicated", losing(twice(after(900)), 3)],
    ["a reply before the last reply is lost, and another reply is duplicated", losing(twice(after(900)), 2)]
  ])(
    "stays ambiguous even if further replies arrive after the end of the query, because these replies may be duplicates: %s",
    (_, server) => {
      const roundTrip = new RoundTrip()
      const { exchange, late } = run(Query.info, server, { roundTrip })
      for (const { at, hex } of late) exchange.receive(parseHex(hex), at)
      expect(exchange.rtt).toEqual({ rttMs: 900, rttAmbiguous: true })
      expect(roundTrip.smoothedMs).toBe(0)
    }
  )

  it("stays ambiguous if a late datagram is not a reply to the query", () => {
    const { exchange, late } = run(Query.info, after(900))
    for (const { at } of late) exchange.receive(parseHex(messages.PONG), at)
    expect(exchange.rtt).toMatchObject({ rttAmbiguous: true })
    expect(exchange.outstanding).toBe(2)
  })

  it("is ambiguous if the reply can belong to two requests; of the two possible times, the time closer to the server's usual round-trip time is reported", () => {
    const roundTrip = new RoundTrip()
    roundTrip.sample(500)
    const { exchange } = run(Query.info, after(610), { roundTrip, settings: { retries: 1 } })
    expect(exchange.sent).toBe(2)
    expect(exchange.rtt).toEqual({ rttMs: 610, rttAmbiguous: true })
    expect(roundTrip.smoothedMs).toBe(500)
    const near = new RoundTrip()
    near.sample(20)
    const lossy = run(Query.info, losing(after(25), 1), { roundTrip: near }).exchange
    expect(lossy.sent).toBe(2)
    expect(lossy.rtt).toEqual({ rttMs: 25, rttAmbiguous: true })
    expect(near.smoothedMs).toBe(20)
  })

  it("is measured with the reply in the old dialect if the reply in the new dialect follows, and both count as one reply", () => {
    const both: Server = (_, nth) => (nth === 1 ? [] : [reply(messages.LEGACY, 10), reply(messages.INFO, 12)])
    const { exchange } = run(Query.info, both)
    expect(exchange.rtt).toMatchObject({ rttMs: expect.closeTo(310), rttAmbiguous: true })
    expect(exchange.outstanding).toBe(1)
  })

  it("of a split reply is measured with the first fragment that arrives after the last request", () => {
    const fragments = messages.RULES_SPLIT.map((hex, i) => reply(hex, 25 + i))
    const server: Server = (_, nth) => (nth === 1 ? [reply(messages.RULES_SPLIT[0]!, 10)] : fragments)
    expect(run(Query.rules, server).exchange.rtt).toMatchObject({ rttMs: expect.closeTo(335), rttAmbiguous: true })
  })

  it("does not change when an outstanding challenge arrives late", () => {
    const roundTrip = new RoundTrip()
    const { exchange } = run(Query.info, losing(challenging(10), 1), { roundTrip })
    expect(exchange.outstanding).toBe(1)
    expect(exchange.rtt).toEqual({ rttMs: 10 })
    const { rtoMs } = roundTrip
    exchange.receive(parseHex(challengeHex("aabbccdd")), 400)
    expect(exchange.outstanding).toBe(0)
    expect(exchange.rtt).toEqual({ rttMs: 10 })
    expect(roundTrip).toMatchObject({ smoothedMs: 10, minMs: 10, rtoMs })
  })

  it("does not change when a challenge for an earlier request arrives after the end of the query", () => {
    const roundTrip = new RoundTrip()
    // The first and the fourth request contain no challenge. The reply to the fourth request ends the query. Afterwards, a challenge
    // arrives as a late reply to the third request.
    const replies = [[reply(challengeHex("aabbccdd"))], [], [], [reply(messages.INFO)]]
    const { exchange, result, sent } = run(Query.info, (_, nth) => replies[nth - 1] ?? [], { roundTrip })
    expect(getValue(result)).toMatchObject({ _tag: "InfoReply" })
    expect(sent.map(({ hex }) => hex === messages.ASK_INFO)).toEqual([true, false, false, true])
    expect(exchange.rtt).toEqual({ rttMs: 10 })
    const { outstanding } = exchange
    exchange.receive(parseHex(challengeHex("11223344")), 2500)
    expect(exchange.outstanding).toBe(outstanding - 1)
    expect(exchange.rtt).toEqual({ rttMs: 10 })
    expect(roundTrip.smoothedMs).toBe(10)
  })

  it("can be measured with a damaged reply", () => {
    const { exchange } = run(Query.info, (_, nth) => [reply(nth === 1 ? "ffffffff4911" : messages.INFO, 30)])
    expect(exchange.rtt).toEqual({ rttMs: 30 })
    expect(exchange.outstanding).toBe(0)
  })

  it("is measured with a damaged reply in the old dialect, not with the following reply in the new dialect", () => {
    const roundTrip = new RoundTrip()
    const { exchange } = run(
      Query.info,
      (_, nth) => (nth === 1 ? [reply("ffffffff6d", 50), reply(messages.INFO, 51)] : []),
      {
        roundTrip
      }
    )
    expect(exchange.rtt).toEqual({ rttMs: 50 })
    expect(roundTrip.minMs).toBe(50)
  })

  it("is ambiguous if a request with a reused challenge timed out", () => {
    const kept = { challenge: 0x01010101, givenAt: -900 }
    const server: Server = (request) => (request === messages.ASK_PLAYERS ? [reply(messages.PLAYERS)] : [])
    const { exchange } = run(Query.players, server, { kept })
    expect(exchange.rtt).toMatchObject({ rttAmbiguous: true })
  })

  it("is measured with the first challenge if the challenge is repeated", () => {
    const server: Server = (_, nth) => [reply(nth < 3 ? challengeHex("01010101") : messages.INFO, 10 * nth)]
    expect(run(Query.info, server).exchange.rtt).toEqual({ rttMs: 10 })
  })
})

describe("ping", () => {
  it("falls back to INFO if A2A_PING gets no reply, and measures the round-trip time of INFO", () => {
    const server: Server = (request) => (request === messages.ASK_INFO ? [reply(challengeHex("01020304"), 25)] : [])
    const { exchange, result } = run(Query.anyPing, server)
    expect(getValue(result)).toEqual({ via: "info" })
    expect(exchange.rtt?.rttMs).toBeCloseTo(25)
  })

  it("measures the round-trip time from the request that belongs to the reply", () => {
    const server: Server = (request) => (request === messages.ASK_PING ? [reply(messages.PLAIN_PONG, 450)] : [])
    const { exchange, result } = run(Query.anyPing, server)
    expect(getValue(result)).toEqual({ via: "ping", payload: "" })
    expect(exchange.rtt?.rttMs).toBeCloseTo(450)
  })

  it("sends a single kind of request if the caller selects A2A_PING or INFO", () => {
    const noPing: Server = (request) => (request === messages.ASK_INFO ? [reply(messages.INFO)] : [])
    const byPing = run(Query.ping, noPing)
    expect(getError(byPing.result)._tag).toBe("Timeout")
    expect(byPing.sent.map(({ hex }) => hex)).toEqual(Array.from({ length: 7 }, () => messages.ASK_PING))
    expect(getValue(run(Query.infoPing, noPing).result)).toEqual({ via: "info" })
    const byInfo = run(Query.infoPing, silent)
    expect(getError(byInfo.result)._tag).toBe("Timeout")
    expect(byInfo.sent.map(({ hex }) => hex)).toEqual(Array.from({ length: 7 }, () => messages.ASK_INFO))
  })
})
