import { Timeout } from "@sourcewire/core"
import { describe, expect, it } from "vitest"
import { plain } from "../../src/network/plain.ts"

describe("a value that the network in the page sends", () => {
  it("has the same fields as the JSON of the bridge", () => {
    const error = new Timeout({ message: "No reply.", phase: "request", sent: 7, received: 0 })
    expect(structuredClone(plain({ errors: { rules: error }, list: [1n, "a", null, undefined] }))).toEqual({
      errors: { rules: { _tag: "Timeout", message: "No reply.", phase: "request" } },
      list: ["1", "a", null, undefined]
    })
  })
})
