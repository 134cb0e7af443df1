import { expect, it } from "vitest"
import { INITIAL_RTO_MS, MIN_RTO_MS } from "../../src/Limits.ts"
import { RoundTrip } from "../../src/engine/Retry.ts"

it("the delay before a retransmission has an initial value, and never falls below its minimum", () => {
  const roundTrip = new RoundTrip()
  expect(roundTrip.rtoMs).toBe(INITIAL_RTO_MS)
  roundTrip.sample(0.2)
  expect(roundTrip.rtoMs).toBe(MIN_RTO_MS)
})

it("the delay before a retransmission is longer if round-trip times vary than if they are constant", () => {
  const [steady, unsteady] = [new RoundTrip(), new RoundTrip()]
  for (let i = 0; i < 50; i++) {
    steady.sample(150)
    unsteady.sample(i % 2 === 0 ? 50 : 250)
  }
  expect(steady.rtoMs).toBeLessThan(160)
  expect(unsteady.rtoMs).toBeGreaterThan(400)
  expect(unsteady.minMs).toBe(50)
  unsteady.sample(40)
  expect(unsteady.minMs).toBe(40)
})
