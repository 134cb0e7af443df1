/** Tests the functions that check a single argument. Other tests (in `transport-node`) pass hostile values to every exported function. */
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import {
  callable,
  checkedOptions,
  copyProperties,
  demandRandom,
  duration,
  flag,
  isSignal,
  isWhole,
  jitter,
  oneOf,
  optionsAre,
  whole,
  withoutSignal
} from "../src/edge.ts"

describe("an option for a whole number from 1 to 10", () => {
  it.each([1, 5, 10])("accepts %d", (value) => {
    expect(isWhole(1, 10)(value)).toBe(true)
    expect(whole("n", 1, 10, value)).toBe(value)
  })

  it.each([0, 11, 1.5, Number.NaN, "5", null])("rejects %o", (value) => {
    expect(isWhole(1, 10)(value)).toBe(false)
    expect(() => whole("n", 1, 10, value)).toThrow("n must be a whole number from 1 to 10, not ")
  })
})

describe("an option", () => {
  it("may be absent", () => {
    expect([
      whole("n", 1, 10, undefined),
      duration("ms", 10, undefined),
      oneOf("kind", ["a"], undefined),
      flag("on", undefined),
      callable("call", undefined),
      optionsAre(undefined)
    ]).toEqual(Array.from({ length: 6 }, () => undefined))
  })

  it.each<readonly [must: string, check: (value: unknown) => unknown, good: unknown, bad: ReadonlyArray<unknown>]>([
    [
      "ms must be a number of ms above 0 and up to 10",
      (ms) => duration("ms", 10, ms),
      10,
      [0, -1, 11, "5", Number.NaN]
    ],
    ["kind must be one of a, b", (kind) => oneOf("kind", ["a", "b"], kind), "b", ["c", null, 1]],
    ["on must be true or false", (on) => flag("on", on), false, [0, "true", null]],
    ["call must be a function", (call) => callable("call", call), Math.abs, [1, {}, null]],
    ["options must be an object", (given) => optionsAre(given), {}, [[], 1, null, "a"]]
  ])("causes InvalidOption if its value is invalid: %s", (must, check, good, bad) => {
    expect(check(good)).toBe(good)
    for (const value of bad) {
      expect(() => check(value)).toThrow(
        expect.objectContaining({ _tag: "InvalidOption", message: expect.stringContaining(must) })
      )
    }
  })
})

describe("options", () => {
  it("cause InvalidOption if they contain an unknown name", () => {
    const given = { timeoutMs: 5 }
    expect(checkedOptions(["timeoutMs", "retries"], given)).toBe(given)
    expect(checkedOptions(["timeoutMs"], undefined)).toBeUndefined()
    expect(() => checkedOptions(["timeoutMs"], { timeOutMs: 5 })).toThrow("timeoutMs")
    expect(() => checkedOptions(["map"], { maps: 5 }, "filter")).toThrow(
      expect.objectContaining({ option: "filter.maps" })
    )
  })

  it("`withoutSignal` removes only `signal`, and returns all other options", () => {
    const { signal } = new AbortController()
    expect(withoutSignal({ signal, timeoutMs: 5 })).toEqual({ timeoutMs: 5 })
    const given: { readonly timeoutMs: number; readonly signal?: AbortSignal } = { timeoutMs: 5 }
    expect(withoutSignal(given)).toBe(given)
    expect(withoutSignal(undefined)).toBeUndefined()
  })

  it("`copyProperties` returns a copy, or throws if the options are not an object or cannot be read", () => {
    const given = { a: 1 }
    expect(copyProperties("options", given)).toEqual(given)
    expect(copyProperties("options", given)).not.toBe(given)
    expect(() => copyProperties("options", 5 as never)).toThrow("options must be an object, not 5.")
    const unreadable = Object.defineProperty({}, "a", { enumerable: true, get: () => JSON.parse("{") as unknown })
    expect(() => copyProperties("options", unreadable)).toThrow("The value of options cannot be read.")
  })
})

describe("a signal", () => {
  it("can be an object that is no `AbortSignal`, but has all properties that Sourcewire uses", () => {
    const { signal } = new AbortController()
    expect(isSignal(signal)).toBe(true)
    const parts = {
      aborted: false,
      addEventListener: () => {},
      removeEventListener: () => {},
      throwIfAborted: () => {}
    }
    expect(isSignal(parts)).toBe(true)
    for (const name of Object.keys(parts)) expect(isSignal({ ...parts, [name]: undefined })).toBe(false)
    expect([isSignal(null), isSignal(undefined), isSignal(5)]).toEqual([false, false, false])
  })
})

describe("the option `random`", () => {
  const fail = (): never => {
    throw new Error("no dice")
  }

  it("is `Math.random` by default", () => {
    expect(jitter(undefined)).toBe(Math.random)
  })

  it.each([
    [0, 0],
    [0.25, 0.25],
    [1, 0.5],
    [-0.1, 0.5],
    [Number.NaN, 0.5]
  ])("if the function returns %d, the value %d is used", (value, expected) => {
    expect(jitter(() => value)()).toBe(expected)
  })

  it("causes InvalidOption if the function throws, or if the value is not a function", () => {
    const error = expect.objectContaining({
      _tag: "InvalidOption",
      option: "random",
      message: "random must return a number, but threw: Error: no dice"
    })
    expect(jitter(fail)).toThrow(error)
    expect(() => demandRandom(fail)).toThrow(error)
    expect(() => demandRandom(5 as never)).toThrow("random must be a function, not 5.")
    expect(Result.isSuccess(Result.try(() => demandRandom(undefined)))).toBe(true)
  })
})
