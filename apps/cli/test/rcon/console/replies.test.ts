import { expect, it } from "vitest"
import { Replies, markedLine } from "../../../src/rcon/console/replies.ts"

it("if there are too many replies, the console stores only the newest replies", () => {
  const replies = new Replies()
  for (let i = 0; i < 10_000; i++) replies.remember(`${i} ${"x".repeat(1000)}`)
  expect(replies.newestFirst[0]).toMatch(/^9999 /)
  expect(replies.holding("X").length).toBeGreaterThan(4000)
  expect(replies.holding("X").length).toBeLessThan(9000)
})

it.each([
  ["sv_Gravity and gravity", "GRAVITY", "sv_<Gravity> and <gravity>"],
  ["nothing", "x", "nothing"],
  ["everything", "", "everything"],
  ["mp_chattime (10.0)", "(10.0)", "mp_chattime <(10.0)>"],
  ["\u0130stanbul is longer in lower case", "is", "\u0130stanbul <is> longer in lower case"]
])("in the line %j, a search for %j marks the matches: %j", (line, text, marked) => {
  expect(markedLine(line, text, (found) => `<${found}>`)).toBe(marked)
})
