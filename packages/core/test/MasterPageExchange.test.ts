import { describe, expect, it } from "@effect/vitest"
import { encode, toHex } from "@sourcewire/protocol"
import type { Message } from "@sourcewire/protocol"
import * as Result from "effect/Result"
import { existsSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { BACKOFF_FACTOR, INITIAL_RTO_MS } from "../src/Limits.ts"
import { MasterPageExchange } from "../src/MasterPageExchange.ts"
import { MasterPaging } from "../src/MasterPaging.ts"
import type { ExchangeSettings } from "../src/QueryExchange.ts"
import { drive } from "./drive.ts"
import type { Server } from "./drive.ts"

const settings: ExchangeSettings = { timeoutMs: 3000, retries: 5, encoding: "auto", random: () => 0.5 }
const bytes = (message: Message): Uint8Array => Result.getOrThrow(encode(message))
const REQUEST = bytes({ _tag: "MasterRequest", region: 255, seed: "0.0.0.0:0", filter: "" })
const page = (servers: ReadonlyArray<string>, complete = false): string =>
  toHex(bytes({ _tag: "MasterReply", servers, complete }))

const FIRST = page(["192.0.2.1:27015", "192.0.2.2:27015"])
const SECOND = page(["192.0.2.3:27015"], true)

/** Asks for the page behind FIRST. */
const run = (server: Server, over: Partial<ExchangeSettings> = {}) => {
  const paging = new MasterPaging({ maxServers: 100, maxPages: 10 })
  paging.take({ _tag: "MasterReply", servers: ["192.0.2.1:27015", "192.0.2.2:27015"], complete: false })
  const exchange = new MasterPageExchange(REQUEST, (reply) => paging.isRepeat(reply), { ...settings, ...over })
  return drive(exchange, server)
}

describe("a page of a master server", () => {
  it("is asked for and read", () => {
    const { result, sent } = run(() => [{ hex: SECOND, after: 25 }])
    expect(Result.getOrThrow(result)).toEqual({
      reply: { _tag: "MasterReply", servers: ["192.0.2.3:27015"], complete: true },
      replyBytes: 18,
      rttMs: 25
    })
    expect(sent).toEqual([{ at: 0, hex: "31ff302e302e302e303a300000" }])
  })

  it("is asked for again in silence", () => {
    const { result, sent } = run((_, nth) => (nth === 3 ? [{ hex: SECOND, after: 25 }] : []))
    expect(Result.getOrThrow(result)).toMatchObject({ rttMs: 25, rttAmbiguous: true })
    expect(sent.map(({ at }) => at)).toEqual([0, INITIAL_RTO_MS, INITIAL_RTO_MS * (1 + BACKOFF_FACTOR)])
  })

  it("is not a repetition of the page before", () => {
    const { endedAt, result } = run(() => [
      { hex: FIRST, after: 10 },
      { hex: FIRST, after: 12 },
      { hex: SECOND, after: 90 }
    ])
    expect(Result.getOrThrow(result)).toMatchObject({ reply: { complete: true }, rttMs: 90 })
    expect(endedAt).toBe(90)
  })

  it("is a repetition where the master insists", () => {
    const { result, sent } = run(() => [{ hex: FIRST, after: 10 }])
    expect(Result.getOrThrow(result).reply.servers.length).toBe(2)
    expect(sent.length).toBe(2)
  })

  it("is the repetition rather than nothing", () => {
    const { endedAt, result } = run((_, nth) => (nth === 1 ? [{ hex: FIRST, after: 10 }] : []))
    expect(Result.getOrThrow(result).reply.servers.length).toBe(2)
    expect(endedAt).toBe(3000)
  })

  it("may be refused", () => {
    const refusal = toHex(bytes({ _tag: "PrintReply", text: "Too many requests.\n" }))
    expect(run(() => [{ hex: refusal, after: 5 }]).result).toMatchObject({
      failure: { _tag: "Refused", text: "Too many requests." }
    })
  })

  it("may be damaged once", () => {
    const healed = run((_, nth) => [{ hex: nth === 1 ? "ffffffff6600" : SECOND, after: 5 }])
    expect(Result.isSuccess(healed.result)).toBe(true)
    expect(run(() => [{ hex: "ffffffff6600", after: 5 }]).result).toMatchObject({
      failure: { _tag: "Malformed", messageTag: "MasterReply" }
    })
  })

  it("does not come", () => {
    expect(run(() => []).result).toMatchObject({ failure: { _tag: "Timeout", phase: "request" } })
    expect(run(() => [{ hex: "ffffffff4900", after: 5 }]).result).toMatchObject({
      failure: { _tag: "UnexpectedReply", type: 0x49 }
    })
    const noise = ["", "66", "ffffffff", "feffffff660a"].map((hex, i) => ({ hex, after: i }))
    expect(run(() => noise, { retries: 0 }).result).toMatchObject({ failure: { _tag: "Timeout", received: 4 } })
  })
})

interface Capture {
  readonly id: string
  readonly query: string
  readonly packets: ReadonlyArray<string>
  readonly expected: { readonly servers: ReadonlyArray<string>; readonly complete?: boolean }
}

// Not ours to publish, so they are read where they are to be had.
const file = fileURLToPath(new URL("../../../../shared/vectors/captures.jsonl", import.meta.url))
const captures = (existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [])
  .map((line) => JSON.parse(line) as Capture)
  .filter(({ query }) => query === "master")

describe.runIf(captures.length > 0)("captures of masters", () => {
  it.each(captures.map((capture) => [capture.id, capture] as const))("%s", (_, { expected, packets }) => {
    const { reply } = Result.getOrThrow(run(() => [{ hex: packets[0]!, after: 5 }]).result)
    expect(reply.servers).toEqual(expected.servers)
    expect(reply.complete).toBe(expected.complete ?? false)
    const page = new MasterPaging({ maxServers: 100, maxPages: 10 }).take(reply)
    expect(page.end).toBe(expected.complete === true ? "complete" : undefined)
  })
})
