import { decode } from "@sourcewire/protocol"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import type { MeasuredRoundTrip } from "../../src/engine/Exchange.ts"
import { RequestKind, Retry, RoundTrip, sumBackoff } from "../../src/engine/Retry.ts"
import { BACKOFF_FACTOR } from "../../src/Limits.ts"

const SETTINGS = { timeoutMs: 3000, retries: 3, encoding: "auto", random: () => 0.5 } as const

const DAMAGE = Result.getOrThrow(Result.flip(decode(new Uint8Array())))

const setUp = (known: number = 0) => {
  const roundTrip = new RoundTrip()
  if (known > 0) roundTrip.sample(known)
  const retry = new Retry(SETTINGS, roundTrip)
  const measured = (now: number, queried: number): MeasuredRoundTrip | undefined => {
    retry.measure(now, queried)
    return retry.rtt
  }
  return { roundTrip, retry, measured }
}

describe("a reply", () => {
  it("has an exact RTT and changes the RTT estimate of the server if the reply can belong to only one datagram", () => {
    const { measured, retry, roundTrip } = setUp()
    retry.send(100, RequestKind.Opening)
    expect(measured(140, RequestKind.Opening)).toEqual({ rttMs: 40 })
    expect(roundTrip.minMs).toBe(40)
    expect(retry.outstanding).toBe(0)
  })

  it("has an ambiguous RTT and does not change the RTT estimate of the server if the reply can belong to two datagrams", () => {
    const { measured, retry, roundTrip } = setUp()
    retry.send(0, RequestKind.Opening)
    retry.send(300, RequestKind.Opening)
    expect(measured(310, RequestKind.Opening)).toEqual({ rttMs: 310, rttAmbiguous: true })
    expect(roundTrip.smoothedMs).toBe(0)
    expect(retry.outstanding).toBe(1)
  })

  it.each([
    [900, 900],
    [600, 900],
    [500, 255],
    [200, 255]
  ])(
    "if the RTT can be 900 ms (first datagram) or 255 ms (last datagram) and the estimate is %i ms, the reported RTT is %i ms",
    (known, guess) => {
      const { measured, retry } = setUp(known)
      for (const sentAt of [0, 300, 645]) retry.send(sentAt, RequestKind.Opening)
      expect(measured(900, RequestKind.Opening)).toEqual({ rttMs: guess, rttAmbiguous: true })
    }
  )

  it("if many servers share the RTT estimate, an ambiguous RTT is measured from the first datagram", () => {
    const roundTrip = new RoundTrip({ isShared: true })
    roundTrip.sample(50)
    const retry = new Retry(SETTINGS, roundTrip)
    for (const sentAt of [0, 300, 645, 1042]) retry.send(sentAt, RequestKind.Opening)
    retry.measure(1200, RequestKind.Opening)
    expect(retry.rtt).toEqual({ rttMs: 1200, rttAmbiguous: true })
  })

  it("is not assigned to a datagram that already has a reply", () => {
    const { measured, retry } = setUp()
    retry.send(0, RequestKind.Opening)
    retry.send(100, RequestKind.Alternate)
    retry.send(110, RequestKind.Challenged)
    expect(retry.outstanding).toBe(3)
    expect(measured(130, RequestKind.Alternate)).toEqual({ rttMs: 30 })
    expect(measured(135, RequestKind.Challenged)).toEqual({ rttMs: 25 })
    expect(measured(140, RequestKind.Opening)).toEqual({ rttMs: 140 })
  })

  it("has an ambiguous RTT if it can belong to datagrams of two kinds; the RTT of the next reply is then also ambiguous", () => {
    const { measured, retry } = setUp()
    retry.send(0, RequestKind.Challenged)
    retry.send(100, RequestKind.Opening)
    expect(measured(110, RequestKind.Opening | RequestKind.Challenged)).toEqual({ rttMs: 110, rttAmbiguous: true })
    expect(retry.outstanding).toBe(1)
    expect(measured(120, RequestKind.Challenged)).toMatchObject({ rttAmbiguous: true })
    expect(retry.outstanding).toBe(0)
  })

  it("does not replace an earlier exact RTT with an ambiguous RTT", () => {
    const { measured, retry } = setUp()
    retry.send(0, RequestKind.Opening)
    expect(measured(10, RequestKind.Opening)).toEqual({ rttMs: 10 })
    retry.send(10, RequestKind.Challenged)
    retry.send(110, RequestKind.Challenged)
    expect(measured(120, RequestKind.Challenged)).toEqual({ rttMs: 10 })
  })

  it("has an ambiguous RTT if an earlier reply to the same request had an ambiguous RTT", () => {
    const { measured, retry } = setUp()
    for (const sentAt of [1000, 1100]) retry.send(sentAt, RequestKind.Opening)
    expect(measured(1050, RequestKind.Opening)).toMatchObject({ rttAmbiguous: true })
    expect(measured(1150, RequestKind.Opening)).toMatchObject({ rttAmbiguous: true })
    retry.send(1200, RequestKind.Opening)
    expect(measured(1240, RequestKind.Opening)).toMatchObject({ rttAmbiguous: true })
  })

  it("has an ambiguous RTT if a damaged reply arrived earlier", () => {
    // The damaged reply and the later reply may be two copies of one reply.
    const { measured, retry } = setUp()
    retry.send(0, RequestKind.Opening)
    expect(retry.onDamaged(DAMAGE)).toBe(true)
    retry.send(20, RequestKind.Challenged)
    expect(measured(30, RequestKind.Challenged)).toEqual({ rttMs: 10, rttAmbiguous: true })
  })

  it("if a reply belongs to none of the datagrams, its RTT is ambiguous and measured from the last datagram", () => {
    const { measured, retry } = setUp()
    expect(retry.rtt).toBeUndefined()
    retry.send(100, RequestKind.Opening)
    expect(measured(150, RequestKind.Alternate)).toEqual({ rttMs: 50, rttAmbiguous: true })
    expect(retry.outstanding).toBe(1)
  })
})

