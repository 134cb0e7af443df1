/** Rare replies, missing replies, and datagrams that arrive after a query has ended. */
import { toHex } from "@sourcewire/protocol"
import { describe, expect, it } from "vitest"
import { Step } from "../../src/engine/Exchange.ts"
import * as Query from "../../src/query/Query.ts"
import { QueryExchange } from "../../src/query/QueryExchange.ts"
import { parseHex } from "../drive.ts"
import * as messages from "../messages.ts"
import { challengeHex } from "../messages.ts"
import { getError, reply, run, settings, silent, getValue } from "../oneQuery.ts"

describe("a missing reply", () => {
  const acceptedKinds = <A>(query: Query.Query<A>) =>
    run(query, silent).sent.map(({ hex }) => String.fromCharCode(Number.parseInt(hex.slice(8, 10), 16)))

  it("causes a PLAYER query to alternate between GETCHALLENGE and PLAYER after three requests", () => {
    expect(acceptedKinds(Query.players).slice(0, 7)).toEqual(["U", "U", "U", "W", "U", "W", "U"])
  })

  it("causes a RULES query to send GETCHALLENGE", () => {
    expect(acceptedKinds(Query.rules).filter((kind) => kind === "W")).not.toEqual([])
  })

  it("causes pings and challenge queries to alternate between two kinds of request", () => {
    const [challenges, signs] = [acceptedKinds(Query.challenge), acceptedKinds(Query.anyPing)]
    expect(challenges.slice(0, 5)).toEqual(["W", "U", "W", "U", "W"])
    expect(signs.slice(0, 5)).toEqual(["i", "T", "i", "T", "i"])
  })

  it("is not treated as an empty list of players if a damaged reply has arrived", () => {
    const { result } = run(Query.playersAfter({ ...messages.infoReply, players: 0 }), (_, nth) =>
      nth === 1 ? [reply("ffffffff44")] : []
    )
    expect(getError(result)._tag).toBe("Malformed")
  })
})

describe("the round-trip time", () => {
  it("is ambiguous, and measured from the first request, if a GETCHALLENGE request and a PLAYER request can cause the same reply", () => {
    const { exchange, result } = run(Query.challenge, (request) =>
      request.startsWith("ffffffff55") ? [reply(challengeHex("01020304"), 20)] : []
    )
    expect(getValue(result)._tag).toBe("ChallengeReply")
    expect(exchange.rtt).toEqual({ rttMs: 320, rttAmbiguous: true })
  })
})

describe("an exchange", () => {
  it("does not send a challenge back if its requests cannot contain a challenge", () => {
    const { result, sent } = run({ ...Query.anyPing, answers: [] }, () => [reply(challengeHex("01020304"))])
    expect(getError(result)._tag).toBe("Timeout")
    expect(sent.every(({ hex }) => !hex.endsWith("01020304"))).toBe(true)
  })

  it("ends with Refused even if the rejection is as long as a challenge", () => {
    expect(run(Query.info, () => [reply("ffffffff6c62616e00")]).result).toMatchObject({
      failure: { _tag: "Refused", text: "ban" }
    })
  })

  it("no longer sends a challenge back immediately if the server has repeated the challenge several times", () => {
    const exchange = new QueryExchange(Query.players, settings)
    exchange.start(0)
    const steps = [1, 2, 3, 4, 5].map((at) => exchange.receive(parseHex(challengeHex("01020304")), at * 40))
    expect(steps[0]).toBe(Step.Send)
    expect(steps.at(-1)).toBe(Step.Wait)
    expect(steps.filter((step) => step !== Step.Send && step !== Step.Wait)).toEqual([])
  })
})

describe("fragments of an incomplete split reply", () => {
  it("do not delay the result if a reply in the old dialect has arrived", () => {
    const { endedAt, result, sent } = run(Query.info, () => [
      reply(messages.LEGACY),
      reply(messages.RULES_SPLIT[0]!, 12)
    ])
    expect(getValue(result)._tag).toBe("GoldSourceInfoReply")
    expect(sent).toHaveLength(1)
    expect(endedAt).toBeLessThan(500)
  })

  it("set the phase of a later Timeout to `split`, even if a challenge follows", () => {
    const { result } = run(Query.rules, (_, nth) =>
      nth === 1 ? [reply(messages.RULES_SPLIT[0]!), reply(challengeHex("01020304"), 20)] : []
    )
    expect(getError(result)).toMatchObject({ _tag: "Timeout", phase: "split" })
  })
})

it("datagrams do not change an exchange that has ended", () => {
  const exchange = new QueryExchange(Query.info, settings)
  exchange.start(0)
  exchange.receive(parseHex(messages.INFO), 10)
  const { result, rtt, sent } = exchange
  for (const hex of [messages.INFO, messages.PONG, challengeHex("01020304")])
    expect(exchange.receive(parseHex(hex), 20)).toBe(Step.Done)
  expect(exchange.expire(30)).toBe(Step.Done)
  expect([exchange.result, exchange.rtt, exchange.sent, toHex(exchange.packet)]).toEqual([
    result,
    rtt,
    sent,
    messages.ASK_INFO
  ])
})
