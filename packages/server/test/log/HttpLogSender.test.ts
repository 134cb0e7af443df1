/**
 * Tests the sender that posts log lines over HTTP. The connections are in memory. The tests of the Node transport use real sockets and a
 * real receiver.
 */
import { assert, describe, it } from "@effect/vitest"
import { SendFailed } from "@sourcewire/core"
import { type StreamHandle, type StreamHandler, Streams } from "@sourcewire/core/transport"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { type HttpLogSenderOptions, isLogUrl, makeHttpLogSender } from "../../src/log/HttpLogSender.ts"

const ENDPOINT = { address: "127.0.0.1", port: 80 }
const OK = "HTTP/1.1 200 OK\r\n\r\n"

/** A post and its connection. */
interface Post {
  readonly host: string
  readonly port: number
  readonly handler: StreamHandler
  text: string
}

const readBody = ({ text }: Post): string => text.slice(text.indexOf("\r\n\r\n") + 4)
const readOffsets = ({ text }: Post): ReadonlyArray<number> =>
  ["Begin", "End"].map((name) => Number(new RegExp(`^X-LogBytes-${name}Offset: (\\d+)\r$`, "m").exec(text)?.[1]))

/**
 * Creates a sender, and records its posts. `answer` returns the immediate reply of the receiver, `closed` if the receiver closes the
 * connection, `refused` if the port is closed, or nothing if the receiver does not respond.
 */
const setUp = Effect.fnUntraced(function* (
  answer: (nth: number) => string | "closed" | "refused" | undefined = () => OK,
  options: Partial<HttpLogSenderOptions> = {}
) {
  const posts: Array<Post> = []
  const streams: typeof Streams.Service = {
    listen: () => Effect.die("not used"),
    connect: ({ host, port }, handler) =>
      Effect.suspend(() => {
        const reply = answer(posts.length + 1)
        const post: Post = { host, port, handler, text: "" }
        posts.push(post)
        if (reply === "refused") return Effect.fail(new SendFailed({ message: "refused", local: true }))
        const handle: StreamHandle = {
          local: ENDPOINT,
          remote: ENDPOINT,
          write: (bytes) => void (post.text += Buffer.from(bytes).toString()),
          queuedBytes: () => 0,
          pause: () => undefined,
          resume: () => undefined,
          end: () => undefined,
          destroy: () => undefined
        }
        if (reply === "closed") handler.onClose()
        else if (reply !== undefined) handler.onData(Buffer.from(reply))
        return Effect.succeed(handle)
      })
  }
  const url = "http://127.0.0.1/log"
  const sender = yield* Effect.provideService(makeHttpLogSender({ url, ...options }), Streams, streams)
  const flush = Effect.gen(function* () {
    const fiber = yield* Effect.forkChild(sender.flush)
    yield* TestClock.adjust("0 millis")
    return fiber
  })
  return { sender, posts, flush }
})

