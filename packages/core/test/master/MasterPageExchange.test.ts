import { describe, expect, it } from "@effect/vitest"
import { encode, toHex } from "@sourcewire/protocol"
import type { Message } from "@sourcewire/protocol"
import * as Result from "effect/Result"
import { existsSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { BACKOFF_FACTOR, INITIAL_RTO_MS, MAX_MASTER_ROUNDS, MIN_RTO_MS } from "../../src/Limits.ts"
import { MasterPageExchange } from "../../src/master/MasterPageExchange.ts"
import { MasterPaging } from "../../src/master/MasterPaging.ts"
import type { ExchangeSettings } from "../../src/engine/Exchange.ts"
import type { PagingLimits } from "../../src/master/MasterPaging.ts"
import { PortClosed } from "../../src/engine/QueryError.ts"
import { parseHex, drive } from "../drive.ts"
import type { Server } from "../drive.ts"

const settings: ExchangeSettings = { timeoutMs: 3000, retries: 5, encoding: "auto", random: () => 0.5 }
const bytes = (message: Message): Uint8Array => Result.getOrThrow(encode(message))
const REQUEST = bytes({ _tag: "MasterRequest", region: 255, seed: "0.0.0.0:0", filter: "" })
const page = (servers: ReadonlyArray<string>, complete = false): string =>
  toHex(bytes({ _tag: "MasterReply", servers, complete }))

const FIRST = page(["192.0.2.1:27015", "192.0.2.2:27015"])
const SECOND = page(["192.0.2.3:27015"], true)

/** Requests the page after {@link FIRST}. */
const run = (server: Server, over: Partial<ExchangeSettings> = {}) => {
  const paging = new MasterPaging({ maxServers: 100, maxPages: 10 })
  paging.take({ _tag: "MasterReply", servers: ["192.0.2.1:27015", "192.0.2.2:27015"], complete: false })
  const exchange = new MasterPageExchange(REQUEST, paging, { ...settings, ...over })
  return drive(exchange, server)
}

describe("the exchange for a page", () => {
  it("sends the request, and decodes the page", () => {
    const { result, sent } = run(() => [{ hex: SECOND, after: 25 }])
    expect(Result.getOrThrow(result)).toEqual({
      reply: { _tag: "MasterReply", servers: ["192.0.2.3:27015"], complete: true },
      replyBytes: 18,
      isWhole: true,
      rttMs: 25
    })
    expect(sent).toEqual([{ at: 0, hex: "31ff302e302e302e303a300000" }])
  })

  it("retransmits the request at growing intervals if no reply arrives", () => {
    const { result, sent } = run((_, nth) => (nth === 3 ? [{ hex: SECOND, after: 25 }] : []))
    expect(Result.getOrThrow(result)).toMatchObject({
      rttMs: INITIAL_RTO_MS * (1 + BACKOFF_FACTOR) + 25,
      rttAmbiguous: true
    })
    expect(sent.map(({ at }) => at)).toEqual([0, INITIAL_RTO_MS, INITIAL_RTO_MS * (1 + BACKOFF_FACTOR)])
  })

  it("waits for the next page if the first replies are duplicates of the previous page", () => {
    const { endedAt, result } = run(() => [
      { hex: FIRST, after: 10 },
      { hex: FIRST, after: 12 },
      { hex: SECOND, after: 90 }
    ])
    expect(Result.getOrThrow(result)).toMatchObject({ reply: { complete: true }, rttMs: 90 })
    expect(endedAt).toBe(90 + MIN_RTO_MS)
  })

  it("returns the previous page again if the master replies to two requests with that page", () => {
    const { result, sent } = run(() => [{ hex: FIRST, after: 10 }])
    expect(Result.getOrThrow(result).reply.servers.length).toBe(2)
    expect(sent.length).toBe(2)
  })

  it("returns the previous page again if only copies of that page arrive until the timeout", () => {
    const { endedAt, result } = run((_, nth) => (nth === 1 ? [{ hex: FIRST, after: 10 }] : []))
    expect(Result.getOrThrow(result).reply.servers.length).toBe(2)
    expect(endedAt).toBe(3000)
  })

  it("sets `isWhole` to `true` for a page without an end mark", () => {
    expect(Result.getOrThrow(run(() => [{ hex: page(["192.0.2.7:1"]), after: 25 }]).result).isWhole).toBe(true)
  })

  it("returns a page with an end mark, even if malformed datagrams follow", () => {
    const damaged = "ffffffff6600"
    const { result } = run(() => [SECOND, damaged, damaged].map((hex, i) => ({ hex, after: 25 + i })))
    expect(Result.getOrThrow(result).reply.servers).toEqual(["192.0.2.3:27015"])
  })

  it("reports an ambiguous round-trip time if the reply may belong to the previous request", () => {
    const whole = new MasterPaging({ maxServers: 100, maxPages: 10 })
    const exchange = new MasterPageExchange(REQUEST, whole, settings)
    exchange.expectLateReplies(1)
    const { result } = drive(exchange, () => [{ hex: FIRST, after: 25 }])
    expect(Result.getOrThrow(result)).toMatchObject({ rttMs: 25, rttAmbiguous: true })
  })

  it("fails with Refused if the master rejects the request", () => {
    const refusal = toHex(bytes({ _tag: "PrintReply", text: "Too many requests.\n" }))
    expect(run(() => [{ hex: refusal, after: 5 }]).result).toMatchObject({
      failure: { _tag: "Refused", text: "Too many requests." }
    })
  })

  it("sends the request once more if the page is malformed, but not if `retries` is 0", () => {
    const healed = run((_, nth) => [{ hex: nth === 1 ? "ffffffff6600" : SECOND, after: 5 }])
    expect(Result.getOrThrow(healed.result).reply.servers).toEqual(["192.0.2.3:27015"])
    const failure = { _tag: "Malformed", messageTag: "MasterReply" }
    const damaged = run(() => [{ hex: "ffffffff6600", after: 5 }])
    expect(damaged.result).toMatchObject({ failure })
    for (const { sent } of [healed, damaged]) expect(sent.map(({ at }) => at)).toEqual([0, 5])
    const single = run(() => [{ hex: "ffffffff6600", after: 5 }], { retries: 0 })
    expect(single.result).toMatchObject({ failure })
    expect(single.sent).toHaveLength(1)
  })

  it("fails at the timeout: with UnexpectedReply if a reply of another type arrived, otherwise with Timeout", () => {
    expect(run(() => []).result).toMatchObject({ failure: { _tag: "Timeout", phase: "request" } })
    expect(run(() => [{ hex: "ffffffff4900", after: 5 }]).result).toMatchObject({
      failure: { _tag: "UnexpectedReply", type: 0x49 }
    })
    const noise = ["", "66", "ffffffff", "feffffff660a"].map((hex, i) => ({ hex, after: i }))
    expect(run(() => noise, { retries: 0 }).result).toMatchObject({ failure: { _tag: "Timeout", received: 4 } })
  })
})

/** A list in nine datagrams. Each datagram contains the end mark. Masters of Xash3D send such lists. */
const ADDRESSES = Array.from({ length: 701 }, (_, i) => `10.0.${i >> 8}.${i & 255}:27015`)
const LIST = Array.from({ length: 9 }, (_, i) => page(ADDRESSES.slice(83 * i, 83 * i + 83), true))

/**
 * A master that sends the given datagrams of {@link LIST} in each round. A round is one request and its replies. The first datagram arrives
 * 40 ms after the request, and the other datagrams follow at intervals of 2 ms.
 */
const masterSending =
  (...rounds: ReadonlyArray<ReadonlyArray<number>>): Server =>
  (_, nth) =>
    (rounds[nth - 1] ?? []).map((one, i) => ({ hex: LIST[one]!, after: 40 + 2 * i }))

const ALL = LIST.map((_, i) => i)
const without = (...lost: ReadonlyArray<number>) => ALL.filter((one) => !lost.includes(one))

/** Requests the first page. */
const runFirst = (server: Server, { maxServers = 10_000, ...over }: Partial<ExchangeSettings & PagingLimits> = {}) => {
  const paging = new MasterPaging({ maxServers, maxPages: 10 })
  const { result, ...course } = drive(new MasterPageExchange(REQUEST, paging, { ...settings, ...over }), server)
  const { isWhole, reply } = Result.getOrThrow(result)
  return { ...course, isWhole, servers: reply.servers, end: paging.take(reply, isWhole).end }
}

describe("a list in many datagrams", () => {
  it("is read until no more datagrams arrive, and is then requested a second time", () => {
    const { end, endedAt, isWhole, sent, servers } = runFirst(masterSending(ALL, ALL))
    expect(servers).toEqual(ADDRESSES)
    expect({ end, isWhole }).toEqual({ end: "complete", isWhole: true })
    expect(sent.map(({ at }) => at)).toEqual([0, 56 + MIN_RTO_MS])
    expect(endedAt).toBe(2 * (56 + MIN_RTO_MS))
  })

  it.each([
    ["if the order of the datagrams changes", [ALL.toReversed(), ALL]],
    [
      "if datagrams are duplicated",
      [
        [...ALL, 3, 3, 8],
        [4, ...ALL]
      ]
    ]
  ])("contains all addresses, even %s", (_, rounds) => {
    const { end, sent, servers } = runFirst(masterSending(...rounds))
    expect(servers.toSorted()).toEqual(ADDRESSES.toSorted())
    expect({ end, sent: sent.length }).toEqual({ end: "complete", sent: 2 })
  })

  it.each([
    ["in the first round", [without(4), ALL, ALL], 3],
    ["in the second round", [ALL, without(4), ALL], 3],
    ["in three rounds", [without(0, 1), without(2), without(8), ALL, ALL], 5],
    ["because the second round gets no reply", [ALL, [], ALL], 3],
    ["in four rounds", [without(4), without(4, 5), without(4, 6), without(1, 4), ALL, ALL], 6]
  ])("is complete even if datagrams are lost %s", (_, rounds, queried) => {
    const { end, sent, servers } = runFirst(masterSending(...rounds))
    expect(servers.toSorted()).toEqual(ADDRESSES.toSorted())
    expect({ end, sent: sent.length }).toEqual({ end: "complete", sent: queried })
  })

  it.each([
    ["only the first round gets a reply", [ALL]],
    ["one datagram arrives only in the first round", [ALL, ...ALL.map(() => without(7))]],
    ["every round lacks a datagram", ALL.map((one) => without(one))],
    ["each round returns a different list", ALL.map((one) => [one])]
  ])("is not reported as complete if %s", (_, rounds) => {
    const { end, endedAt, sent } = runFirst(masterSending(...rounds))
    expect({ end, sent: sent.length }).toEqual({ end: "unconfirmed", sent: MAX_MASTER_ROUNDS })
    expect(endedAt).toBeLessThan(settings.timeoutMs)
  })

  it("is not reported as complete if the master rejects the second request", () => {
    const refusal = toHex(bytes({ _tag: "PrintReply", text: "Too many requests.\n" }))
    const { end, sent, servers } = runFirst((_, nth, at) =>
      nth === 1 ? masterSending(ALL)("", nth, at) : [{ hex: refusal, after: 40 }]
    )
    expect(servers).toEqual(ADDRESSES)
    expect({ end, sent: sent.length }).toEqual({ end: "unconfirmed", sent: 2 })
  })

  it("contains the addresses that arrived before the socket failed", () => {
    const exchange = new MasterPageExchange(REQUEST, new MasterPaging({ maxServers: 1000, maxPages: 10 }), settings)
    exchange.start(0)
    exchange.receive(parseHex(LIST[0]!), 40)
    expect(exchange.result).toBeUndefined()
    exchange.fail(new PortClosed({ message: "closed" }))
    expect(exchange.result).toMatchObject({ success: { isWhole: false, reply: { servers: { length: 83 } } } })
  })

  it("is complete even if a pause between datagrams is almost as long as the round-trip time", () => {
    const slow: Server = (_, nth) =>
      nth <= 2 ? ALL.map((one, i) => ({ hex: LIST[one]!, after: 280 + (i === 8 ? 270 : i) })) : []
    const { end, servers } = runFirst(slow)
    expect(servers).toEqual(ADDRESSES)
    expect(end).toBe("complete")
  })

  it("ends within twice the timeout, even if the master never stops sending", () => {
    const flood: Server = (_, nth) =>
      nth === 1 ? Array.from({ length: 2000 }, (_, i) => ({ hex: LIST[i % 9]!, after: 40 + 5 * i })) : []
    const { end, endedAt } = runFirst(flood)
    expect(endedAt).toBeLessThanOrEqual(2 * settings.timeoutMs)
    expect(end).toBe("unconfirmed")
  })

  it("is not reported as complete if only copies of the first reply arrive after the second request", () => {
    // The network duplicates the whole first reply. The copy arrives just after the second request, which gets no reply.
    const repeated = ALL.map((one) => ({ hex: LIST[one]!, after: 40 + 16 + MIN_RTO_MS + 4 }))
    const { end } = runFirst((_, nth, at) => (nth === 1 ? [...masterSending(ALL)("", nth, at), ...repeated] : []))
    expect(end).toBe("unconfirmed")
  })

  it("ends at the latest when the timeout has passed since the first datagram, and is not requested afterwards", () => {
    const late = runFirst((_, nth) =>
      nth === 1
        ? ALL.map((one, i) => ({ hex: LIST[one]!, after: 2900 + 20 * i }))
        : nth > 6
          ? masterSending(ALL)("", 1, 0)
          : []
    )
    expect(late.servers.length).toBe(701)
    expect(late.end).toBe("complete")
    const slow = runFirst((_, nth) => [{ hex: LIST[nth % 9]!, after: 700 }], { timeoutMs: 1500, retries: 0 })
    expect(slow.end).toBe("unconfirmed")
    expect(slow.endedAt).toBe(700 + 1500)
    expect(slow.sent.every(({ at }) => at < slow.endedAt)).toBe(true)
  })

  it("ends even if no timer can run during a flood of datagrams", () => {
    const exchange = new MasterPageExchange(REQUEST, new MasterPaging({ maxServers: 10_000, maxPages: 10 }), settings)
    exchange.start(0)
    let now = 0
    while (exchange.result === undefined && now < 60_000) exchange.receive(parseHex(LIST[(now += 5) % 9]!), now)
    expect(now).toBe(5 + settings.timeoutMs)
    expect(exchange.result).toMatchObject({ success: { isWhole: false } })
  })

  it("if every request for the list got a reply, the exchange expects no late reply", () => {
    const exchange = new MasterPageExchange(REQUEST, new MasterPaging({ maxServers: 10_000, maxPages: 10 }), settings)
    drive(exchange, masterSending(ALL, ALL))
    expect(exchange.outstanding).toBe(0)
  })

  it("ends as soon as the maximum number of servers is exceeded", () => {
    const { end, endedAt, sent } = runFirst(masterSending(ALL), { maxServers: 100 })
    expect({ end, endedAt, sent: sent.length }).toEqual({ end: "limit", endedAt: 42, sent: 1 })
    expect(runFirst(masterSending(ALL, ALL), { maxServers: 701 }).end).toBe("complete")
  })

  it("is complete even if a datagram of the first round is malformed", () => {
    const { end, servers } = runFirst((_, nth) => [
      ...without(4).map((one, i) => ({ hex: LIST[one]!, after: 40 + i })),
      { hex: nth === 1 ? LIST[4]!.slice(0, -2) : LIST[4]!, after: 50 }
    ])
    expect(servers.toSorted()).toEqual(ADDRESSES.toSorted())
    expect(end).toBe("complete")
  })
})

describe("after a datagram with an end mark", () => {
  it("the list is requested a second time if no other page has arrived before this datagram", () => {
    const { end, endedAt, sent, servers } = runFirst(() => [{ hex: SECOND, after: 40 }])
    expect(servers).toEqual(["192.0.2.3:27015"])
    expect({ end, endedAt, sent: sent.length }).toEqual({ end: "complete", endedAt: 2 * (40 + MIN_RTO_MS), sent: 2 })
    expect(runFirst(() => [{ hex: page([], true), after: 40 }])).toMatchObject({ end: "complete", servers: [] })
  })

  it("the list is not requested a second time if an earlier page of the list has arrived", () => {
    const { endedAt, result, sent } = run(() => [
      { hex: SECOND, after: 40 },
      { hex: SECOND, after: 41 },
      { hex: FIRST, after: 42 }
    ])
    expect(Result.getOrThrow(result)).toMatchObject({ isWhole: true, reply: { servers: { length: 1 } } })
    expect({ endedAt, sent: sent.length }).toEqual({ endedAt: 41 + MIN_RTO_MS, sent: 1 })
  })

  it("the list is requested a second time if another datagram with an end mark arrives, even if an earlier page of the list has arrived", () => {
    const { result, sent } = run((_, nth) =>
      [SECOND, page(["192.0.2.4:27015"], true)].slice(0, nth + 1).map((hex) => ({ hex, after: 40 }))
    )
    expect(Result.getOrThrow(result)).toMatchObject({ isWhole: true, reply: { servers: { length: 2 } } })
    expect(sent.length).toBe(2)
  })

  it("the result contains a server twice if the datagram lists the server twice", () => {
    const twice = page(["192.0.2.3:27015", "192.0.2.3:27015"], true)
    expect(runFirst(() => [{ hex: twice, after: 40 }]).servers.length).toBe(2)
  })
})

interface Capture {
  readonly id: string
  readonly query: string
  readonly packets: ReadonlyArray<string>
  readonly expected: { readonly servers: ReadonlyArray<string>; readonly complete?: boolean }
}

// The captures must not be published, so their file is not in the repository. These tests run only if the file is present.
const file = fileURLToPath(new URL("../../../../../shared/vectors/captures.jsonl", import.meta.url))
const captures = (existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [])
  .map((line) => JSON.parse(line) as Capture)
  .filter(({ query }) => query === "master")

describe.runIf(captures.length > 0)("captures of masters", () => {
  it.each(captures.map((capture) => [capture.id, capture] as const))(
    "contain the expected addresses: %s",
    (_, { expected, packets }) => {
      const { reply } = Result.getOrThrow(run(() => [{ hex: packets[0]!, after: 5 }]).result)
      expect(reply.servers).toEqual(expected.servers)
      expect(reply.complete).toBe(expected.complete ?? false)
      const page = new MasterPaging({ maxServers: 100, maxPages: 10 }).take(reply)
      expect(page.end).toBe(expected.complete === true ? "complete" : undefined)
    }
  )
})
