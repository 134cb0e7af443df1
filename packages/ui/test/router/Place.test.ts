import { describe, expect, it } from "vitest"
import { formatFragment } from "../../src/router/Place.ts"

describe("the fragment of a URL", () => {
  it("contains the path and all parameters that are not empty", () => {
    expect(formatFragment("decode")).toBe("#decode")
    expect(formatFragment("/events", [["field", ""]])).toBe("#/events")
    expect(
      formatFragment("query", [
        ["a", "[::1]:27015"],
        ["k", undefined],
        ["p", "list"]
      ])
    ).toBe("#query?a=%5B%3A%3A1%5D%3A27015&p=list")
  })
})