describe("an HTTP log sender", () => {
  it.effect("posts a line in CS2's format, and reports the offsets at which the line begins and ends", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(new Date(2025, 0, 2, 3, 4, 5, 67).getTime())
      const { flush, posts, sender } = yield* setUp()
      yield* sender.send("hello\nworld")
      yield* Fiber.join(yield* flush)
      assert.lengthOf(posts, 1)
      assert.strictEqual(readBody(posts[0]!), "01/02/2025 - 03:04:05.067 - hello world\n")
      assert.match(posts[0]!.text, /^POST \/log HTTP\/1\.1\r\nHost: 127\.0\.0\.1:80\r\n/)
      assert.match(posts[0]!.text, /^Content-Length: 40\r$/m)
      assert.match(posts[0]!.text, /^Connection: close\r$/m)
      assert.deepStrictEqual(readOffsets(posts[0]!), [0, 40])
      assert.deepStrictEqual(sender.counters(), { posts: 1, accepted: 1 })
    })
  )

  it.effect("uses the end offset of a line as the begin offset of the next line", () =>
    Effect.gen(function* () {
      const { flush, posts, sender } = yield* setUp()
      yield* sender.send("one")
      yield* Fiber.join(yield* flush)
      yield* sender.send("three")
      yield* Fiber.join(yield* flush)
      const [first, second] = posts.map(readOffsets)
      assert.strictEqual(second![0], first![1])
      assert.strictEqual(second![1]! - second![0]!, first![1]! + 2)
    })
  )

  it.effect("sends headers only for the configured values, and replaces line breaks in the values", () =>
    Effect.gen(function* () {
      const { flush, posts, sender } = yield* setUp(undefined, {
        url: "http://[::1]:8080/a?b=c",
        token: "aa11",
        map: "de_dust2\r\nX-Evil: 1"
      })
      yield* sender.send("one")
      yield* Fiber.join(yield* flush)
      const { host, port, text } = posts[0]!
      assert.deepStrictEqual([host, port], ["::1", 8080])
      assert.match(text, /^POST \/a\?b=c HTTP\/1\.1\r\n/)
      assert.match(text, /^X-Server-Unique-Token: aa11\r$/m)
      assert.match(text, /^X-Game-Map: de_dust2 +X-Evil: 1\r$/m)
      assert.notMatch(text, /X-Steamid|X-Server-Addr|X-Server-Instance-Token|undefined/)
    })
  )

  it.effect.each([
    "HTTP/1.1 503 Service Unavailable\r\n\r\n",
    "HTTP/1.1 300 x\r\n\r\n",
    "x".repeat(65),
    "closed",
    "refused"
  ])("retries a post after a second if the result is %j", (reply) =>
    Effect.gen(function* () {
      const { flush, posts, sender } = yield* setUp((nth) => (nth === 1 ? (reply as "closed") : OK))
      yield* sender.send("one")
      const flushed = yield* flush
      yield* TestClock.adjust(999)
      assert.lengthOf(posts, 1)
      yield* TestClock.adjust(1)
      yield* Fiber.join(flushed)
      assert.lengthOf(posts, 2)
      assert.strictEqual(sender.counters().accepted, 1)
      if (reply !== "refused") assert.strictEqual(posts[1]!.text, posts[0]!.text)
    })
  )

  it.effect("retries a post if no reply arrives within ten seconds", () =>
    Effect.gen(function* () {
      const { flush, posts, sender } = yield* setUp((nth) => (nth === 1 ? undefined : OK), { retryMs: 5 })
      yield* sender.send("one")
      const flushed = yield* flush
      yield* TestClock.adjust(10_004)
      assert.lengthOf(posts, 1)
      yield* TestClock.adjust(1)
      yield* Fiber.join(flushed)
      assert.deepStrictEqual(sender.counters(), { posts: 2, accepted: 1 })
    })
  )

  it.effect("reads a reply that arrives in parts", () =>
    Effect.gen(function* () {
      const { flush, posts, sender } = yield* setUp(() => undefined)
      yield* sender.send("one")
      const flushed = yield* flush
      for (const part of ["HTT", "P/1.0 2", "04 No Content\r\n"]) posts[0]!.handler.onData(Buffer.from(part))
      yield* Fiber.join(flushed)
      assert.deepStrictEqual(sender.counters(), { posts: 1, accepted: 1 })
    })
  )

  it.effect("joins waiting lines into posts of at most 32 KiB", () =>
    Effect.gen(function* () {
      const { flush, posts, sender } = yield* setUp((nth) => (nth === 1 ? "closed" : OK))
      yield* sender.send("first")
      const flushed = yield* flush
      for (let i = 0; i < 40; i++) yield* sender.send("x".repeat(1000))
      yield* TestClock.adjust("1 second")
      yield* Fiber.join(flushed)
      assert.deepStrictEqual(
        posts.map((post) => readBody(post).split("\n").length - 1),
        [1, 32, 9]
      )
      assert.isAtMost(readBody(posts[1]!).length, 32_768)
      assert.strictEqual(readOffsets(posts[2]!)[0], readOffsets(posts[1]!)[1])
    })
  )

  it.effect(
    "drops the older half of the waiting lines if their total size exceeds 1 MiB, and leaves a gap in the offsets",
    () =>
      Effect.gen(function* () {
        const { flush, posts, sender } = yield* setUp((nth) => (nth === 1 ? "closed" : OK))
        yield* sender.send("first")
        const flushed = yield* flush
        for (let i = 1000; i < 2100; i++) yield* sender.send(`${i} ${"x".repeat(1000)}`)
        yield* TestClock.adjust("1 second")
        yield* Fiber.join(flushed)
        const [before, ...after] = posts
        const [, firstBytes] = readOffsets(before!)
        const lines = after.flatMap((post) => readBody(post).split("\n").slice(0, -1))
        const lineBytes = lines[0]!.length + 1
        // The number of waiting lines when their total size exceeded the limit. The text "first" was one of them.
        const count = 1 + Math.floor((1_048_576 - firstBytes!) / lineBytes) + 1
        const dropped = Math.ceil(count / 2)
        assert.deepStrictEqual(
          lines.map((line) => Number(/ - (\d{4}) x+$/.exec(line)?.[1])),
          Array.from({ length: 1101 - dropped }, (_, i) => 999 + dropped + i)
        )
        assert.strictEqual(readOffsets(after[0]!)[0], firstBytes! + (dropped - 1) * lineBytes)
        assert.strictEqual(readOffsets(after.at(-1)!)[1], firstBytes! + 1100 * lineBytes)
      })
  )
})

describe("the URL of a receiver", () => {
  it.each(["http://example.org", "http://[::1]:8080/a", "http://192.0.2.1/secret?x=1"])("can be %s", (url) => {
    assert.isTrue(isLogUrl(url))
  })

  it.each(["https://example.org", "example.org", "", 5])("cannot be %j", (url) => {
    assert.isFalse(isLogUrl(url as string))
  })

  it.effect("is checked when a sender is created", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(setUp(undefined, { url: "https://example.org" }))
      assert.deepInclude(error, {
        _tag: "InvalidOption",
        option: "url",
        message: "url must be an http URL, such as http://192.0.2.1:8080/."
      })
    })
  )
})
