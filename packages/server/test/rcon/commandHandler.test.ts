import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import type { CommandHandler, CommandSource } from "../../src/rcon/commandHandler.ts"
import { runHandler } from "../../src/rcon/commandHandler.ts"
import { runInNewContext } from "node:vm"

const from: CommandSource = { address: "127.0.0.1", port: 4000, engine: "source" }

/** The output of a handler, and the number of warnings. */
const outcome = (handler: unknown) => {
  let warnings = 0
  const counting = Logger.layer([Logger.make(() => void warnings++)])
  return Effect.map(
    Effect.provide(runHandler(handler as CommandHandler, "status", from), counting),
    (text) => [text, warnings] as const
  )
}

/** A promise of another realm. */
const foreign: unknown = runInNewContext("Promise.resolve('a text')")

describe("a handler", () => {
  it.effect.each([
    ["a text", () => "a text"],
    ["an effect", () => Effect.succeed("a text")],
    ["a promise", () => Promise.resolve("a text")],
    ["an async function", async () => "a text"],
    ["a promise from elsewhere", () => foreign]
  ] as ReadonlyArray<readonly [string, () => unknown]>)("gives its text as %s", ([, handler]) =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* outcome(handler), ["a text", 0])
    })
  )

  it.effect.each([
    [
      "throws",
      () => {
        throw new Error("secret")
      }
    ],
    [
      "throws undefined",
      () => {
        throw undefined
      }
    ],
    [
      "rejects",
      async () => {
        throw new Error("secret")
      }
    ],
    ["gives a promise that rejects with nothing", () => Promise.reject(undefined)],
    ["dies", () => Effect.die(new Error("secret"))],
    ["fails", () => Effect.fail("secret")],
    ["gives nothing", () => undefined],
    ["gives null", () => null],
    ["gives a number", () => 42],
    ["gives an object", () => ({ text: "secret" })],
    ["gives a promise of an object", async () => ({ text: "secret" })],
    ["gives an effect of nothing", () => Effect.void],
    ["is none", "no function"]
  ] as ReadonlyArray<readonly [string, unknown]>)("that %s is a line of the reply and a warning", ([, handler]) =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* outcome(handler), ["The server failed to carry out this command.\n", 1])
    })
  )
})
