/** Logs over HTTP with real sockets: accepted and rejected posts, their statuses, the counters, and the order of lines. */
import { type PromiseLogReceiver, logs } from "../src/index.ts"
import { layer } from "../src/effect.ts"
import { Streams } from "@sourcewire/core/transport"
import { makeHttpLogSender } from "@sourcewire/server"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { once } from "node:events"
import { request } from "node:http"
import { connect } from "node:net"
import { describe, expect, it, vi } from "vitest"

const LINE = '01/28/2024 - 16:11:37.822 - "Zoë<2><[U:1:5]><CT>" say "hi"\n'

interface Post {
  readonly body: string
  readonly begin?: number
  readonly end?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly path?: string
  readonly method?: string
}

/** Sends an HTTP request (default: POST), and returns the status of the response. */
const post = async (
  { local }: PromiseLogReceiver,
  { begin, body, end, headers, method = "POST", path = "/" }: Post
) => {
  const offsets =
    begin === undefined
      ? {}
      : { "X-LogBytes-BeginOffset": `${begin}`, "X-LogBytes-EndOffset": `${end ?? begin + Buffer.byteLength(body)}` }
  const sending = request({
    host: local.address,
    port: local.port,
    path,
    method,
    headers: { "Content-Length": Buffer.byteLength(body), ...offsets, ...headers }
  })
  sending.end(body)
  const [response] = (await once(sending, "response")) as [{ statusCode: number; resume: () => void }]
  response.resume()
  return response.statusCode
}

const take = async (receiver: PromiseLogReceiver, count: number) => {
  const entries = []
  for await (const entry of receiver) {
    entries.push(entry)
    if (entries.length === count) break
  }
  return entries
}

describe("logs({ http: true })", () => {
  it("returns parsed lines with masked passwords, and sets `origin` to the values of the HTTP headers", async () => {
    await using receiver = await logs({ http: true })
    expect(receiver.local.address).toBe("127.0.0.1")
    const headers = {
      "X-Server-Unique-Token": "aa11",
      "X-Server-Instance-Token": "bb22",
      "X-Server-Addr": "192.0.2.7:27015",
      "X-Steamid": "[A:1:5:6]",
      "X-Game-Map": "de_dust2",
      "X-Game-State": "live"
    }
    expect(await post(receiver, { begin: 0, body: `${LINE}rcon_password "secret"\n`, headers })).toBe(200)
    const [first, second] = await take(receiver, 2)
    expect(first).toMatchObject({
      format: "source",
      time: { year: 2024, month: 1, day: 28, hour: 16, minute: 11, second: 37, millisecond: 822 },
      text: '"Zoë<2><[U:1:5]><CT>" say "hi"',
      line: LINE,
      sender: { address: "127.0.0.1" },
      origin: {
        token: "aa11",
        instance: "bb22",
        address: "192.0.2.7:27015",
        steamId: "[A:1:5:6]",
        map: "de_dust2",
        state: "live"
      }
    })
    expect(first).not.toHaveProperty("missedBytes")
    expect(second!.text).not.toContain("secret")
  })

  it("drops duplicates, and reports the number of missing bytes", async () => {
    await using receiver = await logs({ http: true })
    const headers = { "X-Server-Instance-Token": "old" }
    const sent = [
      { begin: 0, body: "one\n", headers },
      { begin: 0, body: "one\n", headers },
      { begin: 0, body: "one\ntwo\n", headers },
      { begin: 100, body: "three\n", headers },
      { begin: 106, body: "four\n", headers },
      { begin: 50, body: "late\n", headers },
      { begin: 0, body: "other\n", headers: { "X-Server-Instance-Token": "new" } }
    ]
    const statuses = []
    for (const one of sent) statuses.push(await post(receiver, one))
    expect(statuses).toEqual(sent.map(() => 200))
    const entries = await take(receiver, 5)
    expect(entries.map(({ missedBytes, text }) => [text, missedBytes])).toEqual([
      ["one", undefined],
      ["two", undefined],
      ["three", 92],
      ["four", undefined],
      ["other", undefined]
    ])
    expect(receiver.counters()).toMatchObject({ received: 7, accepted: 5, duplicates: 2, gaps: 1, missedBytes: 92 })
  })

  it("accepts the lines of a restarted server that sends no instance token", async () => {
    await using receiver = await logs({ http: true })
    const sent = [
      { begin: 0, body: "one\n" },
      { begin: 4, body: "two\n" },
      { begin: 4, body: "two\nthree\n" },
      { begin: 0, body: "new\n" },
      { begin: 0, body: "new\n" },
      { begin: 4, body: "last\n" }
    ]
    for (const one of sent) expect(await post(receiver, one)).toBe(200)
    expect((await take(receiver, 5)).map(({ text }) => text)).toEqual(["one", "two", "three", "new", "last"])
    expect(receiver.counters()).toMatchObject({ accepted: 5, duplicates: 1, gaps: 0, missedBytes: 0 })
  })

  it("replies with 2xx only if it has accepted all lines of the post", async () => {
    await using receiver = await logs({ http: true, capacity: 3 })
    const body = "a\nb\nc\nd\n"
    expect(await post(receiver, { begin: 0, body })).toBe(503)
    expect((await take(receiver, 3)).map(({ text }) => text)).toEqual(["a", "b", "c"])
    expect(await post(receiver, { begin: 0, body })).toBe(200)
    expect((await take(receiver, 1)).map(({ text }) => text)).toEqual(["d"])
    // The receiver accepts either all lines of a post without offsets, or none of them.
    expect(await post(receiver, { body: "1\n2\n" })).toBe(200)
    expect(await post(receiver, { body: "3\n4\n" })).toBe(503)
    expect(await post(receiver, { body })).toBe(413)
    expect((await take(receiver, 2)).map(({ text }) => text)).toEqual(["1", "2"])
    expect(receiver.counters()).toMatchObject({ accepted: 6, dropped: 0 })
  })

  it("accepts lines only from the configured servers", async () => {
    await using receiver = await logs({ http: true, secret: "open-sesame", tokens: ["aa11"], from: ["127.0.0.1"] })
    const headers = { "X-Server-Unique-Token": "aa11" }
    expect(await post(receiver, { body: "a\n", headers })).toBe(404)
    expect(await post(receiver, { body: "a\n", headers, path: "/open-sesamf" })).toBe(404)
    expect(await post(receiver, { body: "a\n", path: "/open-sesame" })).toBe(403)
    expect(await post(receiver, { body: "a\n", headers, path: "/open-sesame?x=1" })).toBe(200)
    expect(await post(receiver, { body: "", headers, path: "/open-sesame", method: "GET" })).toBe(405)
    expect(receiver.counters()).toMatchObject({ accepted: 1, wrongSecret: 2, wrongSender: 1, notALog: 1 })
    await using others = await logs({ http: true, from: ["127.0.0.2"] })
    expect(await post(others, { body: "a\n" })).toBe(403)
  })

  it("limits the size of requests", async () => {
    await using receiver = await logs({ http: true })
    expect(await post(receiver, { body: "x".repeat(1_048_577) })).toBe(413)
    expect(await post(receiver, { body: `${"x".repeat(9000)}\nfits\n` })).toBe(200)
    expect((await take(receiver, 1))[0]!.text).toBe("fits")
    expect(receiver.counters()).toMatchObject({ notALog: 2 })
    const socket = connect(receiver.local.port, "127.0.0.1")
    socket.end("no http\r\n\r\n")
    const [answer] = (await once(socket, "data")) as [Buffer]
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 400 /)
  })

  it.each([
    [{ tokens: ["a"] }, /tokens requires http/],
    [{ http: 1 as never }, /http must be/],
    [{ http: true, tokens: "a" as never }, /tokens must be/]
  ])("rejects invalid options: %j", async (options, message) => {
    await expect(logs(options)).rejects.toThrow(message)
  })
})

