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

/** Replies to these requests only. */
const only =
  (replies: Readonly<Record<string, string>>, after = 20): Server =>
  (request) =>
    replies[request] === undefined ? [] : [{ hex: replies[request], after }]

describe("signs of life", () => {
  it("are requested near the end, one after the other, if a server answers nothing", () => {
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
    ["A2A_PING in words", { [PING]: "ffffffff61636b" }, 2],
    ["getchallenge, as ReHLDS does", { [JOIN]: messages.TEXT_CHALLENGE }, 3],
    ["getchallenge, as Xash3D does", { [JOIN]: "ffffffff6368616c6c656e6765202d3337382030" }, 3],
    ["getchallenge, as Quake 3 does", { [JOIN]: "ffffffff6368616c6c656e6765526573706f6e7365203132" }, 3]
  ])("%s: the error says so, and no further one is requested", (_, replies, count) => {
    const { endedAt, result, sent, signs } = run(only(replies))
    expect(getFailure(result)).toMatchObject({ _tag: "Timeout", phase: "request", alive: true, sent: 7, received: 0 })
    expect((getFailure(result) as Error).message).toMatch(/sent 7 times\. The server is up/)
    expect([signs.length, sent.length, endedAt]).toEqual([count, 7 + count, 3000])
  })

  it("are not requested if anything has arrived", () => {
    for (const reply of [messages.INFO, messages.challengeHex("01020304"), messages.PONG, messages.RULES_SPLIT[0]!]) {
      const { signs } = run((request, nth) =>
        request === messages.ASK_INFO && nth === 1 ? [{ hex: reply, after: 9 }] : []
      )
      expect(signs).toEqual([])
    }
  })

  it("do not include datagrams from before", () => {
    const { result } = run((request) => (request === messages.ASK_INFO ? [{ hex: messages.PONG, after: 9 }] : []))
    expect(getFailure(result)).toMatchObject({ _tag: "UnexpectedReply", type: 0x6a })
  })

  it("are not requested with fewer retries than by default", () => {
    const { result, sent } = run(only({ [messages.ASK_PING]: "ffffffff6a00" }), DEFAULT_RETRIES - 1)
    expect(getFailure(result)).not.toHaveProperty("alive")
    expect(sent).toHaveLength(7)
  })

  it("are not requested after the time limit", () => {
    const exchange = new QueryExchange(Query.info, settings)
    exchange.start(0)
    const watched = withLifeSigns(exchange, "A2S_INFO", settings, 0)
    // As if the process had been stopped.
    expect(watched.expire(5000)).toBe(Step.Done)
    expect(getFailure(watched.result!)).toMatchObject({ _tag: "Timeout", sent: 1 })
  })

  it("do not prevent a late reply", () => {
    const late: Server = (request, nth) => {
      if (request === messages.ASK_PING) return [{ hex: messages.PONG, after: 20 }]
      return nth === 1 ? [{ hex: messages.INFO, after: 2900 }] : []
    }
    const { exchange, result, watched } = run(late)
    expect(Result.getOrThrow(result)._tag).toBe("InfoReply")
    // Its reply may still arrive, and would look like a reply to a ping.
    expect(watched.outstanding).toBe(exchange.outstanding + 1)
  })

  it("are ignored if a challenge follows, which proves more", () => {
    const { result } = run((request, nth) => {
      if (request === messages.ASK_PING) return [20, 500].map((after) => ({ hex: messages.PONG, after }))
      return nth === 1 ? [{ hex: messages.challengeHex("01020304"), after: 2500 }] : []
    })
    expect(getFailure(result)).toMatchObject({ phase: "challenge" })
    expect(getFailure(result)).not.toHaveProperty("alive")
  })
})

it("do not change an exchange that has received something", () => {
  const exchange = new QueryExchange(Query.info, settings)
  exchange.start(0)
  exchange.receive(parseHex(messages.challengeHex("01020304")), 10)
  expect(withLifeSigns(exchange, "A2S_INFO", settings, 0)).toBe(exchange)
})

it("of the previous exchange remain outstanding", () => {
  const exchange = new QueryExchange(Query.info, settings)
  exchange.comeAfter(2)
  exchange.start(0)
  expect(withLifeSigns(exchange, "A2S_INFO", settings, 0).outstanding).toBe(3)
})

it("are requested after a round-trip time that takes most of the limit", () => {
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

it("are counted as sent datagrams, not as waits", () => {
  const { result, sent } = run(only({ [PING]: messages.PONG }))
  expect(getFailure(result)).toMatchObject({ alive: true, sent: sent.length - 2 })
})
