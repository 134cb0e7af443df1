/** A visit gives what a query by itself gives, whatever the server does: the same servers are put to both. */
import { describe, expect, it } from "@effect/vitest"
import { InfoReply, toHex } from "@sourcewire/protocol"
import { splitDatagram } from "@sourcewire/protocol/machines"
import * as Result from "effect/Result"
import { ScanPatience } from "../../src/scan/timeouts.ts"
import { Reassemblers } from "../../src/scan/reassemblers.ts"
import { QUERIES, Visit } from "../../src/scan/visit.ts"
import { MAX_CHALLENGE_ROUNDS } from "../../src/Limits.ts"
import { QueryExchange } from "../../src/query/QueryExchange.ts"
import type { Reply, Server } from "../drive.ts"
import { bytesOf, drive } from "../drive.ts"
import * as messages from "../messages.ts"

const CHALLENGE = "0a0b0c0d"
const SETTINGS = { timeoutMs: 3000, retries: 4, encoding: "auto", random: () => 0.5 } as const

const soon = (...hexes: ReadonlyArray<string>): ReadonlyArray<Reply> => hexes.map((hex) => ({ hex, after: 20 }))
const isChallenged = (request: string, challenge = CHALLENGE): boolean => request.endsWith(challenge)
const answerTo = (request: string): ReadonlyArray<string> =>
  request.startsWith("ffffffff54")
    ? [messages.INFO]
    : request.startsWith("ffffffff55")
      ? [messages.PLAYERS]
      : messages.RULES_SPLIT

const splitOf = (hex: string): ReadonlyArray<string> =>
  splitDatagram(bytesOf(hex), { layout: "source", id: 9, maxBytes: 12 + Math.ceil(hex.length / 4) }).map((fragment) =>
    toHex(fragment)
  )

/** A server that wants a challenge and then answers. */
const wellBehaved: Server = (request) =>
  isChallenged(request) ? soon(...answerTo(request)) : soon(messages.challengeOf(CHALLENGE))

const SERVERS: Readonly<Record<string, Server>> = {
  "wants a challenge": wellBehaved,
  "wants none": (request) => soon(...answerTo(request)),
  "is silent": () => [],
  "loses the first request": (request, nth, at) => (nth === 1 ? [] : wellBehaved(request, nth, at)),
  "loses the first answer to a challenge": (request, nth, at) => (nth === 2 ? [] : wellBehaved(request, nth, at)),
  "gives a challenge and nothing else": (request) =>
    isChallenged(request) ? [] : soon(messages.challengeOf(CHALLENGE)),
  "wants another challenge after the first": (request) =>
    isChallenged(request, "01020304")
      ? soon(...answerTo(request))
      : soon(messages.challengeOf(isChallenged(request) ? "01020304" : CHALLENGE)),
  "never has enough of challenges": (_, nth) =>
    soon(messages.challengeOf(`000000${nth.toString(16).padStart(2, "0")}`)),
  "sends everything twice": (request, nth, at) => {
    const replies = wellBehaved(request, nth, at)
    return [...replies, ...replies]
  },
  "answers with another kind first": (request, nth) => (nth === 1 ? soon(messages.PONG) : soon(...answerTo(request))),
  "answers with another kind always": () => soon(messages.PONG),
  refuses: () => soon(messages.BANNED),
  rejects: () => soon(messages.REJECTED),
  "sends a damaged answer once": (request, nth) =>
    soon(...(nth === 1 ? [answerTo(request)[0]!.slice(0, 20)] : answerTo(request))),
  "sends damaged answers": (request) => soon(answerTo(request)[0]!.slice(0, 20)),
  "answers late": (request) => answerTo(request).map((hex) => ({ hex, after: 500 })),
  "sends noise before the answer": (request) => soon("00", "ffffffff", "fffffffe01", ...answerTo(request)),
  "puts text into its challenge": (request, nth) =>
    nth === 1 ? soon(messages.TEXT_CHALLENGE) : soon(...answerTo(request)),
  "speaks the old dialect": (request) =>
    request.startsWith("ffffffff54") ? soon(messages.LEGACY) : soon(...answerTo(request)),
  "speaks both dialects": (request) =>
    request.startsWith("ffffffff54") ? soon(messages.LEGACY, messages.INFO) : soon(...answerTo(request)),
  "sends fragments backwards": (request) => soon(...[...answerTo(request)].reverse()),
  "loses the last fragment once": (request, nth) =>
    soon(...(nth === 1 ? answerTo(request).slice(0, 1) : answerTo(request))),
  "loses the last fragment always": (request) =>
    soon(...(request.startsWith("ffffffff56") ? answerTo(request).slice(0, -1) : answerTo(request))),
  "sends the rest after a second question": (request, nth) =>
    soon(...(nth === 1 ? answerTo(request).slice(0, 1) : answerTo(request).slice(1))),
  "asks for a challenge amid fragments": (request, nth) =>
    nth === 1
      ? soon(messages.RULES_SPLIT[0]!, messages.challengeOf(CHALLENGE))
      : soon(...answerTo(request).slice(isChallenged(request) ? 0 : 1)),
  "sends fragments of another answer": (request) =>
    soon(...(request.startsWith("ffffffff55") ? messages.RULES_SPLIT : answerTo(request))),
  "cuts a whole message into fragments": (request) =>
    soon(...(request.startsWith("ffffffff56") ? messages.RULES_SPLIT : splitOf(answerTo(request)[0]!))),
  "sends a damaged message in fragments": (request) => soon(...splitOf(answerTo(request)[0]!.slice(0, 20))),
  "sends a compressed answer that is none": (request) =>
    soon("feffffff010000800100e0040a00000000000000425a6839", ...answerTo(request)),
  "refuses in fragments": () => soon(...splitOf(messages.BANNED)),
  "gives a challenge in fragments": (request, nth) =>
    soon(...(nth === 1 ? splitOf(messages.challengeOf(CHALLENGE)) : answerTo(request)))
}

