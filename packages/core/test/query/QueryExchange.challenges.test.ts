/**
 * Handling of challenges. A challenge can belong to the current query or to the previous query on the same socket. The next query can reuse
 * a challenge.
 */
import { describe, expect, it } from "vitest"
import { CHALLENGE_CACHE_MS, INITIAL_RTO_MS, MAX_CHALLENGE_ROUNDS, WRONG_KIND_MS } from "../../src/Limits.ts"
import * as Query from "../../src/query/Query.ts"
import { QueryExchange } from "../../src/query/QueryExchange.ts"
import { RoundTrip } from "../../src/engine/Retry.ts"
import type { Server } from "../drive.ts"
import { drive } from "../drive.ts"
import * as messages from "../messages.ts"
import { challengeHex } from "../messages.ts"
import { getError, guarded, reply, run, settings, silent, getValue } from "../oneQuery.ts"

describe("challenges", () => {
  it("are appended to the INFO request, and the round-trip time is measured from the request with the challenge", () => {
    const { exchange, result, sent } = run(Query.info, guarded(messages.INFO, "aabbccdd"))
    expect(getValue(result)).toMatchObject(messages.infoReply)
    expect(sent.map(({ hex }) => hex)).toEqual([messages.ASK_INFO, `${messages.ASK_INFO}aabbccdd`])
    expect(exchange.rtt?.rttMs).toBe(10)
    expect(exchange.cachedChallenge).toEqual({ challenge: 0xddccbbaa | 0, givenAt: 10 })
  })

  it.each(["00000000", "ffffffff", "00000080", "01000000"])(
    "are sent back in the next PLAYER request: %s",
    (challenge) => {
      // The first request contains −1. A real server whose challenge is −1 would accept this request at once. To make a second request
      // necessary, the server of this test replies to the first request with the challenge in any case.
      const server: Server = (_request, nth) => [reply(nth === 1 ? challengeHex(challenge) : messages.PLAYERS)]
      const { result, sent } = run(Query.players, server)
      expect(getValue(result).players).toHaveLength(1)
      expect(sent.map(({ hex }) => hex)).toEqual([messages.ASK_PLAYERS, `ffffffff55${challenge}`])
    }
  )

  it("are replaced if the server sends a second challenge", () => {
    const server: Server = (_request, nth) => [
      reply([challengeHex("01010101"), challengeHex("02020202"), messages.RULES][nth - 1]!)
    ]
    const { endedAt, result, sent } = run(Query.rules, server)
    expect(getValue(result).rules).toHaveLength(40)
    expect(sent.map(({ hex }) => hex).slice(1)).toEqual(["ffffffff5601010101", "ffffffff5602020202"])
    expect(endedAt).toBe(30)
  })

  it("are sent back immediately if the server sends the same challenge again", () => {
    const server: Server = (_request, nth) => [reply(nth < 4 ? challengeHex("01010101") : messages.INFO)]
    const { endedAt, result } = run(Query.info, server)
    expect(getValue(result)._tag).toBe("InfoReply")
    expect(endedAt).toBe(40)
  })

  it("do not end the exchange if many copies of the same challenge arrive", () => {
    const late = Array.from({ length: 20 }, (_, i) => reply(challengeHex("01010101"), 1 + i))
    const server: Server = (request) => (request.endsWith("01010101") ? [reply(messages.INFO, 30)] : [])
    const { result, sent } = run(Query.info, server, { unsolicited: late })
    expect(getValue(result)._tag).toBe("InfoReply")
    expect(sent).toHaveLength(4)
  })

  it("are sent back once if the network duplicates the challenges", () => {
    const server: Server = (request) =>
      request === messages.ASK_INFO
        ? [reply(challengeHex("01010101")), reply(challengeHex("01010101"), 11)]
        : [reply(messages.INFO)]
    expect(run(Query.info, server).sent).toHaveLength(2)
  })

  it("end the exchange if the server never stops sending new challenges", () => {
    const server: Server = (_request, nth) => [reply(challengeHex(nth.toString(16).padStart(8, "0")))]
    const { result, sent } = run(Query.info, server)
    expect(getError(result)).toMatchObject({ _tag: "TooManyChallenges", rounds: MAX_CHALLENGE_ROUNDS })
    expect(sent).toHaveLength(MAX_CHALLENGE_ROUNDS + 1)
  })

  it("a message of type A is not a challenge if it contains text", () => {
    const { result } = run(Query.info, () => [reply(messages.TEXT_CHALLENGE), reply(messages.INFO, 20)])
    expect(getValue(result)._tag).toBe("InfoReply")
    expect(getError(run(Query.challenge, () => [reply(messages.TEXT_CHALLENGE)]).result)._tag).toBe("UnexpectedReply")
  })

  it("are reused in the next query until they expire", () => {
    const kept = { challenge: 0x01010101, givenAt: -900 }
    expect(run(Query.players, () => [reply(messages.PLAYERS)], { kept }).sent[0]!.hex).toBe("ffffffff5501010101")
    const old = { challenge: 0x01010101, givenAt: -1100 }
    expect(run(Query.players, () => [reply(messages.PLAYERS)], { kept: old }).sent[0]!.hex).toBe(messages.ASK_PLAYERS)
    const justOld = { challenge: 0x01010101, givenAt: -CHALLENGE_CACHE_MS }
    expect(run(Query.players, silent, { kept: justOld }).sent[0]!.hex).toBe(messages.ASK_PLAYERS)
    const justGood = { challenge: 0x01010101, givenAt: 1 - CHALLENGE_CACHE_MS }
    expect(run(Query.players, silent, { kept: justGood }).sent[0]!.hex).toBe("ffffffff5501010101")
  })

  it("are requested again if a request with a reused challenge gets no reply", () => {
    const kept = { challenge: 0x01010101, givenAt: -900 }
    const server: Server = (request) =>
      request.endsWith("01010101") ? [] : guarded(messages.PLAYERS, "02020202")(request, 0, 0)
    const { result, sent } = run(Query.players, server, { kept })
    expect(getValue(result).players).toHaveLength(1)
    expect(sent.map(({ hex }) => hex)).toEqual(["ffffffff5501010101", messages.ASK_PLAYERS, "ffffffff5502020202"])
  })

  it("are requested again if two requests with the challenge get no reply", () => {
    // Query caches drop requests with an expired challenge.
    let challenges = 0
    const server: Server = (request) => {
      if (request === messages.ASK_INFO) return [reply(challengeHex(`0${++challenges}000000`))]
      return request.endsWith("01000000") ? [] : [reply(messages.INFO)]
    }
    const { result, sent } = run(Query.info, server)
    expect(getValue(result)._tag).toBe("InfoReply")
    expect(sent.map(({ hex }) => hex.slice(messages.ASK_INFO.length))).toEqual([
      "",
      "01000000",
      "01000000",
      "",
      "02000000"
    ])
  })

  it("are requested until the timeout, and do not cause TooManyChallenges, if the server ignores every request with a challenge", () => {
    let challenges = 0
    const server: Server = (request) =>
      request === messages.ASK_INFO ? [reply(challengeHex((++challenges).toString(16).padStart(8, "0")))] : []
    const { result } = run(Query.info, server, { settings: { timeoutMs: 60_000, retries: 40 } })
    expect(challenges).toBeGreaterThan(MAX_CHALLENGE_ROUNDS)
    expect(getError(result)).toMatchObject({ _tag: "Timeout", phase: "challenge" })
  })

  it("do not end the exchange if the server repeats each challenge several times", () => {
    const answers = [...["01", "01", "01", "02", "02", "02"].map((one) => challengeHex(one.repeat(4))), messages.INFO]
    const { endedAt, exchange, result } = run(Query.info, (_, nth) => [reply(answers[nth - 1]!)])
    expect(getValue(result)._tag).toBe("InfoReply")
    expect(endedAt).toBe(10 * answers.length)
    // The exchange stores the last challenge, and the time at which this challenge last arrived.
    expect(exchange.cachedChallenge).toEqual({ challenge: 0x02020202, givenAt: 60 })
  })

  it("are ignored if they belong to the previous query on the same socket", () => {
    const roundTrip = new RoundTrip()
    roundTrip.sample(100)
    const exchange = new QueryExchange(Query.info, settings, roundTrip)
    exchange.expectLateReplies(1)
    const { sent } = drive(exchange, guarded(messages.INFO, "02020202"), [reply(challengeHex("01010101"), 5)])
    expect(sent.map(({ hex }) => hex)).toEqual([messages.ASK_INFO, `${messages.ASK_INFO}02020202`])
  })

  it("reset the number of retries and the retransmission delay", () => {
    const server: Server = (request, nth) => {
      if (request === messages.ASK_INFO) return nth === 3 ? [reply(challengeHex("01010101"))] : []
      return nth === 4 ? [] : [reply(messages.INFO)]
    }
    const { result, sent } = run(Query.info, server, { settings: { retries: 2 } })
    expect(getValue(result)._tag).toBe("InfoReply")
    expect(sent[4]!.at - sent[3]!.at).toBeCloseTo(INITIAL_RTO_MS)
  })

  it("are requested with GETCHALLENGE, and shortly afterwards with a PLAYER request that contains −1, if a PLAYER query gets no reply", () => {
    const { sent } = run(Query.players, silent)
    const at = sent.findIndex(({ hex }) => hex === messages.ASK_CHALLENGE)
    expect(sent[at + 1]!.hex).toBe(messages.ASK_PLAYERS)
    expect(sent[at + 1]!.at - sent[at]!.at).toBe(WRONG_KIND_MS)
  })

  it("are requested with GETCHALLENGE if a request with −1 gets no reply", () => {
    const server: Server = (request) => {
      if (request === messages.ASK_CHALLENGE) return [reply(challengeHex("0a0b0c0d"))]
      return request === "ffffffff560a0b0c0d" ? [reply(messages.RULES)] : []
    }
    const { result, sent } = run(Query.rules, server)
    expect(getValue(result).rules).toHaveLength(40)
    expect(sent.filter(({ hex }) => hex === messages.ASK_CHALLENGE)).toHaveLength(1)
  })

  it("are requested with PLAYER if GETCHALLENGE gets no reply", () => {
    const server: Server = (request) => (request === messages.ASK_PLAYERS ? [reply(challengeHex("00000000"))] : [])
    expect(getValue(run(Query.challenge, server).result).challenge).toBe(0)
  })
})
