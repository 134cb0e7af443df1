import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Redacted from "effect/Redacted"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import type { LogOptions } from "../../src/log/LogStream.ts"
import * as LogStream from "../../src/log/LogStream.ts"
import { networkLayer, makeNetwork } from "../../src/testing/Testing.ts"

const LISTEN = { host: "127.0.0.1", port: 27_500 }
const LINE = "L 06/28/2025 - 08:42:47: hello\n\0"

const datagram = (latin1: string): Uint8Array =>
  Uint8Array.from(`\xff\xff\xff\xff${latin1}`, (character) => character.charCodeAt(0))

/** A receiver, and senders at two addresses. */
const setUp = Effect.fnUntraced(function* (options?: LogOptions) {
  const network = yield* makeNetwork({ names: { "game.example": "127.0.0.2" } })
  const receiver = yield* Effect.provide(LogStream.make({ ...LISTEN, ...options }), networkLayer(network))
  const ignore = { onDatagram: () => undefined, onFault: () => undefined }
  const one = yield* network.datagrams.open({ family: 4, bind: { address: "127.0.0.1", port: 27_015 } }, ignore)
  const two = yield* network.datagrams.open({ family: 4, bind: { address: "127.0.0.2", port: 27_016 } }, ignore)
  const from = (socket: typeof one) => (text: string) => {
    socket.send(datagram(text), LISTEN.host, LISTEN.port)
    return TestClock.adjust(1)
  }
  return { receiver, one: from(one), two: from(two) }
})

const take = (receiver: LogStream.LogReceiver, count: number) => Stream.runCollect(Stream.take(receiver.entries, count))

describe("LogStream", () => {
  it.effect("returns the lines in order, each with its sender and its time of arrival", () =>
    Effect.gen(function* () {
      const { one, receiver, two } = yield* setUp()
      assert.deepStrictEqual(receiver.local, { address: "127.0.0.1", port: 27_500 })
      yield* one(`R${LINE}`)
      yield* two(`log ${LINE}`)
      yield* one(`S42${LINE}`)
      yield* one("Ino log line")
      const entries = yield* take(receiver, 3)
      assert.deepStrictEqual(entries[0], {
        format: "source",
        time: { year: 2025, month: 6, day: 28, hour: 8, minute: 42, second: 47 },
        text: "hello",
        line: "L 06/28/2025 - 08:42:47: hello\n",
        sender: { address: "127.0.0.1", port: 27_015 },
        receivedAtMs: 1
      })
      assert.deepStrictEqual(
        entries.map(({ format, sender }) => [format, sender.port]),
        [
          ["source", 27_015],
          ["goldsource", 27_016],
          ["source", 27_015]
        ]
      )
      assert.include(receiver.counters(), { received: 4, accepted: 3, notALog: 1, dropped: 0 })
    })
  )

  it.effect("drops lines if the reader is too slow, and counts the dropped lines", () =>
    Effect.gen(function* () {
      const { one, receiver } = yield* setUp({ capacity: 2 })
      for (let i = 0; i < 5; i++) yield* one(`R${i}`)
      const entries = yield* take(receiver, 2)
      assert.deepStrictEqual(
        entries.map(({ text }) => text),
        ["0", "1"]
      )
      assert.include(receiver.counters(), { received: 5, accepted: 2, dropped: 3 })
    })
  )

  it.effect.each([
    [["127.0.0.1"], ["127.0.0.1:27015"]],
    [["127.0.0.1:27015"], ["127.0.0.1:27015"]],
    [["127.0.0.1:27016"], []],
    [
      ["127.0.0.1", "game.example:27016"],
      ["127.0.0.1:27015", "127.0.0.2:27016"]
    ],
    [["game.example"], ["127.0.0.2:27016"]]
  ] as const)("accepts datagrams from %j, and drops datagrams from other senders", ([from, accepted]) =>
    Effect.gen(function* () {
      const { one, receiver, two } = yield* setUp({ from })
      yield* one(`R${LINE}`)
      yield* two(`R${LINE}`)
      assert.include(receiver.counters(), { accepted: accepted.length, wrongSender: 2 - accepted.length })
      const entries = yield* take(receiver, accepted.length)
      assert.deepStrictEqual(
        entries.map(({ sender }) => `${sender.address}:${sender.port}`),
        [...accepted]
      )
    })
  )

  it.effect.each(["12345", "hush hush"])("drops datagrams without the secret %j", (secret) =>
    Effect.gen(function* () {
      const { one, receiver } = yield* setUp({ secret: Redacted.make(secret) })
      yield* one(`S${secret}${LINE}`)
      for (const wrong of [`R${LINE}`, `S${LINE}`, `S${secret}6${LINE}`, `S${secret.slice(1)}${LINE}`, `log ${LINE}`]) {
        yield* one(wrong)
      }
      assert.include(receiver.counters(), { accepted: 1, wrongSecret: 5 })
      const [entry] = yield* take(receiver, 1)
      assert.strictEqual(entry!.text, "hello")
      assert.notInclude(JSON.stringify(entry), secret)
    })
  )

  it.effect("masks RCON passwords by default", () =>
    Effect.gen(function* () {
      for (const showPasswords of [undefined, false, true]) {
        const { one, receiver } = yield* setUp({ showPasswords })
        yield* one('log L 06/28/2025 - 08:42:47: Rcon: "rcon 123 "secret" status" from "127.0.0.1:5"\n\0')
        const [entry] = yield* take(receiver, 1)
        assert.strictEqual(JSON.stringify(entry).includes("secret"), showPasswords === true)
      }
    })
  )

  it.effect("drops datagrams that are too large", () =>
    Effect.gen(function* () {
      const { one, receiver } = yield* setUp()
      yield* one(`R${"x".repeat(LogStream.MAX_LOG_DATAGRAM_BYTES)}`)
      assert.include(receiver.counters(), { accepted: 0, notALog: 1 })
    })
  )

  it.effect("returns the lines that arrived before the scope closed, and then ends", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const { one, receiver } = yield* Scope.provide(setUp(), scope)
      yield* one("Rlast words")
      yield* Scope.close(scope, Exit.void)
      const entries = yield* Stream.runCollect(receiver.entries)
      assert.deepStrictEqual(
        entries.map(({ text }) => text),
        ["last words"]
      )
    })
  )

  it.effect.each([
    [{ host: "localhost" }, "InvalidOption"],
    [{ port: 70_000 }, "InvalidOption"],
    [{ capacity: 0 }, "InvalidOption"],
    [{ secret: Redacted.make("") }, "InvalidOption"],
    [{ secret: "12345" as never }, "InvalidOption"],
    [{ from: "127.0.0.1" as never }, "InvalidOption"],
    [{ from: [null] as never }, "InvalidOption"],
    [{ host: 5 as never }, "InvalidOption"],
    [{ from: ["not an address"] }, "InvalidAddress"],
    [{ from: ["nowhere.example"] }, "Unresolved"]
  ] as ReadonlyArray<readonly [LogOptions, string]>)("rejects the options %j", ([options, tag]) =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(setUp(options))
      assert.strictEqual(error._tag, tag)
    })
  )
})
