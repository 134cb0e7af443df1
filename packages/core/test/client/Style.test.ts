import { describe, expect, it } from "vitest"
import { promised } from "../../src/client/Style.ts"

/** Verbs that return their arguments, and a `run` that shows the options that it gets. */
const verbs = {
  info: (...given: ReadonlyArray<unknown>) => given,
  ask: (...given: ReadonlyArray<unknown>) => given,
  counters: { sent: 0 }
}
const both = promised(verbs, { info: 1, ask: 2 }, (call: unknown, options) => ({ call, options }))

describe("verbs with promises", () => {
  it("are those whose options have a position, and no others", () => {
    expect(Object.keys(both)).toEqual(["info", "ask"])
  })

  it("pass the options on without the signal, which belongs to the call", () => {
    const { signal } = new AbortController()
    const options = { timeoutMs: 1, signal }
    expect(both.info("host", options)).toEqual({ call: ["host", { timeoutMs: 1 }], options })
    expect(both.ask("info", "host", options)).toEqual({ call: ["info", "host", { timeoutMs: 1 }], options })
  })

  it("pass missing arguments on as such, and nothing after the options", () => {
    expect(both.info()).toEqual({ call: [undefined, undefined], options: undefined })
    expect(both.ask("info", "host")).toEqual({ call: ["info", "host", undefined], options: undefined })
    expect(both.info("host", undefined, "more")).toEqual({ call: ["host", undefined], options: undefined })
  })
})
