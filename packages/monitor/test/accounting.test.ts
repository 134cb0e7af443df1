/** Tests the time in each state, which the monitor computes from the results of a target's queries. */
import { describe, expect, it } from "@effect/vitest"
import { BUCKET_MS, HOUR_MS, startOfHour, type HourSamples } from "../src/history/HourSamples.ts"
import { addTime, noTime } from "../src/history/StateTime.ts"
import type { Incident } from "../src/watch/incidents.ts"
import { Mutes } from "../src/watch/Mutes.ts"
import { observe, applyOutcome } from "../src/watch/observe.ts"
import { unknown, Watched } from "../src/watch/Watched.ts"
import { MonitorConfig } from "../src/config/Config.ts"
import type { ScanResult } from "@sourcewire/core"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { lastAnswer } from "./answers.ts"
import { planFor } from "./lab.ts"

const decodeConfig = (config: unknown): string => {
  const decoded = Schema.decodeUnknownResult(MonitorConfig)(config)
  return Result.isFailure(decoded) ? decoded.failure.message : "valid"
}

const SECOND = 1000
const INTERVAL = 15 * SECOND
const ADDRESS = "192.0.2.1:27015"
const START = startOfHour(1_795_000_000_000) + 600_000

/** Returns a target, a function that adds a result to the target, and the collected hours, incidents and changes of state. */
const watching = (settings: object = {}) => {
  const plan = planFor([{ name: "all", targets: [ADDRESS], intervalMs: INTERVAL, downAfter: 2, ...settings }])
  const target = new Watched(1, ADDRESS, { host: "192.0.2.1", port: 27_015 }, plan.targets.get(ADDRESS)!, unknown())
  const mutes = new Mutes()
  const hours = new Map<number, HourSamples>()
  const incidents: Array<Incident> = []
  const states: Array<string> = []
  const turn = (at: number, isAnswered: boolean, tookMs = 0): void => {
    target.takenAt = at - tookMs
    const failure = { error: { _tag: "Timeout", message: "No reply." }, isLocal: false }
    const { changes, finished, incident } = applyOutcome(
      target,
      isAnswered ? { answer: lastAnswer(at) } : failure,
      at,
      mutes.within
    )
    for (const { from, to } of changes) states.push(`${from} → ${to}`)
    for (const hour of finished) hours.set(hour.hour, hour)
    if (incident !== undefined) incidents.push(incident)
  }
  const time = () => {
    const sums = noTime()
    for (const hour of new Set([...hours.values(), target.known.hour!])) addTime(sums, hour.totalTime())
    return sums
  }
  return { target, mutes, incidents, states, hours, turn, time }
}