const visitOf = (query: keyof typeof QUERIES): Visit =>
  new Visit(
    { queries: QUERIES[query], patience: new ScanPatience(SETTINGS), reassemblers: new Reassemblers() },
    "127.0.0.1:27015",
    "127.0.0.1",
    27_015,
    1
  )

const tagOf = <A>(result: Result.Result<A, { readonly _tag: string }>): A | string =>
  Result.isFailure(result) ? result.failure._tag : result.success

/** What an error says besides how long it took, and if `all` how many datagrams. */
const tellsOf = <A>(result: Result.Result<A, object>, all: boolean): object | undefined => {
  if (Result.isSuccess(result)) return undefined
  const untold = new Set(["message", "sent", "timeoutMs", ...(all ? [] : ["received"])])
  return Object.fromEntries(Object.entries(result.failure).filter(([key]) => !untold.has(key)))
}

describe.each(Object.entries(SERVERS))("a server that %s", (_, server) => {
  it.each(["info", "players", "rules"] as const)("gives the same to a visit and to a query: %s", (name) => {
    const expected = drive(new QueryExchange(QUERIES[name][0]!, SETTINGS), server)
    const visit = visitOf(name)
    const actual = drive(visit, server)
    expect(tagOf(actual.result)).toEqual(tagOf(expected.result))
    // Their patience is not the same; where they have asked as often, they have heard as much.
    const asMuch = actual.sent.length === expected.sent.length
    expect(tellsOf(actual.result, asMuch)).toEqual(tellsOf(expected.result, asMuch))
    const outcome = visit.outcome()
    expect(outcome.sent).toBe(actual.sent.length)
    if (Result.isFailure(expected.result))
      expect(outcome).toMatchObject({ _tag: "Failed", error: { _tag: tagOf(actual.result) } })
    else expect(outcome).toMatchObject({ _tag: "Answered", [name]: expected.result.success, rttMs: expect.any(Number) })
  })
})

/** Drives a visit of all three. */
const outcomeOf = (server: Server) => {
  const visit = visitOf("all")
  const course = drive(visit, server)
  return { outcome: visit.outcome(), course, visit }
}

describe("a visit that a query takes over", () => {
  it("has sent what it says, and no more than the query would", () => {
    for (const name of ["never has enough of challenges", "gives a challenge and nothing else"]) {
      const visit = visitOf("info")
      const { result, sent } = drive(visit, SERVERS[name]!)
      const error = Result.getOrThrow(Result.flip(result))
      if ("sent" in error) expect(error.sent).toBe(sent.length)
      else expect(sent).toHaveLength(MAX_CHALLENGE_ROUNDS + 1)
    }
  })
})