describe("a sender of logs", () => {
  it("sends a rejected request again, so that every line arrives once and in order", async () => {
    // The receiver stores at most four entries, so it rejects posts until the test reads the entries.
    await using receiver = await logs({ http: true, capacity: 4 })
    const texts = Array.from({ length: 60 }, (_, i) => `line ${i}`)
    const url = `http://127.0.0.1:${receiver.local.port}/`
    let counters = () => ({ posts: 0, accepted: 0 })
    const sending = Effect.gen(function* () {
      const sender = yield* makeHttpLogSender({ url, token: "aa11", retryMs: 5 })
      counters = sender.counters
      for (const text of texts) {
        yield* sender.send(text)
        yield* Effect.sleep(1)
      }
      yield* sender.flush
    }).pipe(Effect.scoped, Effect.provide(layer), Effect.runPromise)
    // At most one post is in flight, so at least two posts have been rejected.
    await vi.waitUntil(() => counters().posts >= counters().accepted + 3, { timeout: 20_000, interval: 5 })
    const entries = await take(receiver, texts.length)
    expect(entries.map(({ text }) => text)).toEqual(texts)
    expect(entries[0]).toMatchObject({ origin: { token: "aa11" } })
    await sending
    const { accepted, posts } = counters()
    expect(accepted).toBeGreaterThan(0)
    expect(posts).toBeGreaterThanOrEqual(accepted + 2)
    expect(receiver.counters()).toMatchObject({ accepted: 60, gaps: 0, missedBytes: 0 })
  })

  it("waits for an unreachable receiver, and sends the lines when the receiver is reachable", async () => {
    const closedReceiver = await logs({ http: true })
    const { port } = closedReceiver.local
    await closedReceiver.close()
    let failed = 0
    const counting = Layer.effect(
      Streams,
      Effect.map(Streams, (streams) => ({
        ...streams,
        connect: (...args: Parameters<typeof streams.connect>) =>
          Effect.tapError(streams.connect(...args), () => Effect.sync(() => failed++))
      }))
    ).pipe(Layer.provide(layer))
    const sending = Effect.gen(function* () {
      const sender = yield* makeHttpLogSender({ url: `http://127.0.0.1:${port}`, retryMs: 20 })
      yield* sender.send("kept")
      yield* sender.flush
    }).pipe(Effect.scoped, Effect.provide(counting), Effect.runPromise)
    await vi.waitUntil(() => failed >= 2, { timeout: 20_000, interval: 5 })
    await using receiver = await logs({ http: true, port })
    expect((await take(receiver, 1))[0]!.text).toBe("kept")
    await sending
  })

  it("rejects a URL if its scheme is not http", async () => {
    const failed = Effect.flip(Effect.scoped(makeHttpLogSender({ url: "https://127.0.0.1/" }))).pipe(
      Effect.provide(layer)
    )
    expect((await Effect.runPromise(failed))._tag).toBe("InvalidOption")
  })
})
