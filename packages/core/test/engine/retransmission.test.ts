import { describe, expect, it } from "vitest"
import { Retransmission } from "../../src/engine/retransmission.ts"
import { RoundTrip } from "../../src/engine/RoundTrip.ts"

const SETTINGS = { timeoutMs: 3000, retries: 3, encoding: "auto", random: () => 0.5 } as const

const setUp = (known: number = 0) => {
  const roundTrip = new RoundTrip()
  if (known > 0) roundTrip.sample(known)
  return { roundTrip, transmissions: new Retransmission(SETTINGS, roundTrip) }
}

describe("a reply", () => {
  it("teaches where one question alone can explain it", () => {
    const { roundTrip, transmissions } = setUp()
    transmissions.transmit(100, "opening")
    expect(transmissions.measure(140, ["opening"])).toEqual({ rttMs: 40 })
    expect(roundTrip.minMs).toBe(40)
    expect(transmissions.outstanding).toBe(0)
  })

  it("of two explanations is guessed to be to the latest, and teaches nothing", () => {
    const { roundTrip, transmissions } = setUp()
    transmissions.transmit(0, "opening")
    transmissions.transmit(300, "opening")
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
    for (const sentAt of [0, 300, 645]) transmissions.transmit(sentAt, "opening")
    expect(transmissions.measure(900, ["opening"])).toEqual({ rttMs: guess, rttAmbiguous: true })
  })

  it("is not one to a question that is answered otherwise", () => {
    const { transmissions } = setUp()
    transmissions.transmit(0, "opening")
    transmissions.transmit(100, "alternate")
    transmissions.transmit(110, "challenged")
    expect(transmissions.outstanding).toBe(3)
    expect(transmissions.measure(130, ["alternate"])).toEqual({ rttMs: 30 })
    expect(transmissions.measure(135, ["challenged"])).toEqual({ rttMs: 25 })
    expect(transmissions.measure(140, ["opening"])).toEqual({ rttMs: 140 })
  })

  it("is ambiguous where questions of two kinds can explain it", () => {
    const { transmissions } = setUp()
    transmissions.transmit(0, "challenged")
    transmissions.transmit(100, "opening")
    expect(transmissions.measure(110, ["opening", "challenged"])).toEqual({ rttMs: 10, rttAmbiguous: true })
  })

  it("is as long as another of the query took, where it says nothing itself", () => {
    const { transmissions } = setUp()
    transmissions.transmit(0, "opening")
    expect(transmissions.measure(10, ["opening"])).toEqual({ rttMs: 10 })
    transmissions.transmit(10, "challenged")
    transmissions.transmit(110, "challenged")
    expect(transmissions.measure(120, ["challenged"])).toEqual({ rttMs: 10 })
  })
})

describe("late replies", () => {
  it("teach once the last has come, and then tell the answer's round trip", () => {
    const { roundTrip, transmissions } = setUp()
    for (const sentAt of [0, 100, 200]) transmissions.transmit(sentAt, "opening")
    expect(transmissions.measure(250, ["opening"]).rttAmbiguous).toBe(true)
    expect(transmissions.measureLate(350, ["opening"])).toBeUndefined()
    expect(roundTrip.smoothedMs).toBe(0)
    expect(transmissions.measureLate(450, ["opening"])).toEqual({ rttMs: 250 })
    expect(roundTrip.smoothedMs).toBe(250)
  })

  it("tell it once", () => {
    const { transmissions } = setUp()
    for (const sentAt of [0, 100]) transmissions.transmit(sentAt, "opening")
    transmissions.measure(150, ["opening"])
    expect(transmissions.measureLate(250, ["opening"])).toEqual({ rttMs: 150 })
    transmissions.transmit(300, "opening")
    expect(transmissions.measureLate(900, ["opening"])).toBeUndefined()
  })

  it("change nothing of what the answer told", () => {
    const { roundTrip, transmissions } = setUp()
    transmissions.transmit(0, "opening")
    transmissions.transmit(0, "challenged")
    transmissions.measure(10, ["opening"])
    expect(transmissions.measureLate(30, ["challenged"])).toBeUndefined()
    expect(roundTrip.smoothedMs).toBeGreaterThan(10)
  })

  it("that the network repeats do not teach", () => {
    const { roundTrip, transmissions } = setUp()
    transmissions.transmit(0, "opening")
    transmissions.measure(10, ["opening"])
    transmissions.measureLate(500, ["opening"])
    expect(roundTrip.smoothedMs).toBe(10)
  })
})

describe("after another exchange on the same socket", () => {
  it("what comes too soon is that one's, each once", () => {
    const { transmissions } = setUp(100)
    transmissions.comeAfter(1)
    transmissions.transmit(0, "opening")
    expect(transmissions.isOwed(49)).toBe(true)
    expect(transmissions.isOwed(49)).toBe(false)
    expect(transmissions.outstanding).toBe(1)
  })

  it("nothing teaches while its replies are outstanding", () => {
    const { roundTrip, transmissions } = setUp(100)
    transmissions.comeAfter(1)
    transmissions.transmit(0, "opening")
    expect(transmissions.isOwed(60)).toBe(false)
    expect(transmissions.outstanding).toBe(2)
    expect(transmissions.measure(60, ["opening"])).toEqual({ rttMs: 60, rttAmbiguous: true })
    expect(roundTrip.minMs).toBe(100)
  })
})
