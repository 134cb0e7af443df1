import type { GoldSourceInfoReply, InfoReply } from "@sourcewire/protocol"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import type { Exchange } from "../../src/engine/Exchange.ts"
import { Step } from "../../src/engine/Exchange.ts"
import { withLifeSigns } from "../../src/query/lifeSigns.ts"
import { DEFAULT_RETRIES } from "../../src/Limits.ts"
import { RoundTrip } from "../../src/engine/Retry.ts"
import * as Query from "../../src/query/Query.ts"
import { QueryExchange } from "../../src/query/QueryExchange.ts"
import { ServerExchange } from "../../src/query/ServerExchange.ts"
import type { Server } from "../drive.ts"
import { parseHex, drive } from "../drive.ts"
import * as messages from "../messages.ts"

const settings = { timeoutMs: 3000, retries: DEFAULT_RETRIES, encoding: "auto", random: () => 0.5 } as const

const PING = "ffffffff70696e67"
const JOIN = "ffffffff6765746368616c6c656e6765"
const SIGNS = new Set([messages.ASK_PING, PING, JOIN])

const run = (server: Server, retries: number = DEFAULT_RETRIES) => {
  const exchange = new QueryExchange(Query.info, { ...settings, retries })
  let watched: Exchange<InfoReply | GoldSourceInfoReply> = exchange
  const course = drive(exchange, server, [], () => {
    watched = withLifeSigns(exchange, "A2S_INFO", { ...settings, retries }, 0)
    return watched
  })
  return { ...course, exchange, watched, signs: course.sent.filter(({ hex }) => SIGNS.has(hex)) }
}

const getFailure = (result: Result.Result<unknown, unknown>): unknown => Result.getOrThrow(Result.flip(result))

/** A server that replies only to these requests. */
const only =
  (replies: Readonly<Record<string, string>>, after = 20): Server =>
  (request) =>
    replies[request] === undefined ? [] : [{ hex: replies[request], after }]

