import { describe, expect, it } from "vitest"
import { colourRuns, withoutColours } from "../../src/text/ColourCodes.ts"

describe("colourRuns", () => {
  it.each([
    ["plain", [{ text: "plain" }]],
    ["", []],
    ["^1", []],
    ["^1Red ^7and ^4blue", [{ text: "Red ", colour: "red" }, { text: "and " }, { text: "blue", colour: "blue" }]],
    ["a^2b^3c^5d^6e^0f", ["green", "yellow", "cyan", "magenta", "black"]],
    [
      "^8x^9y",
      [
        { text: "x", colour: "black" },
        { text: "y", colour: "red" }
      ]
    ],
    [
      "\u0003Zoë\u0001 says \u0004hi\u0002!",
      [{ text: "Zoë", colour: "cyan" }, { text: " says " }, { text: "hi", colour: "green" }, { text: "!" }]
    ],
    ["^^1x", [{ text: "^" }, { text: "x", colour: "red" }]],
    ["^_^ 2^n ^", [{ text: "^_^ 2^n ^" }]],
    ["\u0005", [{ text: "\u0005" }]]
  ])("splits %j into parts that each have one colour", (text, expected) => {
    const runs = colourRuns(text)
    if (typeof expected[0] === "string") expect(runs.slice(1).map(({ colour }) => colour)).toEqual(expected)
    else expect(runs).toEqual(expected)
    expect(withoutColours(text)).toBe(runs.map((run) => run.text).join(""))
  })
})
