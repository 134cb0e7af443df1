/** Tests the result of a target, for each query and for different replies. */
import { describe, expect, it } from "@effect/vitest"
import * as Result from "effect/Result"
import { inspect } from "node:util"
import { routeKey } from "../../src/address/ip.ts"
import { LostTime } from "../../src/engine/lostTime.ts"
import { PortClosed, SendFailed } from "../../src/engine/QueryError.ts"
import type { ServerQuery } from "../../src/query/ServerExchange.ts"
import { makeExchange } from "../../src/query/ServerExchange.ts"
import { Target } from "../../src/scan/target.ts"
import { ScanTimeouts } from "../../src/scan/timeouts.ts"
import type { Server } from "../drive.ts"
import { parseHex, drive } from "../drive.ts"
import * as messages from "../messages.ts"

const SETTINGS = { timeoutMs: 3000, retries: 4, encoding: "auto", random: () => 0.5 } as const
const ADDRESS = { target: "127.0.0.1", address: "127.0.0.1", port: 27_015 }
const KEY = routeKey(ADDRESS.address, ADDRESS.port)

const onTargetDone = (): void => undefined

interface WithRetry {
  readonly retry: object
}

const makeTarget = (query: ServerQuery): Target => {
  const timeouts = new ScanTimeouts(SETTINGS, false)
  const exchange = makeExchange(query, timeouts, timeouts.roundTrip)
  const owner = {
    maxMs: timeouts.maxMs,
    repeats: true,
    sockets: { acquire: onTargetDone },
    onTargetDone,
    onOverdue: onTargetDone
  }
  const target = new Target(owner, exchange, ADDRESS.port, KEY)
  target.begin(ADDRESS.target, ADDRESS.port, KEY, true)
  return target
}

const soon = (...hexes: ReadonlyArray<string>) => hexes.map((hex) => ({ hex, after: 20 }))
const answering: Server = (request) =>
  request.startsWith("ffffffff54")
    ? soon(messages.INFO)
    : soon(...(request.startsWith("ffffffff55") ? [messages.PLAYERS] : messages.RULES_SPLIT))

const runTarget = (query: ServerQuery, server: Server) => {
  const target = makeTarget(query)
  drive(target.exchange, server)
  return target.outcome()
}

const ANSWERED = { _tag: "Answered", ...ADDRESS, rttMs: 20, sent: 1, received: 1 }
const [info, players, rules] = [messages.infoReply, messages.playersReply, messages.rulesReply]

describe("the result of a successful query", () => {
  it.each([
    ["info", { ...ANSWERED, info }],
    ["players", { ...ANSWERED, players }],
    ["rules", { ...ANSWERED, rules, received: messages.RULES_SPLIT.length }],
    ["all", { ...ANSWERED, info, players, rules, sent: 3, received: 2 + messages.RULES_SPLIT.length }]
  ] as const)("contains each reply under the name of its query: %s", (query, expected) => {
    expect(runTarget(query, answering)).toStrictEqual(expected)
  })

  it("contains an error for each query that the server rejected, and the replies to the other queries", () => {
    const outcome = runTarget("all", (request, nth, at) =>
      request.startsWith("ffffffff55") ? soon(messages.BANNED) : answering(request, nth, at)
    )
    expect(outcome).toMatchObject({ info, rules, errors: { players: { _tag: "Refused" } } })
    expect(outcome).not.toHaveProperty("players")
  })

  it("contains `rttAmbiguous` if the round-trip time is ambiguous, and both dialects of INFO if the server sends both", () => {
    const late = runTarget("info", (request, nth, at) => (nth === 1 ? [] : answering(request, nth, at)))
    expect(late).toMatchObject({ info, rttMs: expect.any(Number), rttAmbiguous: true, sent: 2 })
    const both = runTarget("info", () => soon(messages.LEGACY, messages.INFO))
    expect(both).toMatchObject({ info, legacy: messages.legacyReply })
  })
})

describe("the result of a failed query", () => {
  const timeOut = ({ exchange }: Target): void => {
    exchange.start(0)
    while (exchange.result === undefined) exchange.expire(exchange.deadline)
  }

  it("contains a timeout error if no reply arrives", () => {
    expect(runTarget("all", () => [])).toMatchObject({
      _tag: "Failed",
      ...ADDRESS,
      error: { _tag: "Timeout" },
      sent: 5,
      received: 0
    })
  })

  it.each([
    ["refused", PortClosed],
    ["unreachable", SendFailed]
  ] as const)(
    "contains the error that the system reported about the target if no reply arrives: %s",
    (kind, expected) => {
      const target = makeTarget("info")
      target.onUnreachable({ kind, message: "no way" })
      timeOut(target)
      expect(target.outcome()).toMatchObject({ _tag: "Failed", error: expect.any(expected) })
    }
  )

  it("contains the rejection of the server, even if the system has reported an error about the target before", () => {
    const target = makeTarget("info")
    target.onUnreachable({ kind: "unreachable", message: "no way" })
    target.exchange.start(0)
    target.exchange.receive(parseHex(messages.BANNED), 10)
    expect(Result.isFailure(target.exchange.result!)).toBe(true)
    expect(target.outcome()).toMatchObject({ _tag: "Failed", error: { _tag: "Refused" }, received: 1 })
  })
})

it("after a reset, a target object equals a new object", () => {
  const target = makeTarget("info")
  drive(target.exchange, () => [])
  const fault = { kind: "unreachable", message: "no way" } as const
  Object.assign(target, { isDone: true, lost: new LostTime(target), startedAt: 3, dueAt: 4, fault })
  target.exchange.reset()
  target.begin(ADDRESS.target, ADDRESS.port, KEY, true)
  // A reset does not clear the times of old transmissions, because the exchange never reads these times again.
  Object.assign((target.exchange as unknown as WithRetry).retry, { firstSentAt: [0, 0, 0] })
  expect(target).toStrictEqual(makeTarget("info"))
})

it("after a reset, a target object contains no replies, and returns the same result for the same replies as before", () => {
  const target = makeTarget("all")
  drive(target.exchange, answering)
  const first = target.outcome()
  target.exchange.reset()
  expect(inspect(target, { depth: 9 })).not.toMatch(/Reply/)
  target.begin(ADDRESS.target, ADDRESS.port, KEY, true)
  drive(target.exchange, answering)
  expect(target.outcome()).toStrictEqual(first)
})

it.each([
  ["10.1.2.3", 27_015, true],
  ["10.1.2.3:27015", 27_015, true],
  ["10.1.2.3:1", 1, true],
  ["10.1.2.3:1", 1, false],
  [" 10.1.2.3:1", 1, false],
  [{ host: "10.1.2.3", port: 1 }, 1, false]
] as const)(
  "the result contains the target as the caller wrote it: %j (port: %j, only the key is stored: %j)",
  (given, port, isRemade) => {
    const target = makeTarget("info")
    drive(target.exchange, answering)
    target.exchange.reset()
    target.begin(given, port, routeKey("10.1.2.3", port), isRemade)
    drive(target.exchange, answering)
    expect(target.outcome()).toMatchObject({ target: given, address: "10.1.2.3", port })
  }
)
