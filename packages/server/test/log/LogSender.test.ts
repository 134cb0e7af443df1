import { assert, describe, it } from "@effect/vitest"
import { logs as receiveLogs } from "@sourcewire/core"
import { LogEntry } from "@sourcewire/core/log"
import { networkLayer, makeNetwork } from "@sourcewire/core/testing"
import { decode } from "@sourcewire/protocol"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import {
  logDatagram,
  type LogFormat,
  logLine,
  type LogSenderOptions,
  makeLogSender,
  MAX_LOG_TEXT_CHARS
} from "../../src/log/LogSender.ts"

const TIME: LogEntry.LogTime = { year: 2025, month: 6, day: 28, hour: 8, minute: 2, second: 7 }

const ascii = (bytes: Uint8Array): string => String.fromCharCode(...bytes)

describe("logDatagram", () => {
  it.each([
    [{}, "\xff\xff\xff\xffRL 06/28/2025 - 08:02:07: hello\n\0"],
    [{ format: "goldsource" }, "\xff\xff\xff\xfflog L 06/28/2025 - 08:02:07: hello\n\0"],
    [{ format: "xash3d" }, "\xff\xff\xff\xfflog 06/28/2025 - 08:02:07: hello\n\0"],
    [{ secret: Redacted.make("12345") }, "\xff\xff\xff\xffS12345L 06/28/2025 - 08:02:07: hello\n\0"]
  ] as ReadonlyArray<readonly [LogFormat, string]>)("writes a line in the format %j", (format, expected) => {
    const datagram = Result.getOrThrow(logDatagram("hello", TIME, format))
    assert.strictEqual(ascii(datagram), expected)
    assert.isTrue(Result.isSuccess(decode(datagram)))
    const opened = LogEntry.openDatagram(datagram)!
    assert.deepInclude(LogEntry.readLine(opened), { time: TIME, text: "hello" })
  })

  it("writes every text as a single line of limited length, and replaces control characters", () => {
    assert.strictEqual(
      logLine("name\nL 01/01/2025 - 00:00:00: forged\0\x07end", TIME),
      "L 06/28/2025 - 08:02:07: name L 01/01/2025 - 00:00:00: forged end\n"
    )
    const long = logLine(`${"x".repeat(MAX_LOG_TEXT_CHARS - 1)}😀`, TIME)
    assert.match(long, /: x+\n$/)
    assert.isTrue(Result.isSuccess(logDatagram(`${"x".repeat(MAX_LOG_TEXT_CHARS - 1)}😀`, TIME)))
  })

  it.each([undefined, 5, {}])("fails if the text is %j", (text) => {
    const datagram = logDatagram(text as never, TIME)
    assert.isTrue(Result.isFailure(datagram) && datagram.failure.field === "line")
  })

  it("fails if the encoding does not support a character of the text", () => {
    assert.isTrue(Result.isFailure(logDatagram("★", TIME, { encoding: "latin1" })))
  })
})

describe("LogSender", () => {
  it.effect("sends each line to every receiver, except to receivers that were removed", () =>
    Effect.gen(function* () {
      const transport = networkLayer(yield* makeNetwork())
      const secret = Redacted.make("opensesame")
      const [one, two] = yield* Effect.all([
        receiveLogs({ secret, from: ["127.0.0.1:27015"] }),
        receiveLogs({ host: "127.0.0.2", secret })
      ]).pipe(Effect.provide(transport))
      const sender = yield* Effect.provide(makeLogSender({ secret, targets: [one.local], port: 27_015 }), transport)
      assert.isTrue(sender.add(two.local))
      yield* sender.send("first")
      sender.remove(two.local)
      yield* sender.send("second")
      yield* TestClock.adjust(10)
      const entries = yield* Stream.runCollect(Stream.take(one.entries, 2))
      assert.deepStrictEqual(
        entries.map(({ text }) => text),
        ["first", "second"]
      )
      assert.isDefined(entries[0]!.time)
      assert.include(two.counters(), { accepted: 1, wrongSecret: 0 })
      assert.deepStrictEqual(sender.targets(), [one.local])
    })
  )

  it.effect.each([
    ["a secret with a blank", { secret: Redacted.make("open sesame") }],
    ["an empty secret", { secret: Redacted.make("") }],
    ["a secret on GoldSource", { secret: Redacted.make("1"), format: "goldsource" }],
    ["a secret that is not redacted", { secret: "opensesame" as never }],
    ["an unknown format", { format: "quake" as never }],
    ["a target that is not an object", { targets: ["127.0.0.1:27500"] as never }],
    ["targets that are not a list", { targets: { address: "127.0.0.1", port: 1 } as never }],
    ["a target of the other IP version", { targets: [{ address: "::1", port: 1 }] }],
    ["too many targets", { targets: Array.from({ length: 33 }, (_, port) => ({ address: "127.0.0.1", port })) }]
  ] as ReadonlyArray<readonly [string, LogSenderOptions]>)("rejects %s", ([, options]) =>
    Effect.gen(function* () {
      const transport = networkLayer(yield* makeNetwork())
      const error = yield* Effect.flip(Effect.provide(makeLogSender(options), transport))
      assert.strictEqual(error._tag, "InvalidOption")
      assert.notInclude(error.message, "sesame")
    })
  )
})
