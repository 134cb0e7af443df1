/** Tests exchanges for one query and for all three queries, with many kinds of servers. */
import { clientClosed } from "../../src/engine/QueryError.ts"
import { describe, expect, it } from "@effect/vitest"
import { InfoReply, toHex } from "@sourcewire/protocol"
import { encodeAs, InvalidOption, splitDatagram } from "@sourcewire/protocol/wire"
import * as Result from "effect/Result"
import { RoundTrip } from "../../src/engine/Retry.ts"
import * as Query from "../../src/query/Query.ts"
import { QueryExchange } from "../../src/query/QueryExchange.ts"
import type { ServerQuery, ServerReply } from "../../src/query/ServerExchange.ts"
import { makeExchange as exchangeFor, ServerExchange } from "../../src/query/ServerExchange.ts"
import { Step } from "../../src/engine/Exchange.ts"
import { CHALLENGE_CACHE_MS, MAX_TARGET_DATAGRAMS } from "../../src/Limits.ts"
import type { Reply, Server } from "../drive.ts"
import { parseHex, drive } from "../drive.ts"
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

const splitHex = (hex: string): ReadonlyArray<string> =>
  splitDatagram(parseHex(hex), { layout: "source", id: 9, maxBytes: 12 + Math.ceil(hex.length / 4) }).map((fragment) =>
    toHex(fragment)
  )

/** A server that requires a challenge for each query. */
const normalServer: Server = (request) =>
  isChallenged(request) ? soon(...answerTo(request)) : soon(messages.challengeHex(CHALLENGE))

const SERVERS: Readonly<Record<string, Server>> = {
  "requires a challenge": normalServer,
  "requires no challenge": (request) => soon(...answerTo(request)),
  "never replies": () => [],
  "loses the first request": (request, nth, at) => (nth === 1 ? [] : normalServer(request, nth, at)),
  "loses the first reply after a challenge": (request, nth, at) => (nth === 2 ? [] : normalServer(request, nth, at)),
  "sends challenges only": (request) => (isChallenged(request) ? [] : soon(messages.challengeHex(CHALLENGE))),
  "requires another challenge after the first challenge": (request) =>
    isChallenged(request, "01020304")
      ? soon(...answerTo(request))
      : soon(messages.challengeHex(isChallenged(request) ? "01020304" : CHALLENGE)),
  "sends a new challenge each time": (_, nth) =>
    soon(messages.challengeHex(`000000${nth.toString(16).padStart(2, "0")}`)),
  "sends everything twice": (request, nth, at) => {
    const replies = normalServer(request, nth, at)
    return [...replies, ...replies]
  },
  "first replies with another kind of message": (request, nth) =>
    nth === 1 ? soon(messages.PONG) : soon(...answerTo(request)),
  "always replies with another kind of message": () => soon(messages.PONG),
  "rejects with 0x6C": () => soon(messages.BANNED),
  "rejects with 0x39": () => soon(messages.REJECTED),
  "sends a damaged reply once": (request, nth) =>
    soon(...(nth === 1 ? [answerTo(request)[0]!.slice(0, 20)] : answerTo(request))),
  "sends damaged replies": (request) => soon(answerTo(request)[0]!.slice(0, 20)),
  "replies late": (request) => answerTo(request).map((hex) => ({ hex, after: 500 })),
  "sends malformed datagrams before the reply": (request) => soon("00", "ffffffff", "fffffffe01", ...answerTo(request)),
  "sends text as its challenge": (request, nth) =>
    nth === 1 ? soon(messages.TEXT_CHALLENGE) : soon(...answerTo(request)),
  "uses the old dialect": (request) =>
    request.startsWith("ffffffff54") ? soon(messages.LEGACY) : soon(...answerTo(request)),
  "uses both dialects": (request) =>
    request.startsWith("ffffffff54") ? soon(messages.LEGACY, messages.INFO) : soon(...answerTo(request)),
  "sends fragments in reverse order": (request) => soon(...[...answerTo(request)].reverse()),
  "loses the last fragment once": (request, nth) =>
    soon(...(nth === 1 ? answerTo(request).slice(0, 1) : answerTo(request))),
  "always loses the last fragment": (request) =>
    soon(...(request.startsWith("ffffffff56") ? answerTo(request).slice(0, -1) : answerTo(request))),
  "sends one fragment after the first request, and the other fragments after later requests": (request, nth) =>
    soon(...(nth === 1 ? answerTo(request).slice(0, 1) : answerTo(request).slice(1))),
  "sends a challenge between fragments": (request, nth) =>
    nth === 1
      ? soon(messages.RULES_SPLIT[0]!, messages.challengeHex(CHALLENGE))
      : soon(...answerTo(request).slice(isChallenged(request) ? 0 : 1)),
  "sends fragments of another reply": (request) =>
    soon(...(request.startsWith("ffffffff55") ? messages.RULES_SPLIT : answerTo(request))),
  "splits a short message into fragments": (request) =>
    soon(...(request.startsWith("ffffffff56") ? messages.RULES_SPLIT : splitHex(answerTo(request)[0]!))),
  "sends a damaged message in fragments": (request) => soon(...splitHex(answerTo(request)[0]!.slice(0, 20))),
  "sends a compressed reply that is invalid": (request) =>
    soon("feffffff010000800100e0040a00000000000000425a6839", ...answerTo(request)),
  "rejects in fragments": () => soon(...splitHex(messages.BANNED)),
  "sends a challenge in fragments": (request, nth) =>
    soon(...(nth === 1 ? splitHex(messages.challengeHex(CHALLENGE)) : answerTo(request)))
}

