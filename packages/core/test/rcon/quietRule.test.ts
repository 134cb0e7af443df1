import { assert, describe, it } from "@effect/vitest"
import { QUIET_CAP_MS, QUIET_FLOOR_MS, QuietRule } from "../../src/rcon/quietRule.ts"

const makeRule = (...samples: ReadonlyArray<number>) => {
  const rule = new QuietRule()
  for (const sample of samples) rule.sample(sample)
  return rule
}

describe("QuietRule", () => {
  it("returns a quiet period of 500 ms if no round-trip time has been measured yet", () => {
    assert.strictEqual(makeRule().quietMs(false), 500)
  })

  it("returns the minimum quiet period for a nearby server, and the maximum quiet period for a distant server", () => {
    assert.strictEqual(makeRule(0).quietMs(false), QUIET_FLOOR_MS)
    assert.strictEqual(makeRule(1, 2, 1, 1).quietMs(false), QUIET_FLOOR_MS)
    assert.strictEqual(makeRule(2000).quietMs(false), QUIET_CAP_MS)
  })

  it("returns a shorter quiet period after 20 equal round-trip times than after the first of them", () => {
    const first = makeRule(80).quietMs(false)
    const settled = makeRule(...Array.from({ length: 20 }, () => 80)).quietMs(false)
    assert.strictEqual(first, 320)
    assert.isBelow(settled, 170)
    assert.isAtLeast(settled, 160)
  })

  it("multiplies the quiet period by 2.5 after a part that is nearly full", () => {
    assert.strictEqual(makeRule(1).quietMs(true), 2.5 * QUIET_FLOOR_MS)
  })
})
