import { describe, expect, it } from "vitest"
import { promised } from "../../src/client/Style.ts"

/** Methods that return their arguments, and a function `run` that returns both of its arguments. */
const methods = {
  info: (...given: ReadonlyArray<unknown>) => given,
  ask: (...given: ReadonlyArray<unknown>) => given,
  counters: { sent: 0 }
}
const promiseMethods = promised(methods, { info: 1, ask: 2 }, (call: unknown, options) => ({ call, options }))

describe("methods that return promises", () => {
  it("are created for the listed methods, and for no other property", () => {
    expect(Object.keys(promiseMethods)).toEqual(["info", "ask"])
  })

  it("pass the options without `signal` to the method, and the options with `signal` to `run`", () => {
    const { signal } = new AbortController()
    const options = { timeoutMs: 1, signal }
    expect(promiseMethods.info("host", options)).toEqual({ call: ["host", { timeoutMs: 1 }], options })
    expect(promiseMethods.ask("info", "host", options)).toEqual({ call: ["info", "host", { timeoutMs: 1 }], options })
  })

  it("pass `undefined` to the method for each missing argument, and drop the arguments after the options", () => {
    expect(promiseMethods.info()).toEqual({ call: [undefined, undefined], options: undefined })
    expect(promiseMethods.ask("info", "host")).toEqual({ call: ["info", "host", undefined], options: undefined })
    expect(promiseMethods.info("host", undefined, "more")).toEqual({ call: ["host", undefined], options: undefined })
  })
})