const newExchange = (query: ServerQuery) => exchangeFor(query, SETTINGS, new RoundTrip())
const exchangeOfAll = (): ServerExchange => new ServerExchange(SETTINGS, new RoundTrip())

const nameResult = ({ result }: ReturnType<typeof newExchange>): string =>
  Result.isFailure(result!) ? (result.failure as { readonly _tag: string })._tag : result!.success._tag

/**
 * The tags of the results of INFO, PLAYER and RULES. If a server is not in this table, the tags are `InfoReply`, `PlayersReply` and
 * `RulesReply`.
 */
const ENDS: Readonly<Record<string, readonly [info: string, players: string, rules: string]>> = {
  "never replies": ["Timeout", "Timeout", "Timeout"],
  "sends challenges only": ["Timeout", "Timeout", "Timeout"],
  "sends a new challenge each time": ["TooManyChallenges", "TooManyChallenges", "TooManyChallenges"],
  "always replies with another kind of message": ["UnexpectedReply", "UnexpectedReply", "UnexpectedReply"],
  "rejects with 0x6C": ["Refused", "Refused", "Refused"],
  "rejects with 0x39": ["Refused", "Refused", "Refused"],
  "rejects in fragments": ["Refused", "Refused", "Refused"],
  "sends damaged replies": ["Malformed", "PlayersReply", "Malformed"],
  "sends a damaged message in fragments": ["Malformed", "PlayersReply", "Malformed"],
  "sends fragments of another reply": ["InfoReply", "UnexpectedReply", "RulesReply"],
  "uses the old dialect": ["GoldSourceInfoReply", "PlayersReply", "RulesReply"]
}

it.each(Object.entries(SERVERS))("the exchange has the correct result if the server %s", (name, server) => {
  const ends = (["info", "players", "rules"] as const).map((query) => {
    const exchange = newExchange(query)
    const course = drive(exchange, server)
    expect(exchange.sent).toBe(course.sent.length)
    return nameResult(exchange)
  })
  expect(ends).toEqual(ENDS[name] ?? ["InfoReply", "PlayersReply", "RulesReply"])
})

it.each(Object.entries(SERVERS))(
  "after a reset, an exchange equals a new exchange, even if the previous server %s",
  (_, server) => {
    for (const query of [Query.info, Query.players, Query.rules] as ReadonlyArray<Query.Query<ServerReply>>) {
      const roundTrip = new RoundTrip()
      const exchange = new QueryExchange(query, SETTINGS, roundTrip)
      drive(exchange, server)
      exchange.reset()
      // A reset does not clear the times of old transmissions, because the exchange never reads these times again.
      const { retry } = exchange as unknown as { readonly retry: object }
      Object.assign(retry, { firstSentAt: [0, 0, 0] })
      expect(exchange).toStrictEqual(new QueryExchange(query, SETTINGS, roundTrip))
    }
  }
)

/** Runs all three queries. */
const ask = (server: Server) => {
  const exchange = exchangeOfAll()
  const course = drive(exchange, server)
  return { course, exchange, replies: exchange.replies }
}

