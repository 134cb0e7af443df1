import { describe, expect, it } from "vitest"
import { isSame } from "../src/watch/isSame.ts"

const answer = { info: { name: "a", tags: ["x", "y"], port: 1, extra: { steamId: "7" } }, rules: null }

describe("two replies", () => {
  it("are equal if all of their fields are equal", () => {
    expect(isSame(answer, structuredClone(answer))).toBe(true)
    expect(isSame({ a: 1, b: 2 }, { b: 2, a: 1 })).toBe(true)
  })

  it.each([
    { ...answer, rules: {} },
    { ...answer, more: 1 },
    { info: answer.info },
    { ...answer, info: { ...answer.info, tags: ["x"] } },
    { ...answer, info: { ...answer.info, tags: { 0: "x", 1: "y" } } },
    { ...answer, info: { ...answer.info, extra: { steamId: 7 } } },
    undefined
  ])("are different if the second reply is %j", (other) => {
    expect(isSame(answer, other)).toBe(false)
    expect(isSame(other, answer)).toBe(false)
  })
})