describe("signs of life", () => {
  it("are requested one after the other near the end of the time limit if the server does not reply", () => {
    const { endedAt, result, sent, signs } = run(() => [])
    expect(signs).toEqual([
      { at: 2100, hex: messages.ASK_PING },
      { at: 2400, hex: PING },
      { at: 2700, hex: JOIN }
    ])
    expect(sent.length - signs.length).toBe(7)
    const failure = getFailure(result)
    expect(failure).toMatchObject({ _tag: "Timeout", phase: "request", sent: 7, received: 0 })
    expect(failure).not.toHaveProperty("alive")
    expect((failure as Error).message).toContain("may be down")
    expect(endedAt).toBe(3000)
  })

  it.each([
    ["A2A_PING", { [messages.ASK_PING]: "ffffffff6a00" }, 1],
    ["ping as text", { [PING]: "ffffffff61636b" }, 2],
    ["getchallenge, as ReHLDS does", { [JOIN]: messages.TEXT_CHALLENGE }, 3],
    ["getchallenge, as Xash3D does", { [JOIN]: "ffffffff6368616c6c656e6765202d3337382030" }, 3],
    ["getchallenge, as Quake 3 does", { [JOIN]: "ffffffff6368616c6c656e6765526573706f6e7365203132" }, 3]
  ])(
    "are no longer requested after the first sign of life has arrived, and the error states that the server is up: %s",
    (_, replies, count) => {
      const { endedAt, result, sent, signs } = run(only(replies))
      expect(getFailure(result)).toMatchObject({ _tag: "Timeout", phase: "request", alive: true, sent: 7, received: 0 })
      expect((getFailure(result) as Error).message).toMatch(/sent 7 times\. The server is up/)
      expect([signs.length, sent.length, endedAt]).toEqual([count, 7 + count, 3000])
    }
  )

  it("are not requested if a datagram has arrived", () => {
    for (const reply of [messages.INFO, messages.challengeHex("01020304"), messages.PONG, messages.RULES_SPLIT[0]!]) {
      const { signs } = run((request, nth) =>
        request === messages.ASK_INFO && nth === 1 ? [{ hex: reply, after: 9 }] : []
      )
      expect(signs).toEqual([])
    }
  })

  it("do not include datagrams that arrived before the signs were requested", () => {
    const { result } = run((request) => (request === messages.ASK_INFO ? [{ hex: messages.PONG, after: 9 }] : []))
    expect(getFailure(result)).toMatchObject({ _tag: "UnexpectedReply", type: 0x6a })
  })

  it("are not requested if the option `retries` is below the default", () => {
    const { result, sent } = run(only({ [messages.ASK_PING]: "ffffffff6a00" }), DEFAULT_RETRIES - 1)
    expect(getFailure(result)).not.toHaveProperty("alive")
    expect(sent).toHaveLength(7)
  })

  it("are not requested after the time limit has passed", () => {
    const exchange = new QueryExchange(Query.info, settings)
    exchange.start(0)
    const watched = withLifeSigns(exchange, "A2S_INFO", settings, 0)
    // The timer runs at 5000 ms, after the time limit, for example because the process was suspended.
    expect(watched.expire(5000)).toBe(Step.Done)
    expect(getFailure(watched.result!)).toMatchObject({ _tag: "Timeout", sent: 1 })
  })

  it("do not end the query: a reply that arrives later is still the result", () => {
    const late: Server = (request, nth) => {
      if (request === messages.ASK_PING) return [{ hex: messages.PONG, after: 20 }]
      return nth === 1 ? [{ hex: messages.INFO, after: 2900 }] : []
    }
    const { exchange, result, watched } = run(late)
    expect(Result.getOrThrow(result)._tag).toBe("InfoReply")
    // A reply to one of the requests for signs of life may still arrive on this socket.
    expect(watched.outstanding).toBe(exchange.outstanding + 1)
  })

  it("are not reported in the errors of PLAYER and RULES, because INFO has arrived", () => {
    const exchange = new ServerExchange(settings, new RoundTrip(), { isConcurrent: true })
    const server: Server = (request, nth) => {
      if (SIGNS.has(request)) return [{ hex: messages.PONG, after: 20 }]
      return nth === 1 ? [{ hex: messages.INFO, after: 2900 }] : []
    }
    const { endedAt, sent } = drive(exchange, server, [], () => withLifeSigns(exchange, "A2S_INFO", settings, 0))
    expect(sent.filter(({ hex }) => SIGNS.has(hex))).toEqual([{ at: 2100, hex: messages.ASK_PING }])
    expect(endedAt).toBeGreaterThan(2900 + settings.timeoutMs - 1)
    const { errors, info } = exchange.replies
    expect(info._tag).toBe("InfoReply")
    for (const error of [errors!.players!, errors!.rules!]) {
      expect(error).toMatchObject({ _tag: "Timeout", phase: "request" })
      expect(error.message).toContain("it replied to INFO")
      expect(error).not.toHaveProperty("alive")
    }
  })

  it("are not reported if a challenge arrives, because the challenge belongs to the query", () => {
    const { result } = run((request, nth) => {
      if (request === messages.ASK_PING) return [20, 500].map((after) => ({ hex: messages.PONG, after }))
      return nth === 1 ? [{ hex: messages.challengeHex("01020304"), after: 2500 }] : []
    })
    expect(getFailure(result)).toMatchObject({ phase: "challenge" })
    expect(getFailure(result)).not.toHaveProperty("alive")
  })
})

it("signs of life are not requested for an exchange that has received a datagram", () => {
  const exchange = new QueryExchange(Query.info, settings)
  exchange.start(0)
  exchange.receive(parseHex(messages.challengeHex("01020304")), 10)
  expect(withLifeSigns(exchange, "A2S_INFO", settings, 0)).toBe(exchange)
})

it("late replies to the previous exchange are still expected while signs of life are requested", () => {
  const exchange = new QueryExchange(Query.info, settings)
  exchange.expectLateReplies(2)
  exchange.start(0)
  expect(withLifeSigns(exchange, "A2S_INFO", settings, 0).outstanding).toBe(3)
})

it("signs of life are not requested before the first retransmission is due, even if the known round-trip time is long", () => {
  const roundTrip = new RoundTrip()
  roundTrip.sample(2000)
  const exchange = new QueryExchange(Query.info, settings, roundTrip)
  const { endedAt, sent } = drive(
    exchange,
    () => [],
    [],
    () => withLifeSigns(exchange, "A2S_INFO", settings, 0)
  )
  expect(sent.map(({ at }) => at)).toEqual([0, 2400, 2400, 2400, 2700])
  expect(endedAt).toBe(3000)
})

it("the number of transmissions in the error does not include requests for signs of life", () => {
  const { result, sent } = run(only({ [PING]: messages.PONG }))
  expect(getFailure(result)).toMatchObject({ alive: true, sent: sent.length - 2 })
})
