import { describe, expect, it } from "vitest"
import { Transmissions } from "../../src/internal/transmissions.ts"
import { RoundTrip } from "../../src/RoundTrip.ts"

const setUp = (known: number = 0) => {
  const roundTrip = new RoundTrip()
  if (known > 0) roundTrip.sample(known)
  return { roundTrip, transmissions: new Transmissions(roundTrip) }
}

describe("a reply", () => {
  it("teaches where one question alone can explain it", () => {
    const { roundTrip, transmissions } = setUp()
    transmissions.add(100, false)
    expect(transmissions.measure(140)).toBe(40)
    expect(roundTrip.minMs).toBe(40)
    expect(transmissions.outstanding).toBe(0)
  })

  it("is counted from the latest question that can explain it, and teaches nothing", () => {
    const { roundTrip, transmissions } = setUp(200)
    transmissions.add(0, false)
    transmissions.add(180, false)
    expect(transmissions.measure(200)).toBe(200)
    expect(roundTrip.smoothedMs).toBe(200)
    expect(transmissions.outstanding).toBe(1)
  })

  it("tells by its kind which question it answers", () => {
    const { transmissions } = setUp()
    transmissions.add(0, false)
    transmissions.add(100, true)
    expect(transmissions.measureByKind(130, false)).toBe(130)
    expect(transmissions.measureByKind(130, true)).toBe(30)
  })
})

describe("late replies", () => {
  it("teach once the last has come", () => {
    const { roundTrip, transmissions } = setUp()
    for (const sentAt of [0, 100, 200]) transmissions.add(sentAt, false)
    transmissions.measure(250)
    transmissions.late(350)
    expect(roundTrip.smoothedMs).toBe(0)
    transmissions.late(450)
    expect(roundTrip.smoothedMs).toBe(250)
  })

  it("that the network repeats do not", () => {
    const { roundTrip, transmissions } = setUp()
    transmissions.add(0, false)
    transmissions.measure(10)
    transmissions.late(500)
    expect(roundTrip.smoothedMs).toBe(10)
  })
})

describe("after another exchange on the same socket", () => {
  it("what comes too soon is that one's, each once", () => {
    const { transmissions } = setUp(100)
    transmissions.comeAfter(1)
    transmissions.add(0, false)
    expect(transmissions.isOwed(49)).toBe(true)
    expect(transmissions.isOwed(49)).toBe(false)
    expect(transmissions.outstanding).toBe(1)
  })

  it("nothing teaches while its replies are outstanding", () => {
    const { roundTrip, transmissions } = setUp(100)
    transmissions.comeAfter(1)
    transmissions.add(0, false)
    expect(transmissions.isOwed(60)).toBe(false)
    expect(transmissions.measure(60)).toBe(60)
    expect(roundTrip.minMs).toBe(100)
  })
})