/** A server that does not reply to requests of the given type (in hex). */
const silentTo =
  (type: string, server: Server = normalServer): Server =>
  (request, nth, at) =>
    request.startsWith(`ffffffff${type}`) ? [] : server(request, nth, at)

describe("INFO, PLAYER and RULES of one server", () => {
  it("use the same challenge", () => {
    const { course, exchange, replies } = ask(normalServer)
    expect(replies).toEqual({
      info: messages.infoReply,
      players: messages.playersReply,
      rules: messages.rulesReply
    })
    expect([exchange.sent, exchange.received]).toEqual([4, 1 + 1 + 1 + messages.RULES_SPLIT.length])
    expect(course.sent.map(({ hex }) => hex.slice(8, 10))).toEqual(["54", "54", "55", "56"])
  })

  it("request a new challenge if the first challenge has expired", () => {
    const slow: Server = (request, nth, at) =>
      request.startsWith("ffffffff54") && isChallenged(request)
        ? [{ hex: messages.INFO, after: CHALLENGE_CACHE_MS }]
        : normalServer(request, nth, at)
    const course = drive(new ServerExchange({ ...SETTINGS, retries: 0 }, new RoundTrip()), slow)
    expect(course.sent.find(({ hex }) => hex.startsWith("ffffffff55"))!.hex).toBe(messages.ASK_PLAYERS)
  })

  it("return the other parts, and an error for PLAYER, if PLAYER gets no reply", () => {
    const { replies } = ask(silentTo("55"))
    expect(replies).toMatchObject({
      info: messages.infoReply,
      rules: messages.rulesReply,
      errors: { players: { _tag: "Timeout" } }
    })
    expect(replies).not.toHaveProperty("players")
  })

  it("the errors of PLAYER and RULES state that the server is up if the server has replied to INFO", () => {
    const { errors } = ask((request) => (request.startsWith("ffffffff54") ? soon(messages.INFO) : [])).replies
    for (const error of [errors!.players!, errors!.rules!]) {
      expect(error).toMatchObject({ _tag: "Timeout", phase: "request" })
      expect(error.message).toMatch(
        /^No reply to A2S_\w+ within \d+ ms, sent .*The server is up, because it replied to INFO/
      )
      expect(error.message).not.toMatch(/may be down/)
    }
    expect(drive(exchangeOfAll(), () => []).result).toMatchObject({
      failure: { message: expect.stringMatching(/may be down/) }
    })
  })

  it("if INFO gets no reply, only INFO is sent, and the result is Timeout", () => {
    const exchange = exchangeOfAll()
    const { result, sent } = drive(exchange, () => [])
    expect(result).toMatchObject({ failure: { _tag: "Timeout", sent: 5 } })
    expect(exchange.sent).toBe(5)
    expect(sent.every(({ hex }) => hex.startsWith("ffffffff54"))).toBe(true)
  })

  it("return an empty list of players if INFO reports 0 players and PLAYER times out", () => {
    const emptyInfo = toHex(Result.getOrThrow(encodeAs(InfoReply, { ...messages.infoReply, players: 0 })))
    const empty: Server = (request, nth, at) =>
      request.startsWith("ffffffff54") && isChallenged(request) ? soon(emptyInfo) : normalServer(request, nth, at)
    const { course, exchange, replies } = ask(silentTo("55", empty))
    expect(replies).toMatchObject({
      players: { announced: 0, players: [] },
      playersAssumed: true,
      rules: messages.rulesReply
    })
    expect(replies).not.toHaveProperty("errors")
    expect(course.endedAt).toBeLessThan(400)
    expect(exchange.repeated).toBe(false)
    expect(ask(silentTo("55")).replies).toMatchObject({ errors: { players: { _tag: "Timeout" } } })
    expect(ask(normalServer).replies).not.toHaveProperty("playersAssumed")
  })

  it("return the other parts, and an error for RULES, if the server rejects RULES", () => {
    const { replies } = ask((request, nth, at) =>
      request.startsWith("ffffffff56") ? soon(messages.BANNED) : normalServer(request, nth, at)
    )
    expect(replies).toMatchObject({ players: messages.playersReply, errors: { rules: { _tag: "Refused" } } })
  })

  it("return INFO in both dialects if the server replies in both dialects", () => {
    const { replies } = ask((request) =>
      request.startsWith("ffffffff54") ? soon(messages.LEGACY, messages.INFO) : soon(...answerTo(request))
    )
    expect(replies).toMatchObject({
      info: messages.infoReply,
      legacy: messages.legacyReply,
      rules: messages.rulesReply
    })
  })

  it("call `onReply` for each query that succeeds", () => {
    const observed: Array<string> = []
    const onReply = ({ query }: { readonly query: { readonly name: string } }): void => void observed.push(query.name)
    drive(new ServerExchange(SETTINGS, new RoundTrip(), { onReply }), silentTo("55"))
    expect(observed).toEqual(["info", "rules"])
  })

  it("return the requested parts, and return INFO even if INFO is not requested", () => {
    for (const [parts, expected] of [
      [["players"], ["info", "players"]],
      [
        ["info", "rules"],
        ["info", "rules"]
      ],
      [["info"], ["info"]]
    ] as const) {
      const exchange = new ServerExchange(SETTINGS, new RoundTrip(), { parts })
      drive(exchange, normalServer)
      expect(Object.keys(exchange.replies)).toEqual(expected)
    }
  })

  it("end at the total timeout, and return the replies that have arrived", () => {
    const exchange = new ServerExchange(SETTINGS, new RoundTrip(), { totalTimeoutMs: 1000 })
    expect(drive(exchange, silentTo("55")).endedAt).toBe(1000)
    const { errors, info } = exchange.replies
    expect(info).toEqual(messages.infoReply)
    expect(errors?.players?.message).toMatch(/within 1000 ms/)
    expect(errors?.rules?._tag).toBe("Timeout")
    const silent = new ServerExchange(SETTINGS, new RoundTrip(), { totalTimeoutMs: 500 })
    expect(drive(silent, () => []).endedAt).toBe(500)
    expect(nameResult(silent)).toBe("Timeout")
  })

  it("return the replies that arrived before an error ended the exchange, and this error for the other parts", () => {
    const exchange = exchangeOfAll()
    exchange.start(0)
    exchange.receive(parseHex(messages.INFO), 10)
    const error = clientClosed()
    expect(exchange.fail(error)).toBe(Step.Done)
    expect(exchange.replies).toEqual({ info: messages.infoReply, errors: { players: error, rules: error } })
    expect([exchange.fail(clientClosed()), exchange.receive(parseHex(messages.PLAYERS), 20)]).toEqual([
      Step.Done,
      Step.Done
    ])
    expect(exchange.replies.errors).toEqual({ players: error, rules: error })
  })
})

