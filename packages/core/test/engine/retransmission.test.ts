import { describe, expect, it } from "vitest"
import { Asked, Retransmission } from "../../src/engine/retransmission.ts"
import type { MeasuredRoundTrip } from "../../src/engine/RoundTrip.ts"
import { RoundTrip } from "../../src/engine/RoundTrip.ts"

const SETTINGS = { timeoutMs: 3000, retries: 3, encoding: "auto", random: () => 0.5 } as const

const setUp = (known: number = 0) => {
  const roundTrip = new RoundTrip()
  if (known > 0) roundTrip.sample(known)
  const transmissions = new Retransmission(SETTINGS, roundTrip)
  const measured = (now: number, asked: number): MeasuredRoundTrip | undefined => {
    transmissions.measure(now, asked)
    return transmissions.rtt
  }
  const measuredLate = (now: number, asked: number): MeasuredRoundTrip | undefined => {
    transmissions.measureLate(now, asked)
    return transmissions.rtt
  }
  return { roundTrip, transmissions, measured, measuredLate }
}

describe("a reply", () => {
  it("teaches where one question alone can explain it", () => {
    const { measured, roundTrip, transmissions } = setUp()
    transmissions.transmit(100, Asked.Opening)
    expect(measured(140, Asked.Opening)).toEqual({ rttMs: 40 })
    expect(roundTrip.minMs).toBe(40)
    expect(transmissions.outstanding).toBe(0)
  })

  it("of two explanations is guessed to be to the latest, and teaches nothing", () => {
    const { measured, roundTrip, transmissions } = setUp()
    transmissions.transmit(0, Asked.Opening)
    transmissions.transmit(300, Asked.Opening)
    expect(measured(310, Asked.Opening)).toEqual({ rttMs: 10, rttAmbiguous: true })
    expect(roundTrip.smoothedMs).toBe(0)
    expect(transmissions.outstanding).toBe(1)
  })

  it.each([
    [900, 900],
    [500, 600],
    [200, 255]
  ])("is guessed to be to the question nearest to the round trip that is known: %i", (known, guess) => {
    const { measured, transmissions } = setUp(known)
    for (const sentAt of [0, 300, 645]) transmissions.transmit(sentAt, Asked.Opening)
    expect(measured(900, Asked.Opening)).toEqual({ rttMs: guess, rttAmbiguous: true })
  })

  it("is not one to a question that is answered otherwise", () => {
    const { measured, transmissions } = setUp()
    transmissions.transmit(0, Asked.Opening)
    transmissions.transmit(100, Asked.Alternate)
    transmissions.transmit(110, Asked.Challenged)
    expect(transmissions.outstanding).toBe(3)
    expect(measured(130, Asked.Alternate)).toEqual({ rttMs: 30 })
    expect(measured(135, Asked.Challenged)).toEqual({ rttMs: 25 })
    expect(measured(140, Asked.Opening)).toEqual({ rttMs: 140 })
  })

  it("is ambiguous where questions of two kinds can explain it", () => {
    const { measured, transmissions } = setUp()
    transmissions.transmit(0, Asked.Challenged)
    transmissions.transmit(100, Asked.Opening)
    expect(measured(110, Asked.Opening | Asked.Challenged)).toEqual({ rttMs: 10, rttAmbiguous: true })
  })

  it("is as long as another of the query took, where it says nothing itself", () => {
    const { measured, transmissions } = setUp()
    transmissions.transmit(0, Asked.Opening)
    expect(measured(10, Asked.Opening)).toEqual({ rttMs: 10 })
    transmissions.transmit(10, Asked.Challenged)
    transmissions.transmit(110, Asked.Challenged)
    expect(measured(120, Asked.Challenged)).toEqual({ rttMs: 10 })
  })
})

describe("late replies", () => {
  it("teach once the last has come, and then tell the answer's round trip", () => {
    const { measured, measuredLate, roundTrip, transmissions } = setUp()
    for (const sentAt of [0, 100, 200]) transmissions.transmit(sentAt, Asked.Opening)
    expect(measured(250, Asked.Opening)?.rttAmbiguous).toBe(true)
    expect(measuredLate(350, Asked.Opening)).toEqual({ rttMs: 50, rttAmbiguous: true })
    expect(roundTrip.smoothedMs).toBe(0)
    expect(measuredLate(450, Asked.Opening)).toEqual({ rttMs: 250 })
    expect(roundTrip.smoothedMs).toBe(250)
  })

  it("tell it once", () => {
    const { measuredLate, transmissions } = setUp()
    for (const sentAt of [0, 100]) transmissions.transmit(sentAt, Asked.Opening)
    transmissions.measure(150, Asked.Opening)
    expect(measuredLate(250, Asked.Opening)).toEqual({ rttMs: 150 })
    transmissions.transmit(300, Asked.Opening)
    expect(measuredLate(900, Asked.Opening)).toEqual({ rttMs: 150 })
  })

  it("change nothing of what the answer told", () => {
    const { measuredLate, roundTrip, transmissions } = setUp()
    transmissions.transmit(0, Asked.Opening)
    transmissions.transmit(0, Asked.Challenged)
    transmissions.measure(10, Asked.Opening)
    expect(measuredLate(30, Asked.Challenged)).toEqual({ rttMs: 10 })
    expect(roundTrip.smoothedMs).toBeGreaterThan(10)
  })

  it("that the network repeats do not teach", () => {
    const { roundTrip, transmissions } = setUp()
    transmissions.transmit(0, Asked.Opening)
    transmissions.measure(10, Asked.Opening)
    transmissions.measureLate(500, Asked.Opening)
    expect(roundTrip.smoothedMs).toBe(10)
  })
})

describe("after another exchange on the same socket", () => {
  it("what comes too soon is that one's, each once", () => {
    const { transmissions } = setUp(100)
    transmissions.comeAfter(1)
    transmissions.transmit(0, Asked.Opening)
    expect(transmissions.isOwed(49)).toBe(true)
    expect(transmissions.isOwed(49)).toBe(false)
    expect(transmissions.outstanding).toBe(1)
  })

  it("nothing teaches while its replies are outstanding", () => {
    const { measured, roundTrip, transmissions } = setUp(100)
    transmissions.comeAfter(1)
    transmissions.transmit(0, Asked.Opening)
    expect(transmissions.isOwed(60)).toBe(false)
    expect(transmissions.outstanding).toBe(2)
    expect(measured(60, Asked.Opening)).toEqual({ rttMs: 60, rttAmbiguous: true })
    expect(roundTrip.minMs).toBe(100)
  })
})
