import { toHex } from "@sourcewire/protocol"
import { join, splitDatagram } from "@sourcewire/protocol/wire"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { BACKOFF_FACTOR, INITIAL_RTO_MS, WRONG_KIND_MS } from "../../src/Limits.ts"
import * as Query from "../../src/query/Query.ts"
import { QueryExchange } from "../../src/query/QueryExchange.ts"
import { RoundTrip } from "../../src/engine/Retry.ts"
import type { Reply, Server } from "../drive.ts"
import { parseHex } from "../drive.ts"
import * as messages from "../messages.ts"
import { challengeHex } from "../messages.ts"
import { getError, guarded, reply, run, settings, silent, getValue } from "../oneQuery.ts"

/** The byte 01, compressed with bzip2. */
const BZIP2_OF_1 = "425a6839314159265359b5365dfc00000040002000200021184682ee48a70a1216a6cbbf80"

describe("a reply to the first request", () => {
  it.each([
    ["info", Query.info, messages.INFO, messages.ASK_INFO, messages.infoReply],
    ["players", Query.players, messages.PLAYERS, messages.ASK_PLAYERS, messages.playersReply],
    ["rules", Query.rules, messages.RULES, messages.ASK_RULES, messages.rulesReply],
    ["challenge", Query.challenge, challengeHex("01020304"), messages.ASK_CHALLENGE, { challenge: 0x04030201 }],
    ["ping", Query.anyPing, messages.PONG, messages.ASK_PING, { via: "ping", payload: "00000000000000" }]
  ] as const)("ends the query immediately: %s", (_name, query, answer, request, value) => {
    const { endedAt, exchange, result, sent } = run<unknown>(query as Query.Query<unknown>, () => [reply(answer)])
    expect(getValue(result)).toMatchObject(value)
    expect(sent).toEqual([{ at: 0, hex: request }])
    expect(endedAt).toBe(10)
    expect(exchange.rtt?.rttMs).toBe(10)
  })
})

it("an unknown `encoding` ends the query with Malformed, and the value `undefined` has the same effect as `auto`", () => {
  const named = toHex(Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0x45, 1, 0, 0xc3, 0xa9, 0, 0x62, 0))
  const runWith = (encoding: unknown) => {
    const exchange = new QueryExchange(Query.rules, { ...settings, encoding: encoding as "auto" })
    exchange.start(0)
    exchange.receive(parseHex(named), 10)
    exchange.receive(parseHex(named), 20)
    return exchange.result!
  }
  expect(getError(runWith("foo"))).toMatchObject({ _tag: "Malformed", field: "encoding" })
  expect(getValue(runWith(undefined)).rules).toEqual([{ name: "é", value: "b" }])
})

describe("an INFO query to a server with two dialects", () => {
  it("returns both replies if the reply in the new dialect arrives second", () => {
    const { endedAt, exchange, result } = run(Query.info, () => [reply(messages.LEGACY), reply(messages.INFO, 12)])
    expect(getValue(result)._tag).toBe("InfoReply")
    expect(exchange.legacy?.protocol).toBe(47)
    expect(exchange.rtt?.rttMs).toBe(10)
    expect(endedAt).toBe(12)
  })

  it("immediately returns the reply in the new dialect if this reply arrives first", () => {
    const { endedAt, exchange, result } = run(Query.info, () => [reply(messages.INFO), reply(messages.LEGACY, 12)])
    expect(getValue(result)._tag).toBe("InfoReply")
    expect(exchange.legacy).toBeUndefined()
    expect(endedAt).toBe(10)
  })

  it("returns the reply in the old dialect after a short wait if no reply in the new dialect arrives", () => {
    const { endedAt, exchange, result, sent } = run(Query.info, () => [reply(messages.LEGACY)])
    expect(getValue(result)._tag).toBe("GoldSourceInfoReply")
    expect(exchange.legacy).toBeUndefined()
    expect(endedAt).toBe(85)
    expect(sent).toHaveLength(1)
  })

  it("waits longer for the reply in the new dialect if the round-trip time is longer", () => {
    expect(run(Query.info, () => [reply(messages.LEGACY, 200)]).endedAt).toBe(600)
  })

  it("does not wait for the reply in the new dialect beyond the timeout", () => {
    const { endedAt, result } = run(Query.info, () => [reply(messages.LEGACY, 150)], { settings: { timeoutMs: 180 } })
    expect(getValue(result)._tag).toBe("GoldSourceInfoReply")
    expect(endedAt).toBe(180)
  })

  it("accepts the replies in both dialects, even if a challenge arrives between them", () => {
    const server: Server = (request) =>
      request === messages.ASK_INFO
        ? [reply(messages.LEGACY), reply(challengeHex("01020304"), 11)]
        : [reply(messages.INFO)]
    const { exchange, result } = run(Query.info, server)
    expect(getValue(result)._tag).toBe("InfoReply")
    expect(exchange.legacy?._tag).toBe("GoldSourceInfoReply")
  })

  it("returns the reply in the old dialect if the reply in the new dialect is malformed", () => {
    const { result } = run(Query.info, () => [reply(messages.LEGACY), reply("ffffffff4911", 12)])
    expect(getValue(result)._tag).toBe("GoldSourceInfoReply")
  })
})