it("the exchange counts the server as up after a challenge, but not after an unexpected reply", () => {
  const exchange = exchangeOfAll()
  exchange.start(0)
  exchange.receive(parseHex(messages.PONG), 5)
  expect(exchange.hasReplied).toBe(false)
  exchange.receive(parseHex(messages.challengeHex(CHALLENGE)), 10)
  expect(exchange.hasReplied).toBe(true)
  exchange.receive(parseHex(messages.INFO), 20)
  expect(exchange.hasReplied).toBe(true)
})

it("the exchange does not count a late reply to INFO as a reply to PLAYER", () => {
  const exchange = exchangeOfAll()
  exchange.start(0)
  expect(exchange.expire(exchange.deadline)).toBe(Step.Send)
  exchange.receive(parseHex(messages.INFO), 320)
  expect([exchange.rtt?.rttAmbiguous, exchange.outstanding]).toEqual([true, 2])
  const { deadline } = exchange
  expect(deadline).toBeGreaterThan(600)
  // If this reply to INFO counted as a reply to PLAYER, PLAYER would be retransmitted sooner.
  expect(exchange.receive(parseHex(messages.INFO), 610)).toBe(Step.Wait)
  expect([exchange.rtt, exchange.outstanding, exchange.deadline]).toEqual([
    { rttMs: 320, rttAmbiguous: true },
    1,
    deadline
  ])
})

it("the exchange does not count a late challenge as a reply to the current query", () => {
  const roundTrip = new RoundTrip()
  const exchange = new ServerExchange(SETTINGS, roundTrip)
  const challenge = parseHex(messages.challengeHex(CHALLENGE))
  exchange.start(0)
  exchange.receive(challenge, 10)
  exchange.receive(parseHex(messages.INFO), 20)
  // The server replies only to a PLAYER request without the challenge.
  while (toHex(exchange.packet) !== messages.ASK_PLAYERS) exchange.expire(exchange.deadline)
  exchange.receive(parseHex(messages.PLAYERS), CHALLENGE_CACHE_MS + 100)
  expect(toHex(exchange.packet)).toBe(messages.ASK_RULES)
  const { smoothedMs } = roundTrip
  exchange.receive(challenge, CHALLENGE_CACHE_MS + 190)
  expect(roundTrip.smoothedMs).toBe(smoothedMs)
})

