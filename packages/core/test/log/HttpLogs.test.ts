/** Posts of log lines over connections in memory: statuses, counters and time limits. The tests of the Node transport use real sockets. */
import { assert, describe, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import type { ListenOptions, StreamHandle, StreamHandler, Streams } from "../../src/engine/Streams.ts"
import { type HttpLogSink, listenForPosts } from "../../src/log/HttpLogs.ts"

const REMOTE = { address: "192.0.2.7", port: 40_000 }
const LOCAL = { address: "127.0.0.1", port: 27_500 }

/** A connection in memory that records the responses of the receiver. */
class Connection implements StreamHandle {
  readonly local = LOCAL
  readonly remote = REMOTE
  written = ""
  isEnded = false
  isDestroyed = false
  readonly write = (bytes: Uint8Array): void => void (this.written += Buffer.from(bytes).toString())
  readonly end = (): void => void (this.isEnded = true)
  readonly destroy = (): void => void (this.isDestroyed = true)
  readonly queuedBytes = (): number => 0
  readonly pause = (): void => undefined
  readonly resume = (): void => undefined
  /** The statuses of all responses so far. */
  get statuses(): ReadonlyArray<number> {
    return [...this.written.matchAll(/^HTTP\/1\.1 (\d+) /gm)].map(([, status]) => Number(status))
  }
}

const post = (body: string, headers: Readonly<Record<string, string | number>> = {}, method = "POST"): string => {
  const lines = Object.entries({ "Content-Length": body.length, ...headers }).map(
    ([name, value]) => `${name}: ${value}`
  )
  return `${method} /log HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n${body}`
}

/** A post whose headers contain the offsets of its body in the log. */
const postAt = (begin: number, body: string): string =>
  post(body, { "X-LogBytes-BeginOffset": begin, "X-LogBytes-EndOffset": begin + body.length })

const setUp = Effect.fnUntraced(function* ({
  capacity = 3,
  refused
}: { readonly capacity?: number; readonly refused?: "wrongSender" | "wrongSecret" } = {}) {
  const clock = yield* Clock.Clock
  const lines: Array<readonly [text: string, missedBytes: number]> = []
  const counts: Record<string, number> = {}
  let missed = 0
  const sink: HttpLogSink = {
    ...LOCAL,
    capacity,
    refused: () => refused,
    room: () => capacity - lines.length,
    offer: (line, remote, _, missedBytes) => {
      assert.strictEqual(remote, REMOTE)
      if (lines.length >= capacity) return false
      lines.push([Buffer.from(line).toString(), missedBytes])
      return true
    },
    count: (what) => void (counts[what] = (counts[what] ?? 0) + 1),
    countMissed: (bytes) => void (missed += bytes),
    now: () => clock.currentTimeMillisUnsafe()
  }
  let accept!: (stream: StreamHandle) => StreamHandler
  const listened: Array<ListenOptions> = []
  const streams: typeof Streams.Service = {
    connect: () => Effect.die("not used"),
    listen: (options, each) =>
      Effect.sync(() => {
        listened.push(options)
        accept = each
        return { local: LOCAL }
      })
  }
  const local = yield* listenForPosts(streams, sink)
  const open = () => {
    const connection = new Connection()
    const handler = accept(connection)
    return { connection, handler, send: (text: string) => handler.onData(Buffer.from(text)) }
  }
  return { local, listened, open, lines, counts, missed: () => missed }
})

describe("a receiver of log posts", () => {
  it.effect("listens at the given address, with a limit on the number of connections", () =>
    Effect.gen(function* () {
      const { listened, local } = yield* setUp()
      assert.deepStrictEqual(local, LOCAL)
      assert.deepStrictEqual(listened, [{ bind: LOCAL, maxConnections: 256 }])
    })
  )

  it.effect("replies 200 to a post, and does not end the connection", () =>
    Effect.gen(function* () {
      const { counts, lines, open } = yield* setUp()
      const { connection, send } = open()
      send(postAt(0, "one\n"))
      send(postAt(4, "two\n"))
      assert.deepStrictEqual(connection.statuses, [200, 200])
      assert.isFalse(connection.isEnded)
      assert.deepStrictEqual(lines, [
        ["one\n", 0],
        ["two\n", 0]
      ])
      assert.deepStrictEqual(counts, { received: 2 })
    })
  )

  it.effect.each(["close", "Keep-Alive, Close"])(
    "ends the connection after a request with the header `Connection: %s`",
    (value) =>
      Effect.gen(function* () {
        const { open } = yield* setUp()
        const { connection, send } = open()
        send(post("one\n", { Connection: value }))
        assert.deepStrictEqual(connection.statuses, [200])
        assert.match(connection.written, /^Connection: close\r$/m)
        assert.isTrue(connection.isEnded)
      })
  )

  it.effect("does not end the connection after a request with the header `Connection: closer`", () =>
    Effect.gen(function* () {
      const { open } = yield* setUp()
      const { connection, send } = open()
      send(post("one\n", { Connection: "closer" }))
      assert.isFalse(connection.isEnded)
      assert.notMatch(connection.written, /Connection: close/)
    })
  )

  it.effect("replies 100 to the head of a post if the client waits for this status", () =>
    Effect.gen(function* () {
      const { open } = yield* setUp()
      const { connection, send } = open()
      const [head, body] = post("one\n", { Expect: "100-continue" }).split("\r\n\r\n")
      send(`${head}\r\n\r\n`)
      assert.deepStrictEqual(connection.statuses, [100])
      send(body!)
      assert.deepStrictEqual(connection.statuses, [100, 200])
    })
  )

  it.effect("replies 400 to data that is not HTTP, and ends the connection", () =>
    Effect.gen(function* () {
      const { counts, open } = yield* setUp()
      const { connection, send } = open()
      send("no http\r\n\r\n")
      assert.deepStrictEqual(connection.statuses, [400])
      assert.isTrue(connection.isEnded)
      assert.deepStrictEqual(counts, { received: 1, notALog: 1 })
    })
  )

  it.effect("replies 405 to a method other than POST", () =>
    Effect.gen(function* () {
      const { counts, lines, open } = yield* setUp()
      const { connection, send } = open()
      send(post("one\n", {}, "PUT"))
      assert.deepStrictEqual(connection.statuses, [405])
      assert.deepStrictEqual([lines, counts], [[], { received: 1, notALog: 1 }])
    })
  )

  it.effect.each([
    ["wrongSender", 403],
    ["wrongSecret", 404]
  ] as const)(
    "if a post is refused because of `%s`, the receiver replies %d and drops the lines of the post",
    ([refused, status]) =>
      Effect.gen(function* () {
        const { counts, lines, open } = yield* setUp({ refused })
        const { connection, send } = open()
        send(post("one\n"))
        assert.deepStrictEqual(connection.statuses, [status])
        assert.deepStrictEqual([lines, counts], [[], { received: 1, [refused]: 1 }])
      })
  )

  it.effect("replies 200 to a duplicate post, and drops the lines of the duplicate", () =>
    Effect.gen(function* () {
      const { counts, lines, open } = yield* setUp()
      const { connection, send } = open()
      send(postAt(0, "one\n"))
      send(postAt(0, "one\n"))
      assert.deepStrictEqual(connection.statuses, [200, 200])
      assert.deepStrictEqual([lines, counts], [[["one\n", 0]], { received: 2, duplicates: 1 }])
    })
  )

  it.effect("counts a gap in the log once, and reports the missing bytes with the first line after the gap", () =>
    Effect.gen(function* () {
      const { counts, lines, missed, open } = yield* setUp()
      const { send } = open()
      send(postAt(0, "one\n"))
      send(postAt(10, "two\nthree\n"))
      assert.deepStrictEqual(lines, [
        ["one\n", 0],
        ["two\n", 6],
        ["three\n", 0]
      ])
      assert.deepStrictEqual([missed(), counts], [6, { received: 2, gaps: 1 }])
    })
  )

  it.effect("does not count a gap until the line after the gap is accepted", () =>
    Effect.gen(function* () {
      const { connection, counts, lines, missed, send } = yield* Effect.map(setUp({ capacity: 1 }), (receiver) => ({
        ...receiver,
        ...receiver.open()
      }))
      send(postAt(0, "one\n"))
      send(postAt(10, "two\n"))
      assert.deepStrictEqual([missed(), counts["gaps"]], [0, undefined])
      lines.length = 0
      send(postAt(10, "two\n"))
      assert.deepStrictEqual(connection.statuses, [200, 503, 200])
      assert.deepStrictEqual([lines, missed(), counts["gaps"]], [[["two\n", 6]], 6, 1])
    })
  )

  it.effect(
    "replies 503 if the buffer is too small for all lines, and accepts the remaining lines when the post is sent again",
    () =>
      Effect.gen(function* () {
        const { lines, open } = yield* setUp({ capacity: 2 })
        const { connection, send } = open()
        const body = "one\ntwo\nthree\n"
        send(postAt(0, body))
        assert.deepStrictEqual(lines.splice(0), [
          ["one\n", 0],
          ["two\n", 0]
        ])
        send(postAt(0, body))
        assert.deepStrictEqual(lines, [["three\n", 0]])
        assert.deepStrictEqual(connection.statuses, [503, 200])
      })
  )

  it.effect(
    "replies 503 to a post without offsets if the buffer has too little room, and 413 if the post is larger than the whole buffer",
    () =>
      Effect.gen(function* () {
        const { lines, open } = yield* setUp({ capacity: 2 })
        const { connection, send } = open()
        send(post("1\n"))
        send(post("2\n3\n"))
        send(post("2\n3\n4\n"))
        send(post("2\n"))
        assert.deepStrictEqual(connection.statuses, [200, 503, 413, 200])
        assert.deepStrictEqual(
          lines.map(([text]) => text),
          ["1\n", "2\n"]
        )
      })
  )

  it.effect("counts connections that end with an error, but not connections that close normally", () =>
    Effect.gen(function* () {
      const { counts, open } = yield* setUp()
      open().handler.onClose()
      assert.deepStrictEqual(counts, {})
      open().handler.onClose({ message: "reset", code: "ECONNRESET" })
      assert.deepStrictEqual(counts, { faults: 1 })
    })
  )
})

describe("a connection for log posts", () => {
  it.effect("is closed after a minute without a request", () =>
    Effect.gen(function* () {
      const { open } = yield* setUp()
      const { connection } = open()
      yield* TestClock.adjust("59 seconds")
      assert.isFalse(connection.isDestroyed)
      yield* TestClock.adjust("1 second")
      assert.isTrue(connection.isDestroyed)
    })
  )

  it.effect("stays open for a minute after each request", () =>
    Effect.gen(function* () {
      const { open } = yield* setUp()
      const { connection, send } = open()
      yield* TestClock.adjust("50 seconds")
      send(post("one\n"))
      yield* TestClock.adjust("59 seconds")
      assert.isFalse(connection.isDestroyed)
      yield* TestClock.adjust("1 second")
      assert.isTrue(connection.isDestroyed)
    })
  )

  it.effect("is closed ten seconds after the first byte of an incomplete request", () =>
    Effect.gen(function* () {
      const { open } = yield* setUp()
      const { connection, send } = open()
      send("P")
      yield* TestClock.adjust("5 seconds")
      send("O")
      yield* TestClock.adjust("4 seconds")
      send("S")
      assert.isFalse(connection.isDestroyed)
      yield* TestClock.adjust("1 second")
      assert.isTrue(connection.isDestroyed)
    })
  )

  it.effect("is not closed by a time limit if the client has already closed the connection", () =>
    Effect.gen(function* () {
      const { open } = yield* setUp()
      const { connection, handler } = open()
      handler.onClose()
      yield* TestClock.adjust("2 minutes")
      assert.isFalse(connection.isDestroyed)
    })
  )
})
