import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { recordTelemetry } from "../../../../tooling/testing/telemetry.ts"
import { Timeout } from "../../src/engine/QueryError.ts"
import { observed, spanOptions } from "../../src/client/telemetry.ts"

const SERVER = "192.0.2.1:27016"

/** Records the spans and the metrics of a program. The metrics are lines in Prometheus's format, without the comments. */
const record = <E, R>(program: Effect.Effect<unknown, E, R>) =>
  Effect.map(recordTelemetry(program), ({ lines, spans }) => ({
    spans,
    lines: lines.filter((line) => line !== "" && !line.startsWith("#"))
  }))

const traffic = { rttMs: 20, sent: 2, received: 3 }
const counted = (outcome: string): string => `sourcewire_queries_total{query="info",outcome="${outcome}"} 1`
const SERVER_ATTRIBUTES = { "server.address": "192.0.2.1", "server.port": 27_016, "sourcewire.query": "info" }

describe("a successful call", () => {
  it.effect("records a span with the server, the counts of datagrams and the round-trip time", () =>
    Effect.gen(function* () {
      const { spans } = yield* record(observed("info", SERVER, Effect.succeed(traffic)))
      assert.deepStrictEqual(spans, [
        {
          name: "sourcewire.info",
          kind: "client",
          parent: undefined,
          attributes: {
            ...SERVER_ATTRIBUTES,
            "sourcewire.attempts": 2,
            "sourcewire.received": 3,
            "sourcewire.round_trip_ms": 20
          }
        }
      ])
    })
  )

  it.effect("records its outcome and its round-trip time as metrics", () =>
    Effect.gen(function* () {
      const { lines } = yield* record(observed("info", SERVER, Effect.succeed(traffic)))
      assert.includeMembers(lines, [
        counted("answered"),
        'sourcewire_round_trip_seconds_sum{query="info"} 0.02',
        'sourcewire_round_trip_seconds_count{query="info"} 1'
      ])
    })
  )

  it.effect("adds an ambiguous round-trip time to its span, but not to the metrics", () =>
    Effect.gen(function* () {
      const { lines, spans } = yield* record(
        observed("info", SERVER, Effect.succeed({ ...traffic, rttAmbiguous: true }))
      )
      assert.strictEqual(spans[0]!.attributes["sourcewire.round_trip_ms"], 20)
      assert.deepStrictEqual(lines, [counted("answered")])
    })
  )

  it.effect.each([undefined, null, "a text"])(
    "adds no counts of datagrams to its span if the result of the call is %j",
    (value) =>
      Effect.gen(function* () {
        const { lines, spans } = yield* record(observed("info", SERVER, Effect.succeed(value)))
        assert.deepStrictEqual(spans[0]!.attributes, SERVER_ATTRIBUTES)
        assert.deepStrictEqual(lines, [counted("answered")])
      })
  )

  it.effect("records a span that is a child of the caller's span, and the parent of the spans inside the call", () =>
    Effect.gen(function* () {
      const inner = Effect.andThen(Effect.withSpan(Effect.void, "first"), Effect.withSpan(Effect.void, "second"))
      const { spans } = yield* record(Effect.withSpan(observed("info", SERVER, inner), "caller"))
      assert.deepStrictEqual(
        spans.map(({ name, parent }) => [name, parent]),
        [
          ["caller", undefined],
          ["sourcewire.info", "caller"],
          ["first", "sourcewire.info"],
          ["second", "sourcewire.info"]
        ]
      )
    })
  )
})

describe("a failed call", () => {
  it.effect("records the tag of its error as the error type", () =>
    Effect.gen(function* () {
      const error = new Timeout({ message: "late", phase: "request", sent: 5, received: 0 })
      const { lines, spans } = yield* record(Effect.exit(observed("info", SERVER, Effect.fail(error))))
      assert.deepStrictEqual(spans[0]!.attributes, {
        ...SERVER_ATTRIBUTES,
        "error.type": "Timeout",
        "sourcewire.attempts": 5,
        "sourcewire.received": 0
      })
      assert.deepStrictEqual(lines, [counted("Timeout")])
    })
  )

  it.effect("records `defect` as the error type if the call throws", () =>
    Effect.gen(function* () {
      const { lines, spans } = yield* record(Effect.exit(observed("info", SERVER, Effect.die(new Error("odd")))))
      assert.strictEqual(spans[0]!.attributes["error.type"], "defect")
      assert.deepStrictEqual(lines, [counted("defect")])
    })
  )

  it.effect("records `interrupted` as the error type if the call is interrupted", () =>
    Effect.gen(function* () {
      const { lines, spans } = yield* record(
        Effect.gen(function* () {
          const fiber = yield* Effect.forkChild(observed("info", SERVER, Effect.never))
          yield* Effect.yieldNow
          yield* Fiber.interrupt(fiber)
        })
      )
      assert.strictEqual(spans[0]!.attributes["error.type"], "interrupted")
      assert.deepStrictEqual(lines, [counted("interrupted")])
    })
  )
})

describe("the attributes of a span", () => {
  it("include the port of an address object, or the default port if the address contains no port", () => {
    assert.deepInclude(spanOptions("rcon", "host", 27_020).attributes, {
      "server.address": "host",
      "server.port": 27_020
    })
    assert.deepInclude(spanOptions("info", { host: "host", port: 5 }).attributes, { "server.port": 5 })
  })

  it("include no server if the address is invalid", () => {
    assert.deepStrictEqual(spanOptions("info", "no address:").attributes, { "sourcewire.query": "info" })
  })
})