describe("INFO, PLAYER and RULES of one server", () => {
  it("take one challenge for all", () => {
    const { course, outcome } = outcomeOf(wellBehaved)
    expect(outcome).toMatchObject({
      _tag: "Answered",
      info: messages.infoReply,
      players: messages.playersReply,
      rules: messages.rulesReply,
      sent: 4
    })
    expect(course.sent.map(({ hex }) => hex.slice(8, 10))).toEqual(["54", "54", "55", "56"])
  })

  it("say which part is missing", () => {
    const { outcome } = outcomeOf((request, nth, at) =>
      request.startsWith("ffffffff55") ? [] : wellBehaved(request, nth, at)
    )
    expect(outcome).toMatchObject({
      info: messages.infoReply,
      rules: messages.rulesReply,
      errors: { players: { _tag: "Timeout" } }
    })
    expect(outcome).not.toHaveProperty("players")
  })

  it("are not all asked for where INFO is not answered", () => {
    const { course, outcome } = outcomeOf(() => [])
    expect(outcome).toMatchObject({ _tag: "Failed", error: { _tag: "Timeout", sent: 5 }, sent: 5 })
    expect(course.sent.every(({ hex }) => hex.startsWith("ffffffff54"))).toBe(true)
  })

  it("have an empty list of players where INFO has nobody and PLAYER is silent", () => {
    const nobody = toHex(Result.getOrThrow(InfoReply.encode({ ...messages.infoReply, players: 0 })))
    const silentToPlayer =
      (info: string): Server =>
      (request, nth, at) => {
        if (request.startsWith("ffffffff54") && isChallenged(request)) return soon(info)
        return request.startsWith("ffffffff55") ? [] : wellBehaved(request, nth, at)
      }
    const { course, outcome, visit } = outcomeOf(silentToPlayer(nobody))
    expect(outcome).toMatchObject({
      players: { announced: 0, players: [] },
      playersAssumed: true,
      rules: messages.rulesReply
    })
    expect(outcome).not.toHaveProperty("errors")
    expect(course.endedAt).toBeLessThan(400)
    expect(visit.wasResent).toBe(false)
    expect(outcomeOf(silentToPlayer(messages.INFO)).outcome).toMatchObject({ errors: { players: { _tag: "Timeout" } } })
    expect(outcomeOf(wellBehaved).outcome).not.toHaveProperty("playersAssumed")
  })

  it("survive a refused part", () => {
    const { outcome } = outcomeOf((request, nth, at) =>
      request.startsWith("ffffffff56") ? soon(messages.BANNED) : wellBehaved(request, nth, at)
    )
    expect(outcome).toMatchObject({ players: messages.playersReply, errors: { rules: { _tag: "Refused" } } })
  })

  it("carry the old dialect's INFO along", () => {
    const { outcome } = outcomeOf((request) =>
      request.startsWith("ffffffff54") ? soon(messages.LEGACY, messages.INFO) : soon(...answerTo(request))
    )
    expect(outcome).toMatchObject({
      info: messages.infoReply,
      legacy: messages.legacyReply,
      rules: messages.rulesReply
    })
  })
})

describe("the round trip", () => {
  const losing =
    (server: Server, lost: number): Server =>
    (request, nth, at) =>
      nth === lost ? [] : server(request, nth, at)
  const open: Server = (request) => soon(...answerTo(request))
  const rttOf = (query: keyof typeof QUERIES, server: Server) => {
    const visit = visitOf(query)
    drive(visit, server)
    const { rttAmbiguous, rttMs } = visit.outcome() as { rttMs: number; rttAmbiguous?: true }
    return { rttMs: Math.round(rttMs * 1e6) / 1e6, rttAmbiguous }
  }

  it.each([
    ["answers at once", open, undefined],
    ["wants a challenge", wellBehaved, undefined],
    ["loses the first request", losing(open, 1), true],
    ["loses the request with the challenge", losing(wellBehaved, 2), undefined],
    ["loses the challenge", losing(wellBehaved, 1), undefined]
  ] as const)("of a server that %s is a fact or is marked", (_, server, rttAmbiguous) => {
    expect(rttOf("info", server)).toEqual({ rttMs: 20, rttAmbiguous })
  })

  it.each([
    ["gives a challenge", wellBehaved],
    ["gives none", open]
  ] as const)("is marked for one that delays everything by 900 ms and %s", (_, server) => {
    const slow: Server = (request, nth, at) => server(request, nth, at).map(({ hex }) => ({ hex, after: 900 }))
    expect(rttOf("info", slow).rttAmbiguous).toBe(true)
  })

  it("is that of INFO, however long the others take", () => {
    const slow: Server = (request) =>
      answerTo(request).map((hex) => ({ hex, after: request.startsWith("ffffffff54") ? 20 : 70 }))
    expect(rttOf("all", slow)).toEqual({ rttMs: 20, rttAmbiguous: undefined })
    expect(rttOf("all", losing(slow, 2))).toEqual({ rttMs: 20, rttAmbiguous: undefined })
  })

  it("is known from PLAYER where INFO was asked for twice", () => {
    expect(rttOf("all", losing(open, 1))).toEqual({ rttMs: 20, rttAmbiguous: undefined })
    expect(rttOf("all", losing(losing(open, 1), 3)).rttAmbiguous).toBeUndefined()
  })
})

it("tells whether a question had to be repeated", () => {
  expect(outcomeOf(wellBehaved).visit.wasResent).toBe(false)
  expect(outcomeOf((request, nth, at) => (nth === 3 ? [] : wellBehaved(request, nth, at))).visit.wasResent).toBe(true)
})

it("a fault after INFO leaves what is there", () => {
  const visit = visitOf("all")
  visit.start(0)
  visit.receive(bytesOf(messages.INFO), 10)
  const error = Result.getOrThrow(Result.flip(drive(visitOf("info"), () => []).result))
  visit.fail(error)
  expect(visit.outcome()).toMatchObject({ info: messages.infoReply, errors: { players: error, rules: error } })
})
