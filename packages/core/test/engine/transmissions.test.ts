import { describe, expect, it } from "vitest"
import { Transmissions } from "../../src/engine/transmissions.ts"
import { RoundTrip } from "../../src/engine/RoundTrip.ts"

const setUp = (known: number = 0) => {
  const roundTrip = new RoundTrip()
  if (known > 0) roundTrip.sample(known)
  return { roundTrip, transmissions: new Transmissions(roundTrip) }
}

describe("a reply", () => {
  it("teaches where one question alone can explain it", () => {
    const { roundTrip, transmissions } = setUp()
    transmissions.add(100, "opening")
    expect(transmissions.measure(140, ["opening"])).toEqual({ rttMs: 40 })
    expect(roundTrip.minMs).toBe(40)
    expect(transmissions.outstanding).toBe(0)
  })

  it("of two explanations is guessed to be to the latest, and teaches nothing", () => {
    const { roundTrip, transmissions } = setUp()
    transmissions.add(0, "opening")
    transmissions.add(300, "opening")
    expect(transmissions.measure(310, ["opening"])).toEqual({ rttMs: 10, rttAmbiguous: true })
    expect(roundTrip.smoothedMs).toBe(0)
    expect(transmissions.outstanding).toBe(1)
  })

  it.each([
    [900, 900],
    [500, 600],
    [200, 255]
  ])("is guessed to be to the question nearest to the round trip that is known: %i", (known, guess) => {
    const { transmissions } = setUp(known)
    for (const sentAt of [0, 300, 645]) transmissions.add(sentAt, "opening")
    expect(transmissions.measure(900, ["opening"])).toEqual({ rttMs: guess, rttAmbiguous: true })
  })

  it("is not one to a question that is answered otherwise", () => {
    const { transmissions } = setUp()
    transmissions.add(0, "opening")
    transmissions.add(100, "alternate")
    transmissions.add(110, "challenged")
    expect(transmissions.outstanding).toBe(3)
    expect(transmissions.measure(130, ["alternate"])).toEqual({ rttMs: 30 })
    expect(transmissions.measure(135, ["challenged"])).toEqual({ rttMs: 25 })
    expect(transmissions.measure(140, ["opening"])).toEqual({ rttMs: 140 })
  })

  it("is ambiguous where questions of two kinds can explain it", () => {
    const { transmissions } = setUp()
    transmissions.add(0, "challenged")
    transmissions.add(100, "opening")
    expect(transmissions.measure(110, ["opening", "challenged"])).toEqual({ rttMs: 10, rttAmbiguous: true })
  })

  it("is as long as another of the query took, where it says nothing itself", () => {
    const { transmissions } = setUp()
    transmissions.add(0, "opening")
    expect(transmissions.measure(10, ["opening"])).toEqual({ rttMs: 10 })
    transmissions.add(10, "challenged")
    transmissions.add(110, "challenged")
    expect(transmissions.measure(120, ["challenged"])).toEqual({ rttMs: 10 })
    const resumed = setUp().transmissions
    resumed.know(7)
    expect(resumed.measure(120, ["challenged"])).toEqual({ rttMs: 7 })
  })
})

describe("late replies", () => {
  it("teach once the last has come, and then tell the answer's round trip", () => {
    const { roundTrip, transmissions } = setUp()
    for (const sentAt of [0, 100, 200]) transmissions.add(sentAt, "opening")
    expect(transmissions.measure(250, ["opening"]).rttAmbiguous).toBe(true)
    expect(transmissions.measureLate(350, ["opening"])).toBeUndefined()
    expect(roundTrip.smoothedMs).toBe(0)
    expect(transmissions.measureLate(450, ["opening"])).toEqual({ rttMs: 250 })
    expect(roundTrip.smoothedMs).toBe(250)
  })

  it("tell it once", () => {
    const { transmissions } = setUp()
    for (const sentAt of [0, 100]) transmissions.add(sentAt, "opening")
    transmissions.measure(150, ["opening"])
    expect(transmissions.measureLate(250, ["opening"])).toEqual({ rttMs: 150 })
    transmissions.add(300, "opening")
    expect(transmissions.measureLate(900, ["opening"])).toBeUndefined()
  })

  it("change nothing of what the answer told", () => {
    const { roundTrip, transmissions } = setUp()
    transmissions.add(0, "opening")
    transmissions.add(0, "challenged")
    transmissions.measure(10, ["opening"])
    expect(transmissions.measureLate(30, ["challenged"])).toBeUndefined()
    expect(roundTrip.smoothedMs).toBeGreaterThan(10)
  })

  it("that the network repeats do not teach", () => {
    const { roundTrip, transmissions } = setUp()
    transmissions.add(0, "opening")
    transmissions.measure(10, ["opening"])
    transmissions.measureLate(500, ["opening"])
    expect(roundTrip.smoothedMs).toBe(10)
  })
})

describe("after another exchange on the same socket", () => {
  it("what comes too soon is that one's, each once", () => {
    const { transmissions } = setUp(100)
    transmissions.comeAfter(1)
    transmissions.add(0, "opening")
    expect(transmissions.isOwed(49)).toBe(true)
    expect(transmissions.isOwed(49)).toBe(false)
    expect(transmissions.outstanding).toBe(1)
  })

  it("nothing teaches while its replies are outstanding", () => {
    const { roundTrip, transmissions } = setUp(100)
    transmissions.comeAfter(1)
    transmissions.add(0, "opening")
    expect(transmissions.isOwed(60)).toBe(false)
    expect(transmissions.outstanding).toBe(2)
    expect(transmissions.measure(60, ["opening"])).toEqual({ rttMs: 60, rttAmbiguous: true })
    expect(roundTrip.minMs).toBe(100)
  })
})
