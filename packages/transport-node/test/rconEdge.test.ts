/** Values that JavaScript can pass to RCON, but TypeScript rejects. The errors name the option, and never contain the password. */
import { assert, describe, it } from "@effect/vitest"
import { makeGoldSourceRcon, makeSourceRcon, startRconServer } from "@sourcewire/server"
import { interceptGoldSource } from "@sourcewire/server/machines"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { rcon as connectRcon } from "../src/index.ts"
import { password, PASSWORD_TEXT, transport } from "./rconSetup.ts"

type Anything = (...given: ReadonlyArray<unknown>) => Promise<never>

/** Runs a call that must be rejected, and returns its error. */
const getRejection = (call: unknown, ...given: ReadonlyArray<unknown>) =>
  (call as Anything)(...given).then(
    () => assert.fail("not refused"),
    (error: { readonly _tag: string; readonly message: string; readonly option?: string }) => error
  )

describe.concurrent("connectRcon", () => {
  it.each([
    ["no arguments", [], "InvalidOption", "options"],
    ["no address", [undefined, { password: "x" }], "InvalidAddress", "not an address"],
    ["no options", ["127.0.0.1:1"], "InvalidOption", "options"],
    ["null as the options", ["127.0.0.1:1", null], "InvalidOption", "options"],
    ["no password", ["127.0.0.1:1", {}], "InvalidOption", "password"],
    ["a number as the password", ["127.0.0.1:1", { password: 4711 }], "InvalidOption", "password"],
    [
      "a redacted number as the password",
      ["127.0.0.1:1", { password: Redacted.make(4711) }],
      "InvalidOption",
      "password"
    ],
    ["an unknown engine", ["127.0.0.1:1", { password: "x", engine: "quake3" }], "InvalidOption", "engine"],
    ["an invalid terminator", ["127.0.0.1:1", { password: "x", terminator: 5 }], "InvalidOption", "terminator"],
    ["an unknown encoding", ["127.0.0.1:1", { password: "x", encoding: "utf8" }], "InvalidOption", "encoding"],
    ["a string as a time limit", ["127.0.0.1:1", { password: "x", timeoutMs: "5" }], "InvalidOption", "timeoutMs"],
    [
      "an infinite time limit",
      ["127.0.0.1:1", { password: "x", totalTimeoutMs: Infinity }],
      "InvalidOption",
      "totalTimeoutMs"
    ],
    [
      "a string instead of true or false",
      ["127.0.0.1:1", { password: "x", reconnect: "no" }],
      "InvalidOption",
      "reconnect"
    ],
    ["an invalid trace", ["127.0.0.1:1", { password: "x", trace: true }], "InvalidOption", "trace"],
    ["an invalid random", ["127.0.0.1:1", { password: "x", random: 0.5 }], "InvalidOption", "random"],
    ["an invalid signal", ["127.0.0.1:1", { password: "x", signal: {} }], "InvalidOption", "signal"]
  ] as ReadonlyArray<readonly [string, ReadonlyArray<unknown>, string, string]>)(
    "rejects invalid arguments: %s",
    async (_, given, tag, named) => {
      const error = await getRejection(connectRcon, ...given)
      assert.strictEqual(error._tag, tag)
      assert.include(error.message, named)
      assert.notInclude(error.message, "4711")
    }
  )

  it("returns a session that rejects invalid commands and time limits, and then still runs valid commands", async () => {
    await using server = await startRconServer({
      transport,
      engine: "source",
      password: PASSWORD_TEXT,
      port: 0,
      handler: async () => "fine"
    })
    await using rcon = await connectRcon(`127.0.0.1:${server.local.port}`, { password: PASSWORD_TEXT })
    for (const command of [undefined, null, 5, {}, Symbol("x")]) {
      assert.strictEqual((await getRejection(rcon.exec, command))._tag, "EncodeError")
    }
    for (const ms of ["5", Number.NaN, 0, -1]) {
      assert.include(await getRejection(rcon.exec, "x", { timeoutMs: ms }), {
        _tag: "InvalidOption",
        option: "timeoutMs"
      })
      assert.include(await getRejection(rcon.exec, "x", { totalTimeoutMs: ms }), { option: "totalTimeoutMs" })
    }
    assert.include(await getRejection(rcon.exec, "x", { signal: "stop" }), { _tag: "InvalidOption", option: "signal" })
    assert.strictEqual(await rcon.exec("x"), "fine")
  })
})

const served = { handler: () => "" }

describe.concurrent("an RCON server", () => {
  it.each([
    [undefined, "transport"],
    [{ engine: "source", password: "x", ...served }, "transport"],
    [{ transport, password: "x", ...served }, "engine"],
    [{ transport, engine: "source", ...served }, "password"],
    [{ transport, engine: "source", password: 4711, ...served }, "password"],
    [{ transport, engine: "source", password: "x", handler: "status" }, "handler"],
    [{ transport, engine: "source", password: "x", ...served, port: "27015" }, "port"],
    [{ transport, engine: "source", password: "x", ...served, loginTimeoutMs: Number.NaN }, "loginTimeoutMs"],
    [{ transport, engine: "source", password: "x", ...served, maxConnections: 0 }, "maxConnections"],
    [
      { transport, engine: "source", password: "x", ...served, behaviour: { maxBodyBytes: 0 } },
      "behaviour.maxBodyBytes"
    ],
    [{ transport, engine: "source", password: "x", ...served, segments: { segmentBytes: 0 } }, "segments.segmentBytes"],
    [{ transport, engine: "source", password: "x", ...served, attempts: { banMs: "1h" } }, "attempts.banMs"],
    [{ transport, engine: "quake", password: "x", ...served, maxTextBytes: 0 }, "maxTextBytes"],
    [{ transport, engine: "quake", password: "x", ...served, queries: {} }, "queries.respond"]
  ] as ReadonlyArray<readonly [unknown, string]>)(
    "rejects invalid options, and the error names the option: row %#",
    async (options, option) => {
      const error = await getRejection(startRconServer, options)
      assert.include(error, { _tag: "InvalidOption", option })
      assert.notInclude(error.message, "4711")
    }
  )

  it.live("accepts only redacted passwords in the Effect API", () =>
    Effect.gen(function* () {
      for (const plain of ["a password", undefined, 5]) {
        const options = { password: plain as never, port: 0, handler: () => "" }
        const errors = [
          yield* Effect.flip(makeSourceRcon(options)),
          yield* Effect.flip(makeGoldSourceRcon(options)),
          yield* Effect.flip(interceptGoldSource(options))
        ]
        for (const error of errors) {
          assert.include(error, { _tag: "InvalidOption", option: "password" })
          assert.notInclude(JSON.stringify(error), "a password")
        }
      }
      const { local: address } = yield* makeSourceRcon({ password, port: 0, handler: () => "" })
      assert.isAbove(address.port, 0)
    }).pipe(Effect.scoped, Effect.provide(transport))
  )
})