describe("split replies", () => {
  const spread = (fragments: ReadonlyArray<string>): ReadonlyArray<Reply> =>
    fragments.map((hex, i) => reply(hex, 10 + i))

  it.each([
    ["in order", messages.RULES_SPLIT],
    ["in reverse order", messages.RULES_SPLIT.toReversed()],
    ["twice", messages.RULES_SPLIT.flatMap((fragment) => [fragment, fragment])]
  ])("are joined if their fragments arrive %s", (_name, fragments) => {
    const { exchange, result } = run(Query.rules, () => spread(fragments))
    expect(getValue(result)).toEqual(messages.rulesReply)
    expect(exchange.rtt?.rttMs).toBe(10)
  })

  it("are requested again if a fragment is lost", () => {
    const server: Server = (_request, nth) => spread(nth === 1 ? messages.RULES_SPLIT.slice(1) : messages.RULES_SPLIT)
    expect(getValue(run(Query.rules, server).result)).toEqual(messages.rulesReply)
  })

  it("do not delay the timeout if fragments are missing", () => {
    const first = messages.RULES_SPLIT[0]!
    const { endedAt } = run(Query.rules, () => [reply(first, 170)], { settings: { timeoutMs: 200, retries: 0 } })
    expect(endedAt).toBe(200)
  })

  it("are requested again if the joined message is not a reply to the query", () => {
    const garbage = ["feffffff0100000002000800ffffffff45010061", "feffffff01000000020108000000"]
    // A compressed split reply can contain bytes that are no message, here a single byte.
    const [nothing] = splitDatagram(Uint8Array.of(1), { layout: "source", id: 1, compressed: parseHex(BZIP2_OF_1) })
    expect(Result.getOrThrow(join([nothing!])).bytes).toEqual(Uint8Array.of(1))
    for (const fragments of [[toHex(nothing!)], garbage]) {
      const { result } = run(Query.info, (_, nth) =>
        nth === 1 ? fragments.map((hex) => reply(hex)) : [reply(messages.INFO)]
      )
      expect(getValue(result)._tag).toBe("InfoReply")
    }
    const { result } = run(Query.rules, () => [reply(toHex(nothing!))])
    expect(getError(result)).toMatchObject({ _tag: "Timeout", phase: "split" })
  })

  it("make the query fail with Timeout in the phase `split` if a fragment never arrives", () => {
    const { result } = run(Query.rules, () => spread(messages.RULES_SPLIT.slice(1)))
    expect(getError(result)).toMatchObject({ _tag: "Timeout", phase: "split" })
  })

  it("are not requested again while fragments arrive", () => {
    const { sent } = run(Query.rules, () => messages.RULES_SPLIT.map((hex, i) => reply(hex, 300 * (i + 1))))
    expect(sent).toHaveLength(1)
  })
})