describe("a duplicate reply", () => {
  it("makes the RTT ambiguous and lengthens the next retransmission delay if the request was retransmitted", () => {
    const { retry, roundTrip } = setUp()
    for (const sentAt of [0, 300, 645]) retry.send(sentAt, RequestKind.Opening)
    retry.measure(900, RequestKind.Opening)
    retry.onRepeated(RequestKind.Opening)
    expect(retry.rtt).toEqual({ rttMs: 900, rttAmbiguous: true })
    expect(roundTrip.smoothedMs).toBe(0)
    // The next request to this server is not retransmitted before the reply arrives, so the RTT is exact.
    const next = new Retry({ ...SETTINGS, random: () => 0 }, roundTrip)
    next.begin(2000)
    next.send(2000, RequestKind.Opening)
    expect(next.deadline).toBeGreaterThan(2900)
    next.measure(2900, RequestKind.Opening)
    expect(next.rtt).toEqual({ rttMs: 900 })
    expect(roundTrip.smoothedMs).toBe(900)
  })

  it("reduces the number of outstanding replies, and lengthens the next retransmission delay to more than the RTT", () => {
    const { retry, roundTrip } = setUp()
    for (const sentAt of [0, 300]) retry.send(sentAt, RequestKind.Opening)
    retry.measure(500, RequestKind.Opening)
    retry.onRepeated(RequestKind.Opening)
    expect(roundTrip.rtoMs).toBeGreaterThan(500)
    expect(retry.outstanding).toBe(0)
  })

  it("does not change an RTT estimate that many servers share", () => {
    const roundTrip = new RoundTrip({ isShared: true })
    const { rtoMs } = roundTrip
    const retry = new Retry(SETTINGS, roundTrip)
    for (const sentAt of [0, 300]) retry.send(sentAt, RequestKind.Opening)
    retry.measure(1000, RequestKind.Opening)
    retry.onRepeated(RequestKind.Opening)
    expect(roundTrip.rtoMs).toBe(rtoMs)
  })

  it("changes nothing if every request already has a reply", () => {
    const { retry, roundTrip } = setUp()
    retry.send(0, RequestKind.Opening)
    retry.measure(10, RequestKind.Opening)
    retry.onRepeated(RequestKind.Opening)
    expect([roundTrip.smoothedMs, roundTrip.rtoMs, retry.rtt]).toEqual([10, expect.any(Number), { rttMs: 10 }])
    expect(roundTrip.rtoMs).toBeLessThan(500)
  })
})

describe("after another exchange on the same socket", () => {
  it("a reply that arrives in less than half of the shortest RTT is assigned to the earlier exchange, once for each outstanding reply", () => {
    const { retry } = setUp(100)
    retry.expectLateReplies(1)
    retry.send(0, RequestKind.Opening)
    expect(retry.belongsToPrevious(49)).toBe(true)
    expect(retry.belongsToPrevious(49)).toBe(false)
    expect(retry.outstanding).toBe(1)
  })

  it("no RTT is exact while replies to the earlier exchange are outstanding", () => {
    const { measured, retry, roundTrip } = setUp(100)
    retry.expectLateReplies(1)
    retry.send(0, RequestKind.Opening)
    expect(retry.belongsToPrevious(60)).toBe(false)
    expect(retry.outstanding).toBe(2)
    expect(measured(60, RequestKind.Opening)).toEqual({ rttMs: 60, rttAmbiguous: true })
    expect(roundTrip.minMs).toBe(100)
  })
})

describe("the delay before a retransmission", () => {
  it("is longer than the round-trip time of a slow server, even with the smallest jitter", () => {
    const roundTrip = new RoundTrip()
    roundTrip.sample(1000)
    const retry = new Retry({ ...SETTINGS, random: () => 0 }, roundTrip)
    retry.begin(0)
    retry.send(0, RequestKind.Opening)
    expect(retry.deadline).toBeGreaterThan(1000)
  })

  it("grows by a constant factor with each retransmission", () => {
    expect([0, 1, 2].map(sumBackoff)).toEqual([0, 1, 1 + BACKOFF_FACTOR])
    expect(sumBackoff(5)).toBeCloseTo([0, 1, 2, 3, 4].reduce((sum, n) => sum + BACKOFF_FACTOR ** n, 0))
  })
})
