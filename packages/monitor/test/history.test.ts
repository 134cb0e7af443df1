/** Tests the sums of samples. The tests compute each sum a second time with simpler code, and compare the two sums. */
import { describe, expect, it } from "@effect/vitest"
import { seededRandom } from "@sourcewire/core/testing"
import { BUCKET_MS, type Counted, HOUR_MS, startOfHour, HourSamples } from "../src/history/HourSamples.ts"
import { noTime } from "../src/history/StateTime.ts"
import { listSamples } from "../src/http/views.ts"

const HOUR = startOfHour(1_795_000_000_000)

/** The time and the result of a query. The result is undefined if the server did not reply. */
type Turn = readonly [at: number, counted: Counted | undefined]

const turns = (seed: number, count: number): ReadonlyArray<Turn> => {
  const random = seededRandom(seed)
  return Array.from({ length: count }, (): Turn => {
    const at = HOUR + Math.floor(random() * HOUR_MS)
    if (random() < 0.2) return [at, undefined]
    const players = Math.floor(random() * 64)
    const rttMs = random() < 0.1 ? undefined : random() * 300
    return [at, { players, bots: Math.floor(random() * (players + 1)), rttMs }]
  })
}

const hourly = (all: ReadonlyArray<Turn>): HourSamples => {
  const samples = new HourSamples(HOUR)
  for (const [at, counted] of all) samples.add(at, counted)
  return samples
}

const sum = (values: ReadonlyArray<number>): number => values.reduce((total, value) => total + value, 0)

/** Computes the sums of an hour from a list of all results, without {@link HourSamples}. */
const naive = (all: ReadonlyArray<Turn>) => {
  const answers = all.flatMap(([, counted]) => (counted === undefined ? [] : [counted]))
  const rtts = answers.flatMap(({ rttMs }) => (rttMs === undefined ? [] : [Math.round(rttMs * 1000)]))
  const players = answers.map((answer) => answer.players)
  return {
    asked: all.length,
    answered: answers.length,
    playersMin: players.length === 0 ? 0 : Math.min(...players),
    playersMax: Math.max(0, ...players),
    playersSum: sum(players),
    botsSum: sum(answers.map(({ bots }) => bots)),
    rttCount: rtts.length,
    rttMin: rtts.length === 0 ? 0 : Math.min(...rtts),
    rttMax: Math.max(0, ...rtts),
    rttSum: sum(rtts)
  }
}

describe("the samples of an hour", () => {
  it.each([
    [1, 0],
    [2, 1],
    [3, 3],
    [4, 30],
    [5, 3600],
    [6, 20]
  ])("have the same sums as a direct computation (seed: %i, queries: %i)", (seed, count) => {
    const all = turns(seed, count)
    const samples = hourly(all)
    expect(samples.total()).toEqual(naive(all))
    for (let index = 0; index < 12; index++) {
      const within = all.filter(([at]) => Math.floor((at - HOUR) / BUCKET_MS) === index)
      expect(samples.bucket(index)).toEqual(within.length === 0 ? undefined : naive(within))
    }
  })

  it.each([1, 2, 3, 4])("are unchanged after encoding and decoding (seed %i)", (seed) => {
    const samples = hourly(turns(seed, 10 ** seed))
    const again = HourSamples.unpack(HOUR, samples.pack())
    expect(again).toEqual(samples)
    // When an instance restarts after a crash, it adds results to the decoded samples. The sums must equal the sums without a crash.
    again.add(HOUR + 1, { players: 3, bots: 0, rttMs: 4 })
    samples.add(HOUR + 1, { players: 3, bots: 0, rttMs: 4 })
    expect(again.total()).toEqual(samples.total())
  })

  it("need no bytes if there were no queries in the hour, and few bytes if the values rarely change", () => {
    expect(new HourSamples(HOUR).pack()).toHaveLength(0)
    const busy = new HourSamples(HOUR)
    for (let at = HOUR; at < HOUR + HOUR_MS; at += 60_000) busy.add(at, { players: 40, bots: 3, rttMs: 31.4 })
    busy.addTime("up", HOUR, HOUR + HOUR_MS)
    expect(busy.pack().length).toBeLessThan(120)
  })

  it("contain the time in each state per bucket and in total, even after they are encoded and decoded", () => {
    const samples = new HourSamples(HOUR)
    samples.addTime("up", HOUR - 5000, HOUR + 2 * BUCKET_MS + 1)
    samples.addTime("down", HOUR + 2 * BUCKET_MS + 1, HOUR + 3 * BUCKET_MS)
    samples.addTime("muted", HOUR + 4 * BUCKET_MS, HOUR + HOUR_MS + 7)
    const expected = { up: 2 * BUCKET_MS + 1, down: BUCKET_MS - 1, muted: 8 * BUCKET_MS }
    for (const one of [samples, HourSamples.unpack(HOUR, samples.pack())]) {
      expect(one.totalTime()).toEqual(expected)
      expect(one.timeOf(2)).toEqual({ up: 1, down: BUCKET_MS - 1, muted: 0 })
      expect(one.timeOf(3)).toBeUndefined()
    }
    // After the clock is set back, time is added to the same bucket a second time. The total time of a bucket is limited to the bucket's
    // length.
    samples.addTime("down", HOUR, HOUR + HOUR_MS)
    expect(samples.totalTime()).toEqual({ ...expected, down: 2 * BUCKET_MS - 1 })
  })

  it("contain no time in any state if they were stored by a release that did not store these times", () => {
    const old = Uint8Array.of(4 * 16, 7, 40, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    const read = HourSamples.unpack(HOUR, old)
    expect([read.total().asked, read.totalTime()]).toEqual([4, noTime()])
  })

  it("are decoded without an exception if their bytes are truncated", () => {
    const bytes = hourly(turns(1, 100)).pack()
    for (let length = 0; length < bytes.length; length++) {
      expect(HourSamples.unpack(HOUR, bytes.subarray(0, length)).total().asked).toBeLessThanOrEqual(100)
    }
  })

  it("contain the minimum, mean and maximum of the players and of the round-trip time for each step in which the target replied", () => {
    const samples = hourly([
      [HOUR, { players: 1, bots: 0, rttMs: 10 }],
      [HOUR + 1, { players: 4, bots: 1, rttMs: undefined }],
      [HOUR + BUCKET_MS, undefined]
    ])
    const past = { hour: HOUR - HOUR_MS, total: hourly([]).total(), time: noTime(), fine: undefined }
    const players = { min: 1, mean: 2.5, max: 4 }
    const rttMs = { min: 10, mean: 10, max: 10 }
    expect(listSamples([past], samples, BUCKET_MS)).toEqual([
      { at: HOUR, asked: 2, answered: 2, upMs: 0, downMs: 0, mutedMs: 0, players, bots: 0.5, rttMs },
      { at: HOUR + BUCKET_MS, asked: 1, answered: 0, upMs: 0, downMs: 0, mutedMs: 0 }
    ])
    expect(listSamples([past], samples, HOUR_MS).map(({ at }) => at)).toEqual([HOUR - HOUR_MS, HOUR])
  })
})
