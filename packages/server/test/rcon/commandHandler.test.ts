import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import type { CommandHandler, CommandSource } from "../../src/rcon/commandHandler.ts"
import { runHandler } from "../../src/rcon/commandHandler.ts"
import { runInNewContext } from "node:vm"

const from: CommandSource = { address: "127.0.0.1", port: 4000, engine: "source" }

/** Runs a handler, and returns its output and the number of logged warnings. */
const runAndCountWarnings = (handler: unknown) => {
  let warnings = 0
  const counting = Logger.layer([Logger.make(() => void warnings++)])
  return Effect.map(
    Effect.provide(runHandler(handler as CommandHandler, "status", from), counting),
    (text) => [text, warnings] as const
  )
}

/** A promise of another JavaScript realm: it is not an instance of the `Promise` of this realm. */
const foreign: unknown = runInNewContext("Promise.resolve('a text')")

describe("a handler", () => {
  it.effect.each([
    ["a text", () => "a text"],
    ["an effect", () => Effect.succeed("a text")],
    ["a promise", () => Promise.resolve("a text")],
    ["the result of an async function", async () => "a text"],
    ["a promise of another realm", () => foreign]
  ] as ReadonlyArray<readonly [string, () => unknown]>)("can return its output as %s", ([, handler]) =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* runAndCountWarnings(handler), ["a text", 0])
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
      "is async and throws",
      async () => {
        throw new Error("secret")
      }
    ],
    ["returns a promise that rejects with undefined", () => Promise.reject(undefined)],
    ["returns an effect that dies", () => Effect.die(new Error("secret"))],
    ["returns an effect that fails", () => Effect.fail("secret")],
    ["returns nothing", () => undefined],
    ["returns null", () => null],
    ["returns a number", () => 42],
    ["returns an object", () => ({ text: "secret" })],
    ["returns a promise of an object", async () => ({ text: "secret" })],
    ["returns an effect of nothing", () => Effect.void],
    ["is not a function", "no function"]
  ] as ReadonlyArray<readonly [string, unknown]>)(
    "causes a reply that reports the failure, and a warning in the log, if the handler %s",
    ([, handler]) =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* runAndCountWarnings(handler), [
          "The server failed to carry out this command.\n",
          1
        ])
      })
  )
})