describe("the round-trip time", () => {
  const losing =
    (server: Server, lost: number): Server =>
    (request, nth, at) =>
      nth === lost ? [] : server(request, nth, at)
  const open: Server = (request) => soon(...answerTo(request))
  const measureRtt = (query: ServerQuery, server: Server) => {
    const exchange = newExchange(query)
    drive(exchange, server)
    const { rttAmbiguous, rttMs } = exchange.rtt!
    return { rttMs: Math.round(rttMs * 1e6) / 1e6, rttAmbiguous }
  }

  it.each([
    ["exact if the server replies immediately", open, undefined],
    ["exact if the server requires a challenge", normalServer, undefined],
    ["ambiguous if the server loses the first request", losing(open, 1), true],
    ["exact if the server loses the request with the challenge", losing(normalServer, 2), undefined],
    ["exact if the server loses the challenge", losing(normalServer, 1), undefined]
  ] as const)("is %s", (_, server, rttAmbiguous) => {
    expect(measureRtt("info", server)).toEqual({ rttMs: rttAmbiguous === true ? 320 : 20, rttAmbiguous })
  })

  it.each([
    ["requires a challenge", normalServer],
    ["requires no challenge", open]
  ] as const)("is ambiguous if the server replies after 900 ms and %s", (_, server) => {
    const slow: Server = (request, nth, at) => server(request, nth, at).map(({ hex }) => ({ hex, after: 900 }))
    expect(measureRtt("info", slow).rttAmbiguous).toBe(true)
  })

  it("is measured with INFO, even if the other queries take longer", () => {
    const slow: Server = (request) =>
      answerTo(request).map((hex) => ({ hex, after: request.startsWith("ffffffff54") ? 20 : 70 }))
    expect(measureRtt("all", slow)).toEqual({ rttMs: 20, rttAmbiguous: undefined })
    expect(measureRtt("all", losing(slow, 2))).toEqual({ rttMs: 20, rttAmbiguous: undefined })
  })

  it("is measured with PLAYER if INFO was sent twice, and with RULES if PLAYER was sent twice, too", () => {
    expect(measureRtt("all", losing(open, 1))).toEqual({ rttMs: 20, rttAmbiguous: undefined })
    expect(measureRtt("all", losing(losing(open, 1), 3)).rttAmbiguous).toBeUndefined()
  })
})

it("the exchange reports whether a request was retransmitted", () => {
  expect(ask(normalServer).exchange.repeated).toBe(false)
  expect(ask((request, nth, at) => (nth === 3 ? [] : normalServer(request, nth, at))).exchange.repeated).toBe(true)
})

it.each([
  ["fragments", messages.RULES_SPLIT[0]!],
  ["challenges", messages.challengeHex(CHALLENGE)],
  ["unrelated messages", messages.PONG]
])("the exchange ends with LimitExceeded during an endless flood of %s", (_, hex) => {
  const exchange = newExchange("rules")
  exchange.start(0)
  for (let i = 0; i < MAX_TARGET_DATAGRAMS; i++) expect(exchange.receive(parseHex(hex), 1)).not.toBe(Step.Done)
  expect(exchange.receive(parseHex(hex), 1)).toBe(Step.Done)
  expect(exchange.result).toMatchObject({ failure: { _tag: "LimitExceeded", limit: "MAX_TARGET_DATAGRAMS" } })
})

it("the exchange fails with InvalidOption if the option `random` throws when PLAYER or RULES is sent", () => {
  for (const [isConcurrent, draw] of [false, true].flatMap((one) => [3, 4].map((at) => [one, at] as const))) {
    const mistake = new InvalidOption({ message: "random must return a number, but threw: no dice", option: "random" })
    let draws = 0
    const random = (): number => {
      if (++draws === draw) throw mistake
      return 0.5
    }
    const exchange = new ServerExchange({ ...SETTINGS, random }, new RoundTrip(), { isConcurrent })
    expect(drive(exchange, normalServer).result).toEqual(Result.fail(mistake))
  }
})

