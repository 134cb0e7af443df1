import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import type { Faults } from "../src/index.ts"
import { faultSwitches, parseFaults } from "../src/machines.ts"

describe("parseFaults", () => {
  it("reads probabilities, counts, times, sizes and flags", () => {
    const texts = ["loss=0.1", "rechallenge=2", "delay=50", "jitter=2.5", "truncate=1260", "spoof", "seed=7"]
    const expected: Faults = {
      loss: 0.1,
      rechallenge: 2,
      delayMs: 50,
      jitterMs: 2.5,
      truncateBytes: 1260,
      spoof: true,
      seed: 7
    }
    assert.deepEqual(Result.getOrThrow(parseFaults(texts)), expected)
  })

  it.each(["losss", "loss", "loss=", "loss=2", "loss=-1", "rechallenge=1.5", "delay=x", "spoof=1", "toString", ""])(
    "rejects %j, and the error contains the valid names or values",
    (text) => {
      const parsed = parseFaults([text])
      assert.isTrue(Result.isFailure(parsed))
      if (Result.isFailure(parsed)) assert.match(parsed.failure.message, / must be |The faults are/)
    }
  )

  it("accepts every fault; each fault has its own name and a description", () => {
    assert.strictEqual(new Set(faultSwitches.map(({ name }) => name)).size, faultSwitches.length)
    for (const { name, takes, description } of faultSwitches) {
      assert.isAbove(description.length, 10)
      assert.isTrue(Result.isSuccess(parseFaults([takes === "nothing" ? name : `${name}=1`])), name)
    }
  })
})