describe("an unexpected datagram", () => {
  it.each([
    ["a ban", messages.BANNED, "You have been banned from this server."],
    ["a rejection", messages.REJECTED, "No challenge for your address."]
  ])("ends the query with Refused, and the error contains the text of the datagram: %s", (_name, hex, text) => {
    for (const query of [Query.info, Query.players, Query.anyPing]) {
      const { endedAt, result } = run<unknown>(query as Query.Query<unknown>, () => [reply(hex)])
      expect(getError(result)).toMatchObject({ _tag: "Refused", text })
      expect(endedAt).toBe(10)
    }
  })

  it("makes the query retransmit PLAYER if the datagram is an INFO reply", () => {
    const server: Server = (_request, nth) => [reply(nth < 3 ? messages.INFO : messages.PLAYERS)]
    const { endedAt, result } = run(Query.players, server)
    expect(getValue(result).players).toHaveLength(1)
    expect(endedAt).toBeLessThan(200)
  })

  it("makes the query retransmit earlier than usual, but the delay grows with each retransmission", () => {
    const unsolicited = Array.from({ length: 40 }, (_, i) => reply(messages.INFO, 10 + 40 * i))
    expect(run(Query.players, silent, { unsolicited }).sent[1]!.at).toBe(10 + WRONG_KIND_MS)
    const { sent } = run(Query.players, () => [reply(messages.INFO, 1)])
    const pauses = sent.slice(1, 4).map(({ at }, i) => at - sent[i]!.at - 1)
    expect(pauses).toEqual([0, 1, 2].map((nth) => expect.closeTo(WRONG_KIND_MS * BACKOFF_FACTOR ** nth)))
    const roundTrip = new RoundTrip()
    roundTrip.sample(200)
    const slow = run(Query.players, silent, { roundTrip, unsolicited: [reply(messages.INFO, 10)] })
    expect(slow.sent[1]!.at).toBe(400)
  })

  it("causes an UnexpectedReply error if no other datagram arrives", () => {
    const { endedAt, result } = run(Query.players, () => [reply(messages.INFO)])
    expect(getError(result)).toMatchObject({ _tag: "UnexpectedReply", type: 0x49 })
    expect(endedAt).toBeLessThan(3000)
  })

  it("is ignored if it is a late reply to the previous query", () => {
    const unsolicited = [reply(messages.LEGACY, 1), reply(messages.INFO, 2)]
    expect(getValue(run(Query.players, () => [reply(messages.PLAYERS)], { unsolicited }).result).players).toHaveLength(
      1
    )
    expect(getError(run(Query.players, silent, { unsolicited }).result)).toMatchObject({ _tag: "Timeout", received: 2 })
  })

  it.each(["", "ff", "ffffffff", "01020304", "ffffffff52", "00000000000000"])(
    "is ignored if it is not a reply: %j",
    (hex) => {
      const { result } = run(Query.info, () => [reply(hex, 5), reply(messages.INFO)])
      expect(getValue(result)._tag).toBe("InfoReply")
    }
  )

  it("changes the phase of a later Timeout to `challenge` if the datagram is a challenge", () => {
    const server: Server = (request) => (request === messages.ASK_PLAYERS ? [reply(challengeHex("01020304"))] : [])
    const { result, sent } = run(Query.players, server)
    expect(getError(result)).toMatchObject({ _tag: "Timeout", phase: "challenge" })
    expect(sent.length).toBeLessThan(16)
  })
})