it.each([false, true])(
  "after a reset, the exchange no longer reports the earlier retransmissions (PLAYER and RULES in flight together: %s)",
  (isConcurrent) => {
    for (const lost of [1, 3]) {
      const exchange = new ServerExchange(SETTINGS, new RoundTrip(), { isConcurrent })
      drive(exchange, (request, nth, at) => (nth === lost ? [] : normalServer(request, nth, at)))
      expect(exchange.repeated).toBe(true)
      exchange.reset()
      expect(exchange.repeated).toBe(false)
      drive(exchange, normalServer)
      expect([exchange.repeated, exchange.sent]).toEqual([false, 4])
    }
  }
)

describe("PLAYER and RULES with the option `isConcurrent`", () => {
  const concurrent = (roundTrip = new RoundTrip()): ServerExchange =>
    new ServerExchange(SETTINGS, roundTrip, { isConcurrent: true })
  const askBoth = (server: Server) => {
    const exchange = concurrent()
    const course = drive(exchange, server)
    return { course, exchange, kinds: course.sent.map(({ hex }) => hex.slice(8, 10)) }
  }
  /**
   * Returns the replies, and the tags of the errors. The complete errors are not compared, because they contain the numbers of sent and
   * received datagrams.
   */
  const comparable = ({ replies }: ServerExchange) => ({
    ...replies,
    errors: Object.entries(replies.errors ?? {}).map(([part, error]) => [part, error._tag])
  })

  it("reduce the round trips of an exchange from four to three, and need no additional datagrams", () => {
    const { course, exchange, kinds } = askBoth(normalServer)
    expect(kinds).toEqual(["54", "54", "55", "56"])
    expect([course.endedAt, exchange.sent, exchange.received]).toEqual([61, 4, 3 + messages.RULES_SPLIT.length])
    expect(drive(exchangeOfAll(), normalServer).endedAt).toBe(80)
  })

  it("are sent one after the other if the server replies immediately or requires no challenge", () => {
    for (const server of [
      ((request, nth, at) => normalServer(request, nth, at).map(({ hex }) => ({ hex, after: 0.5 }))) satisfies Server,
      SERVERS["requires no challenge"]!
    ]) {
      expect(askBoth(server).course.sent).toEqual(drive(exchangeOfAll(), server).sent)
    }
  })

  it.each(Object.entries(SERVERS))("have the same results as without the option if the server %s", (_, server) => {
    const after = exchangeOfAll()
    drive(after, server)
    const { course, exchange } = askBoth(server)
    if (Result.isFailure(after.result!)) expect(nameResult(exchange)).toBe(nameResult(after))
    else expect(comparable(exchange)).toEqual(comparable(after))
    expect(exchange.sent).toBe(course.sent.length)
  })

  it.each(Object.entries(SERVERS))(
    "after a reset, the exchange returns the same replies as a new exchange, even if the previous server %s",
    (_, server) => {
      const sentBy = (exchange: ServerExchange) => drive(exchange, normalServer).sent
      // The exchanges of the single queries are kept for reuse. Another test shows that a reset makes these exchanges equal to new ones.
      const getFields = (exchange: ServerExchange) => ({ ...exchange, current: undefined, exchanges: undefined })
      const used = concurrent()
      drive(used, server)
      used.reset()
      Object.assign(used, { roundTrip: new RoundTrip() })
      expect(getFields(used)).toStrictEqual(getFields(concurrent()))
      expect([sentBy(used).map(({ hex }) => hex), used.replies]).toEqual([
        sentBy(concurrent()).map(({ hex }) => hex),
        ask(normalServer).replies
      ])
    }
  )

  it.each([
    ["requires a challenge for INFO", normalServer],
    ["requires no challenge for INFO", (request) => (request.startsWith("ffffffff54") ? soon(messages.INFO) : [])]
  ] as const satisfies ReadonlyArray<readonly [string, Server]>)(
    "end after one timeout instead of two if neither gets a reply (the server %s)",
    (_, server) => {
      const filtering = silentTo("55", silentTo("56", server))
      const { course, exchange } = askBoth(filtering)
      expect(exchange.replies.errors).toMatchObject({ players: { _tag: "Timeout" }, rules: { _tag: "Timeout" } })
      expect(course.endedAt).toBeLessThan(SETTINGS.timeoutMs + 500)
      expect(drive(exchangeOfAll(), filtering).endedAt).toBeGreaterThan(2 * SETTINGS.timeoutMs)
    }
  )

  it.each(["55", "56"])(
    "return one part, and a Timeout error for the other part, if the server drops all requests of type 0x%s",
    (type) => {
      for (const server of [
        normalServer,
        ((request, nth, at) =>
          request.startsWith("ffffffff54") ? soon(messages.INFO) : normalServer(request, nth, at)) satisfies Server
      ]) {
        const { course, exchange } = askBoth(silentTo(type, server))
        const [there, missing] = type === "55" ? (["rules", "players"] as const) : (["players", "rules"] as const)
        expect(exchange.replies).toHaveProperty(there)
        expect(exchange.replies.errors).toMatchObject({ [missing]: { _tag: "Timeout" } })
        expect(course.endedAt).toBeLessThan(SETTINGS.timeoutMs + 500)
      }
    }
  )

  it("are sent one after the other if the server requires a new challenge for each reply", () => {
    let valid = 0
    const fresh: Server = (request) => {
      if (isChallenged(request, `000000${valid.toString(16).padStart(2, "0")}`)) {
        valid = 0xff
        return soon(...answerTo(request))
      }
      valid = (valid + 1) % 0xf0
      return soon(messages.challengeHex(`000000${valid.toString(16).padStart(2, "0")}`))
    }
    const { exchange, kinds } = askBoth(fresh)
    expect(exchange.replies).toEqual(ask(normalServer).replies)
    // The PLAYER and RULES requests contain an old challenge, so the server sends two new challenges. Only the second challenge is valid.
    // From then on, one query at a time is in flight.
    expect(kinds.slice(0, 4)).toEqual(["54", "54", "55", "56"])
    expect(kinds.lastIndexOf("55")).toBeLessThan(kinds.lastIndexOf("56"))
    expect(exchange.repeated).toBe(false)
  })

  it("are sent one after the other if a new challenge arrives, because the challenge can belong to either query", () => {
    const changing: Server = (request) => {
      if (request.startsWith("ffffffff54")) return normalServer(request, 0, 0)
      return soon(...(isChallenged(request, "01020304") ? answerTo(request) : [messages.challengeHex("01020304")]))
    }
    const { course, exchange } = askBoth(changing)
    expect(exchange.replies).toEqual(ask(normalServer).replies)
    expect(course.sent.slice(1).map(({ at, hex }) => [at, hex.slice(8, 10), hex.slice(-8)])).toEqual([
      [20, "54", CHALLENGE],
      [40, "55", CHALLENGE],
      [41, "56", CHALLENGE],
      [60, "55", "01020304"],
      [80, "56", "01020304"]
    ])
    expect(exchange.rtt).toEqual({ rttMs: 20 })
  })

  it("a new challenge is assigned to RULES if the last RULES request contained no challenge, but the last PLAYER request contained one", () => {
    const roundTrip = new RoundTrip()
    // With this jitter, RULES is sent later than PLAYER, but retransmitted earlier than PLAYER.
    const jitter = [0.5, 0.5, 1, 0]
    const random = (): number => jitter.shift() ?? 0.5
    const exchange = new ServerExchange({ ...SETTINGS, random }, roundTrip, { isConcurrent: true })
    exchange.start(0)
    exchange.receive(parseHex(messages.challengeHex(CHALLENGE)), 20)
    exchange.receive(parseHex(messages.INFO), 40)
    exchange.expire(exchange.deadline)
    exchange.expire(exchange.deadline)
    expect(toHex(exchange.packet)).toBe(messages.ASK_RULES)
    exchange.receive(parseHex(messages.challengeHex("01020304")), exchange.deadline - 1)
    expect(toHex(exchange.packet)).toBe("ffffffff5601020304")
  })

  it("are complete even if the reply to RULES arrives while RULES is paused", () => {
    // The second challenge pauses RULES.
    const exchange = concurrent()
    exchange.start(0)
    exchange.receive(parseHex(messages.challengeHex(CHALLENGE)), 20)
    exchange.receive(parseHex(messages.INFO), 40)
    expect(exchange.expire(exchange.deadline)).toBe(Step.Send)
    expect(exchange.receive(parseHex(messages.challengeHex("01020304")), 60)).toBe(Step.Send)
    for (const fragment of messages.RULES_SPLIT) exchange.receive(parseHex(fragment), 61)
    expect(exchange.receive(parseHex(messages.PLAYERS), 80)).toBe(Step.Done)
    expect(exchange.replies).toEqual(ask(normalServer).replies)
    expect(exchange.sent).toBe(5)
  })

  it("have exact round-trip times, even if the fragments of the two replies are mixed", () => {
    const roundTrip = new RoundTrip()
    const exchange = concurrent(roundTrip)
    const samples: Array<number> = []
    const sample = roundTrip.sample.bind(roundTrip)
    roundTrip.sample = (rttMs) => {
      samples.push(rttMs)
      sample(rttMs)
    }
    const split = (hex: string, id: number) =>
      splitDatagram(parseHex(hex), { layout: "source", id, maxBytes: 12 + Math.ceil(hex.length / 4) })
    const [p1, p2] = split(messages.PLAYERS, 7)
    const [r1, r2] = split(messages.RULES, 8)
    exchange.start(0)
    exchange.receive(parseHex(messages.challengeHex(CHALLENGE)), 20)
    exchange.receive(parseHex(messages.INFO), 40)
    exchange.expire(41)
    for (const [fragment, at] of [
      [r1, 71],
      [p1, 75],
      [p2, 77],
      [r2, 79]
    ] as const)
      exchange.receive(fragment!, at)
    expect(exchange.replies).toMatchObject({ players: messages.playersReply, rules: { _tag: "RulesReply" } })
    expect(exchange.replies).not.toHaveProperty("errors")
    expect(samples).toEqual([20, 20, 35, 30])
  })

  it("are complete if a fragment of PLAYER arrived before RULES was sent", () => {
    const exchange = concurrent()
    const [p1, p2] = splitDatagram(parseHex(messages.PLAYERS), { layout: "source", id: 7, maxBytes: 40 })
    const [r1, ...rest] = messages.RULES_SPLIT.map(parseHex)
    exchange.start(0)
    exchange.receive(parseHex(messages.INFO), 20)
    exchange.receive(p1!, 40)
    exchange.expire(exchange.deadline)
    expect(exchange.expire(exchange.deadline)).toBe(Step.Send)
    expect(toHex(exchange.packet)).toBe(messages.ASK_RULES)
    exchange.receive(r1!, 300)
    exchange.receive(p2!, 301)
    for (const fragment of rest) exchange.receive(fragment, 302)
    expect(exchange.replies).toEqual(ask(normalServer).replies)
  })

  it("report a rejection as the error of RULES if the reply to PLAYER arrives after the rejection", () => {
    const refusing: Server = (request, nth, at) =>
      request.startsWith("ffffffff56") ? [{ hex: messages.BANNED, after: 5 }] : normalServer(request, nth, at)
    expect(askBoth(refusing).exchange.replies).toMatchObject({
      players: messages.playersReply,
      errors: { rules: { _tag: "Refused" } }
    })
  })

  it("end at the total timeout, and each query has its own error", () => {
    const exchange = new ServerExchange(SETTINGS, new RoundTrip(), { isConcurrent: true, totalTimeoutMs: 500 })
    const course = drive(exchange, silentTo("55", silentTo("56")))
    expect(course.endedAt).toBe(500)
    const { players, rules } = exchange.replies.errors!
    expect([players!.message, rules!.message]).toEqual([
      expect.stringMatching(/^No reply to A2S_PLAYER within 500 ms/),
      expect.stringMatching(/^No reply to A2S_RULES within 500 ms/)
    ])
    expect(exchange.sent).toBe(course.sent.length)
  })

  it("end with LimitExceeded during an endless flood of datagrams", () => {
    for (const hex of [messages.RULES_SPLIT[0]!, messages.challengeHex(CHALLENGE), messages.PONG]) {
      const exchange = concurrent()
      exchange.start(0)
      exchange.receive(parseHex(messages.challengeHex(CHALLENGE)), 20)
      exchange.receive(parseHex(messages.INFO), 40)
      exchange.expire(41)
      for (let i = 0; i < 2 * MAX_TARGET_DATAGRAMS + 2; i++) exchange.receive(parseHex(hex), 50)
      expect(exchange.replies.errors).toMatchObject({
        players: { _tag: "LimitExceeded" },
        rules: { _tag: "LimitExceeded" }
      })
    }
  })
})
