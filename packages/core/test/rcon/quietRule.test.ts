import { assert, describe, it } from "@effect/vitest"
import { QUIET_CAP_MS, QUIET_FLOOR_MS, QuietRule } from "../../src/rcon/quietRule.ts"

const after = (...samples: ReadonlyArray<number>) => {
  const rule = new QuietRule()
  for (const sample of samples) rule.sample(sample)
  return rule
}

describe("QuietRule", () => {
  it("waits half a second at first", () => {
    assert.strictEqual(after().quietMs(false), 500)
  })

  it("stays at its minimum nearby, and at its cap far away", () => {
    assert.strictEqual(after(0).quietMs(false), QUIET_FLOOR_MS)
    assert.strictEqual(after(1, 2, 1, 1).quietMs(false), QUIET_FLOOR_MS)
    assert.strictEqual(after(2000).quietMs(false), QUIET_CAP_MS)
  })

  it("follows the round-trip time, and settles with it", () => {
    const first = after(80).quietMs(false)
    const settled = after(...Array.from({ length: 20 }, () => 80)).quietMs(false)
    assert.strictEqual(first, 320)
    assert.isBelow(settled, 170)
    assert.isAtLeast(settled, 160)
  })

  it("waits longer after a part that is nearly full", () => {
    assert.strictEqual(after(1).quietMs(true), 2.5 * QUIET_FLOOR_MS)
  })
})