describe("a PLAYER query after an INFO reply", () => {
  const query = Query.playersAfter({ ...messages.infoReply, players: 0 })
  const empty = { _tag: "PlayersReply", announced: 0, players: [], truncated: false }
  const isChallenge = (request: string): boolean => request === messages.ASK_PLAYERS

  it("returns an empty list if INFO reports 0 players and no reply arrives before a retransmission is due", () => {
    const { endedAt, exchange, result, sent } = run(query, silent)
    expect(getValue(result)).toEqual(empty)
    expect(exchange.assumed).toBe(true)
    expect([endedAt, sent.length]).toEqual([INITIAL_RTO_MS, 1])
    expect(run(query, silent, { settings: { retries: 0 } }).endedAt).toBe(INITIAL_RTO_MS)
    expect(run(query, silent, { settings: { timeoutMs: 200 } }).endedAt).toBe(40)
  })

  it("returns an empty list if INFO reports 0 players and only a challenge arrives", () => {
    const server: Server = (request) => (isChallenge(request) ? [reply(challengeHex("01020304"), 30)] : [])
    const { endedAt, exchange, result, sent } = run(query, server)
    expect(getValue(result)).toEqual(empty)
    expect(exchange.assumed).toBe(true)
    expect(endedAt).toBe(30 + 100)
    expect(sent).toHaveLength(2)
  })

  it("returns the list of players if a reply arrives, although INFO reports 0 players", () => {
    const { exchange, result } = run(query, guarded(messages.PLAYERS, "01020304"))
    expect(getValue(result)).toMatchObject(messages.playersReply)
    expect(exchange.assumed).toBe(false)
  })

  it.each([
    ["another kind of reply", messages.INFO, "UnexpectedReply"],
    ["a damaged reply", "ffffffff44", "Malformed"],
    ["part of a reply", messages.RULES_SPLIT[0]!, "Timeout"]
  ])("does not return an empty list after %s", (_, hex, tag) => {
    const { exchange, result } = run(query, () => [reply(hex)])
    expect(getError(result)._tag).toBe(tag)
    expect(exchange.assumed).toBe(false)
  })

  it("times out if INFO reports players or bots and no reply arrives", () => {
    expect(Query.playersAfter(messages.infoReply)).toBe(Query.players)
    expect(Query.playersAfter({ ...messages.infoReply, players: 0, bots: 2 })).toBe(Query.players)
    const { bots: _, ...hltv } = messages.legacyReply
    expect(Query.playersAfter({ ...hltv, players: 0 })).toBe(query)
    expect(getError(run(Query.players, silent).result)._tag).toBe("Timeout")
  })
})

describe("damaged replies", () => {
  it("are requested a second time", () => {
    const server: Server = (_request, nth) => [reply(nth === 1 ? "ffffffff4911" : messages.INFO)]
    const { endedAt, result } = run(Query.info, server)
    expect(getValue(result)._tag).toBe("InfoReply")
    expect(endedAt).toBe(20)
  })

  it("end the query if the second reply is damaged, too", () => {
    const { endedAt, result } = run(Query.info, () => [reply("ffffffff4911")])
    expect(getError(result)).toMatchObject({ _tag: "Malformed", messageTag: "InfoReply", hex: "ffffffff4911" })
    expect(endedAt).toBe(20)
    expect(run(Query.info, () => [reply("ffffffff4911")], { settings: { retries: 0 } }).endedAt).toBe(10)
  })

  it("cause a Malformed error if no other reply arrives", () => {
    const { result } = run(Query.info, (_request, nth) => (nth === 1 ? [reply("ffffffff4911")] : []))
    expect(getError(result)._tag).toBe("Malformed")
  })

  it("are returned with `truncated: true` if the query is PLAYER and the last entry is incomplete", () => {
    const cut = messages.PLAYERS.slice(0, -4)
    expect(getValue(run(Query.players, () => [reply(cut)]).result)).toMatchObject({ truncated: true, announced: 1 })
  })
})

describe("an error from the engine", () => {
  it("is the final result, even if another error follows", () => {
    const exchange = new QueryExchange(Query.info, settings)
    exchange.start(0)
    const error = getError(run(Query.info, silent).result)
    exchange.fail(error)
    exchange.fail(getError(run(Query.players, silent).result))
    expect(exchange.result).toEqual(Result.fail(error))
    expect(exchange.deadline).toBe(Number.POSITIVE_INFINITY)
  })
})
