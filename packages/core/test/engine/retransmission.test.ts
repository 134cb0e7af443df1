import { describe, expect, it } from "vitest"
import { Step } from "../../src/engine/Exchange.ts"
import { RepeatedQuestion, RoundTrip, sumOfWaits } from "../../src/engine/retransmission.ts"
import { Asked, OneKind } from "../../src/engine/unanswered.ts"
import { BACKOFF_FACTOR } from "../../src/Limits.ts"
import type { MeasuredRoundTrip } from "../../src/engine/Exchange.ts"

const SETTINGS = { timeoutMs: 3000, retries: 3, encoding: "auto", random: () => 0.5 } as const

/** Of which the transmissions alone matter. */
class Question extends RepeatedQuestion<never> {
  readonly packet = new Uint8Array()
  protected asked: number = Asked.Opening
  transmit = (now: number, asked: number): void => {
    this.asked = asked
    this.ask(now)
  }
  receive = (): Step => Step.Wait
  expire = (): Step => Step.Wait
}

const setUp = (known: number = 0) => {
  const roundTrip = new RoundTrip()
  if (known > 0) roundTrip.sample(known)
  const transmissions = new Question(SETTINGS, roundTrip)
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

describe("what several questions leave open", () => {
  it("is told by the replies that come as far apart as they went out", () => {
    const { measured, transmissions } = setUp()
    for (const sentAt of [1000, 1100]) transmissions.transmit(sentAt, Asked.Opening)
    expect(measured(1050, Asked.Opening)).toMatchObject({ rttAmbiguous: true })
    expect(measured(1150, Asked.Opening)).toEqual({ rttMs: 50 })
  })

  it("stays a guess where they are off by half of what lies between the questions", () => {
    const { measured, transmissions } = setUp()
    for (const sentAt of [0, 100]) transmissions.transmit(sentAt, Asked.Opening)
    measured(10, Asked.Opening)
    expect(measured(160, Asked.Opening)).toMatchObject({ rttAmbiguous: true })
  })

  it("is the oldest kind's first, of two that a reply may be to, in whatever order they were asked", () => {
    for (const kinds of [
      [Asked.Opening, Asked.Challenged],
      [Asked.Challenged, Asked.Opening]
    ] as const) {
      const { measured, transmissions } = setUp()
      transmissions.transmit(0, kinds[0])
      transmissions.transmit(10, kinds[1])
      expect(measured(20, Asked.Opening | Asked.Challenged)).toMatchObject({ rttAmbiguous: true })
      expect(measured(50, Asked.Challenged)).toEqual({ rttMs: kinds[0] === Asked.Challenged ? 50 : 40 })
    }
  })

  it("is no longer open where one kind has all its replies", () => {
    const { measured, transmissions } = setUp()
    transmissions.transmit(0, Asked.Opening)
    transmissions.transmit(10, Asked.Challenged)
    transmissions.measure(20, Asked.Opening)
    expect(measured(40, Asked.Opening | Asked.Challenged)).toEqual({ rttMs: 30 })
  })

  it("is guessed from questions of the reply's kind alone", () => {
    const { measured, transmissions } = setUp(250)
    transmissions.transmit(0, Asked.Opening)
    for (const sentAt of [100, 200]) transmissions.transmit(sentAt, Asked.Alternate)
    expect(measured(250, Asked.Alternate)).toEqual({ rttMs: 150, rttAmbiguous: true })
  })

  it("is guessed from the last question where no question was of the reply's kind", () => {
    const { measured, transmissions } = setUp()
    expect(transmissions.rtt).toBeUndefined()
    transmissions.transmit(100, Asked.Opening)
    expect(measured(150, Asked.Alternate)).toEqual({ rttMs: 50, rttAmbiguous: true })
    transmissions.transmit(200, Asked.Opening)
    expect(measured(260, Asked.Alternate)).toEqual({ rttMs: 60, rttAmbiguous: true })
  })

  it("is open for a single question too, where a reply may be to the exchange before", () => {
    const { measured, roundTrip, transmissions } = setUp()
    transmissions.comeAfter(1)
    transmissions.transmit(100, Asked.Opening)
    expect(measured(200, Asked.Opening)).toEqual({ rttMs: 100, rttAmbiguous: true })
    expect(roundTrip.smoothedMs).toBe(0)
  })
})

describe("transmissions of one kind", () => {
  it("that all have their replies take none, and give nothing to guess from", () => {
    const unanswered = new OneKind(Asked.Opening)
    expect([unanswered.reply(5), unanswered.guesses(5)]).toEqual([undefined, []])
    unanswered.add(10)
    expect(unanswered.guesses(15)).toEqual([5])
    expect([unanswered.reply(20), unanswered.reply(25), unanswered.guesses(25)]).toEqual([10, undefined, []])
  })
})

it("the wait for a slow server is longer than its answer takes, whatever the chance", () => {
  const roundTrip = new RoundTrip()
  roundTrip.sample(1000)
  const transmissions = new Question({ ...SETTINGS, random: () => 0 }, roundTrip)
  transmissions.begin(0)
  transmissions.transmit(0, Asked.Opening)
  expect(transmissions.deadline).toBeGreaterThan(1000)
})

it("waits add up by their factor", () => {
  expect([0, 1, 2].map(sumOfWaits)).toEqual([0, 1, 1 + BACKOFF_FACTOR])
  expect(sumOfWaits(5)).toBeCloseTo([0, 1, 2, 3, 4].reduce((sum, n) => sum + BACKOFF_FACTOR ** n, 0))
})