describe("the time in each state", () => {
  it("does not depend on the number of queries", () => {
    const { incidents, time, turn } = watching({ downIntervalMs: 60_000 })
    let at = START
    for (; at < START + 10 * INTERVAL; at += INTERVAL) turn(at, true)
    const failing = at
    for (; at < failing + 2 * INTERVAL; at += INTERVAL) turn(at, false)
    for (; at < failing + 3_600_000; at += 60_000) turn(at, false)
    const back = at
    turn(back, true)
    turn(back + INTERVAL, true)
    expect(time()).toEqual({ up: 10 * INTERVAL + INTERVAL, down: back - failing, muted: 0 })
    expect(incidents).toMatchObject([
      { from: failing, noticedAt: failing + INTERVAL, reason: "Timeout", players: 26, isMuted: false },
      { from: failing, to: back }
    ])
    expect(incidents[0]).not.toHaveProperty("to")
  })

  it("down time begins at the start of the first failed check", () => {
    const { target, time, turn } = watching({ timeoutMs: 3000 })
    turn(START, true)
    turn(START + INTERVAL + 3000, false, 3000)
    turn(START + 2 * INTERVAL + 3000, false, 3000)
    expect(target.known).toMatchObject({ state: "down", stateAt: START + INTERVAL })
    expect(time()).toEqual({ up: INTERVAL, down: INTERVAL + 3000, muted: 0 })
  })

  it("the time after a failed check is not counted until later checks decide whether the server was down", () => {
    const { time, turn } = watching({ downAfter: 3 })
    turn(START, true)
    turn(START + INTERVAL, false)
    turn(START + 2 * INTERVAL, false)
    expect(time()).toEqual({ up: INTERVAL, down: 0, muted: 0 })
    turn(START + 3 * INTERVAL, true)
    expect(time()).toEqual({ up: 3 * INTERVAL, down: 0, muted: 0 })
  })

  it("does not include a pause in which the monitor sent no queries", () => {
    const { target, time, turn } = watching()
    turn(START, true)
    turn(START + INTERVAL, true)
    // The monitor did not run for ten hours. The last result before this pause is valid for one more interval.
    turn(START + 10 * HOUR_MS, false)
    turn(START + 10 * HOUR_MS + INTERVAL, false)
    turn(START + 10 * HOUR_MS + 2 * INTERVAL, false)
    expect(target.known.stateAt).toBe(START + 10 * HOUR_MS)
    expect(time()).toEqual({ up: 2 * INTERVAL, down: 2 * INTERVAL, muted: 0 })
  })

  it("does not include the time in which this machine could not send its checks", () => {
    const { target, time, turn } = watching()
    turn(START, true)
    for (let at = START + INTERVAL; at < START + 600_000; at += INTERVAL) {
      const error = { _tag: "SendFailed", message: "The network is unreachable." }
      expect(applyOutcome(target, { error, isLocal: true }, at)).toMatchObject({
        isUnsent: true,
        finished: [],
        changes: []
      })
    }
    expect(target.known).toMatchObject({ state: "up", failures: 0, queriedAt: START })
    turn(START + 600_000, true)
    expect(time()).toEqual({ up: INTERVAL, down: 0, muted: 0 })
  })

  it("an error of this machine does not change the state to down, but any other error does", () => {
    const { target } = watching({ downAfter: 1 })
    const failed = (error: object): ScanResult<"info"> =>
      ({ _tag: "Failed", target, address: target.host, port: 1, sent: 0, received: 0, error }) as never
    const local = { _tag: "SendFailed", message: "The network is unreachable.", local: true }
    expect(observe(target, failed(local), START)).toMatchObject({ isUnsent: true, changes: [] })
    expect(target.known).toMatchObject({
      state: "unknown",
      failures: 0,
      queriedAt: undefined,
      lastError: { _tag: "SendFailed" }
    })
    for (const own of [
      { ...local, local: false },
      { _tag: "Timeout", message: "No reply." }
    ]) {
      const other = watching({ downAfter: 1 }).target
      expect(observe(other, { ...failed(own), target: other } as never, START)).toMatchObject({ isUnsent: false })
      expect(other.known).toMatchObject({ state: "down", failures: 1, queriedAt: START })
    }
  })

  it("is stored for the hour in which it passed, even if the server's state is known only in the next hour", () => {
    const { hours, target, time, turn } = watching({ downAfter: 3 })
    const end = startOfHour(START) + HOUR_MS
    for (let at = end - 4 * INTERVAL; at <= end - 2 * INTERVAL; at += INTERVAL) turn(at, true)
    turn(end - INTERVAL, false)
    turn(end, false)
    // The complete hour is stored immediately. When the server's state at the end of the hour is known, the hour is stored again.
    expect(hours.get(end - HOUR_MS)!.totalTime()).toEqual({ up: 3 * INTERVAL, down: 0, muted: 0 })
    expect(target.known.earlier).toHaveLength(1)
    turn(end + INTERVAL, false)
    expect(target.known.earlier).toBeUndefined()
    expect(hours.get(end - HOUR_MS)!.totalTime()).toEqual({ up: 3 * INTERVAL, down: INTERVAL, muted: 0 })
    expect(target.known.hour!.totalTime()).toEqual({ up: 0, down: INTERVAL, muted: 0 })
    expect(time()).toEqual({ up: 3 * INTERVAL, down: 2 * INTERVAL, muted: 0 })
  })

  it("is split among the hours if the interval is longer than an hour", () => {
    const { hours, turn } = watching({ intervalMs: 3 * HOUR_MS })
    const from = startOfHour(START)
    turn(from + 1, true)
    turn(from + 3 * HOUR_MS + 1, true)
    expect([...hours.keys()]).toEqual([0, 1, 2].map((index) => from + index * HOUR_MS))
    expect(hours.get(from + HOUR_MS)!.totalTime()).toEqual({ up: HOUR_MS, down: 0, muted: 0 })
    expect(hours.get(from)!.timeOf(0)).toEqual({ up: BUCKET_MS - 1, down: 0, muted: 0 })
  })

  it("time counts as muted while a mute applies to the server or to its group", () => {
    const { incidents, mutes, states, target, time, turn } = watching()
    turn(START, true)
    mutes.set([
      { id: 1, kind: "server", what: ADDRESS, from: START + INTERVAL, until: START + 3 * INTERVAL, note: "" },
      { id: 2, kind: "group", what: "all", from: START + 2 * INTERVAL, until: START + 4 * INTERVAL, note: "moving" },
      { id: 3, kind: "group", what: "other", from: START, until: undefined, note: "" }
    ])
    for (let index = 1; index <= 6; index++) turn(START + index * INTERVAL, index === 1 || index > 4)
    expect(time()).toEqual({ up: INTERVAL + INTERVAL, down: INTERVAL, muted: 3 * INTERVAL })
    expect(incidents[0]).toMatchObject({ from: START + 2 * INTERVAL, isMuted: true })
    // The server is still down at the end of the mute. Therefore the monitor reports the state when the mute ends.
    expect(states).toEqual(["up → down", "muted → down", "down → up"])
    expect(mutes.at(target, START + 2 * INTERVAL)).toEqual({ by: "mute", until: START + 4 * INTERVAL, note: "moving" })
    expect(mutes.at(target, START + 4 * INTERVAL)).toBeUndefined()
  })

  it("time counts as muted during a maintenance window, and is not counted twice if a mute overlaps with the window", () => {
    const from = START + 60_000
    const window = { from: new Date(from).toISOString(), to: new Date(from + 60_000).toISOString() }
    const { incidents, mutes, states, time, turn } = watching({ maintenance: [window] })
    mutes.set([{ id: 1, kind: "server", what: ADDRESS, from: from + 30_000, until: from + 90_000, note: "" }])
    for (let at = START; at <= START + 240_000; at += INTERVAL) turn(at, at < from + INTERVAL || at >= from + 120_000)
    // The muted time is from 60 s to 150 s. The server is down from 75 s to 180 s. Therefore only the last 30 s are down time.
    expect(time()).toEqual({ up: 60_000 + 60_000, down: 30_000, muted: 90_000 })
    expect(incidents[0]).toMatchObject({ from: from + INTERVAL, isMuted: true })
    expect(states).toEqual(["up → down", "muted → down", "down → up"])
  })

  it("continues to increase after the clock is set back", () => {
    const { target, time, turn } = watching()
    for (let index = 0; index < 4; index++) turn(START + index * INTERVAL, true)
    turn(START - HOUR_MS, true)
    turn(START - HOUR_MS + INTERVAL, true)
    expect(time().up).toBe(3 * INTERVAL)
    turn(START - 3 * HOUR_MS, true)
    turn(START - 3 * HOUR_MS + INTERVAL, true)
    expect(target.known.hour!.totalTime()).toEqual({ up: INTERVAL, down: 0, muted: 0 })
    expect(time().up).toBe(4 * INTERVAL)
  })
})

