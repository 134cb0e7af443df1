import { expect, it } from "vitest"
import { firstSentence, readDocComment } from "../src/docComment.ts"

it("readDocComment returns prose and examples, and turns links into code", () => {
  const comment = "*\n * Opens a {@link Door}.\n * Twice.\n *\n * @example\n * open()\n * open()\n *\n * @module\n "
  expect(readDocComment(comment)).toEqual({ prose: "Opens a `Door`.\nTwice.", examples: ["open()\nopen()"] })
  expect(readDocComment("* One line. ")).toEqual({ prose: "One line.", examples: [] })
})

it("firstSentence supports a line break and a decimal number in the sentence", () => {
  expect(firstSentence("A door:\nwith a handle of 1.5 m. And a lock.")).toBe("A door: with a handle of 1.5 m.")
})