describe("maintenance windows", () => {
  const openAt = (window: object, ...dates: ReadonlyArray<string>) => {
    const { target } = watching({ maintenance: [window] })
    return dates.map((date) => target.group.maintenance.isOpen(Date.parse(date)))
  }

  it("use the local time of their time zone, including summer time, and can end on the next day", () => {
    const nightly = { days: ["sun"], start: "23:30", end: "01:00", timeZone: "Europe/Berlin" }
    // The first half tests a Sunday in winter, when Berlin is one hour ahead of UTC. The second half tests a Sunday in summer, when Berlin
    // is two hours ahead of UTC.
    expect(openAt(nightly, "2026-11-22T22:29:59Z", "2026-11-22T22:30:00Z", "2026-11-22T23:59:59Z")).toEqual([
      false,
      true,
      true
    ])
    expect(openAt(nightly, "2026-11-23T00:00:00Z", "2026-11-23T22:45:00Z")).toEqual([false, false])
    expect(openAt(nightly, "2026-07-05T21:30:00Z", "2026-07-05T21:29:00Z")).toEqual([true, false])
  })

  it("can be defined by a start date and an end date", () => {
    const move = { from: "2026-11-23T04:00:00Z", to: "2026-11-23T06:00:00+01:00" }
    expect(openAt(move, "2026-11-23T03:59:00Z", "2026-11-23T04:00:00Z", "2026-11-23T05:00:00Z")).toEqual([
      false,
      true,
      false
    ])
  })

  it("a list of the windows in a period contains only the part of each window that is within the period", () => {
    const { target } = watching({ maintenance: [{ start: "04:00", end: "04:30" }] })
    const [from, to] = ["2026-11-23T03:30:30Z", "2026-11-23T05:00:00Z"].map(Date.parse) as [number, number]
    const [start, end] = ["2026-11-23T04:00:00Z", "2026-11-23T04:30:00Z"].map(Date.parse) as [number, number]
    expect(target.group.maintenance.within(from, to)).toEqual([[start, end]])
    expect(target.group.maintenance.within(start + 5, start + 10)).toEqual([[start + 5, start + 10]])
    expect(new Mutes().at(target, start)).toEqual({ by: "maintenance", until: end })
  })

  it.each([
    [{ start: "04:00", end: "04:30", timeZone: "Europe/Berlin" }],
    [{ days: ["mon", "sun"], start: "23:30", end: "00:15" }],
    [{ from: "2026-11-23T04:00:00Z", to: "2026-11-23T05:00:00+01:00" }]
  ])("are accepted if their settings are %j", (window) => {
    expect(decodeConfig({ groups: [{ name: "all", maintenance: [window] }] })).toBe("valid")
  })

  it.each([
    [{ start: "25:00", end: "04:30" }],
    [{ start: "04:00", end: "04:30", timeZone: "Middle/Earth" }],
    [{ from: "tomorrow", to: "2026-11-23T04:00:00Z" }]
  ])("are rejected if their settings are %j", (window) => {
    const decoded = decodeConfig({ groups: [{ name: "all", maintenance: [window] }] })
    expect(decoded).toMatch(/expected a (time of day|time zone|date)/)
  })
})
