import { describe, expect, it } from "vitest"
import { HOUR_MS, HourSamples } from "../src/history/HourSamples.ts"
import {
  byStrength,
  findStrongest,
  listSamples,
  summarizeDay,
  toChangeRow,
  toFindingRows,
  toIncidentRow,
  toMuteRow,
  toTargetRow,
  toQueryState,
  toUptime
} from "../src/http/views.ts"
import type { StoredFinding } from "../src/store/findings.ts"
import type { StoredIncident } from "../src/store/Store.ts"
import { ADDRESS, makeWatched } from "./watchedTarget.ts"

const NASTY = "a\u202eb\u001b[31m"

describe("a target in the API", () => {
  it("contains only its address, group, labels and state if it was never queried", () => {
    expect(toTargetRow(makeWatched({ labels: { region: "eu" } }), undefined)).toEqual({
      id: 1,
      address: ADDRESS,
      group: "eu",
      labels: { region: "eu" },
      state: "unknown",
      failures: 0
    })
  })

  it("contains its last reply, without unsafe characters in the server's texts", () => {
    const row = toTargetRow(
      makeWatched({ state: "up", info: { name: NASTY, map: NASTY, players: 3, bots: 1 }, reply: { at: 7, rttMs: 12 } }),
      undefined
    )
    expect(row).toMatchObject({ answeredAt: 7, rttMs: 12, players: 3, bots: 1, humans: 2 })
    expect(row).not.toHaveProperty("rttAmbiguous")
    for (const text of [row.name, row.map]) expect(text).not.toMatch(/[\u202e\u001b]/)
  })

  it("contains an error, a mute and findings if they exist", () => {
    const watched = makeWatched({ lastError: { _tag: "Timeout", message: NASTY }, queriedAt: 5, stateAt: 4 })
    const findings = { kind: "redirect", strength: "strong", count: 2 } as const
    const row = toTargetRow(watched, { by: "mute", until: 9, note: NASTY }, findings)
    expect(row).toMatchObject({
      askedAt: 5,
      stateAt: 4,
      error: { _tag: "Timeout" },
      muted: { by: "mute", until: 9 },
      findings
    })
    for (const text of [row.error!.message, row.muted!.note]) expect(text).not.toMatch(/[\u202e\u001b]/)
    expect(toTargetRow(watched, { by: "maintenance" }).muted).toEqual({ by: "maintenance" })
  })

  it("marks an ambiguous round-trip time", () => {
    expect(toQueryState(makeWatched({ info: {}, reply: { rttAmbiguous: true } }).known)).toMatchObject({
      rttAmbiguous: true
    })
  })
})

describe("a recorded change, as the API returns it", () => {
  const change = { id: 1, target: 1, at: 5, field: "map", from: NASTY, to: "b" } as const

  it("contains the address and the name of its target if the target is monitored", () => {
    expect(toChangeRow(change, makeWatched({ names: { [ADDRESS]: "Match server" } }))).toMatchObject({
      address: ADDRESS,
      name: "Match server",
      to: "b"
    })
    const row = toChangeRow(change, undefined)
    expect(Object.keys(row).toSorted()).toEqual(["at", "field", "from", "id", "target", "to"])
    expect(row.from).not.toMatch(/[\u202e\u001b]/)
  })
})

describe("findings in the API", () => {
  const finding = (more: Partial<StoredFinding>): StoredFinding =>
    ({ target: 1, kind: "redirect", strength: "strong", observed: NASTY, from: 1, seenAt: 2, ...more }) as StoredFinding

  it("contain the observation without unsafe characters, and an end if they have ended", () => {
    const [row] = toFindingRows([finding({})])
    expect(row).toMatchObject({ kind: "redirect", strength: "strong", from: 1, seenAt: 2 })
    expect(row!.observed).not.toMatch(/[\u202e\u001b]/)
    expect(row).not.toHaveProperty("to")
    expect(toFindingRows([finding({ to: 9 })])[0]).toMatchObject({ to: 9 })
  })

  it("are omitted if this version does not support their kind", () => {
    expect(toFindingRows([finding({ kind: "newer" as never })])).toEqual([])
    expect(findStrongest([finding({ kind: "newer" as never })])).toBeUndefined()
  })

  it("are sorted by strength, and the summary contains the strongest finding", () => {
    const all = (["weak", "strong", "medium"] as const).map((strength) => finding({ strength }))
    expect(byStrength(toFindingRows(all)).map(({ strength }) => strength)).toEqual(["strong", "medium", "weak"])
    expect(findStrongest(all)).toEqual({ kind: "redirect", strength: "strong", count: 3 })
    expect(findStrongest([])).toBeUndefined()
  })
})

describe("an incident in the API", () => {
  const stored: StoredIncident = {
    target: 1,
    address: ADDRESS,
    group: "eu",
    from: 100,
    noticedAt: 110,
    reason: "Timeout",
    message: "No reply.",
    isMuted: false,
    isWatched: true
  } as StoredIncident

  it("is ongoing if its target has been down since the start of the incident", () => {
    const row = toIncidentRow(stored, makeWatched({ state: "down", stateAt: 100 }), 400)
    expect(row).toMatchObject({ isOngoing: true, durationMs: 300 })
    expect(row).not.toHaveProperty("to")
  })

  it.each([
    ["its target is up", makeWatched({ state: "up", stateAt: 90 }), stored],
    ["its target has been down since a time before the incident", makeWatched({ state: "down", stateAt: 90 }), stored],
    [
      "its target is no longer monitored",
      makeWatched({ state: "down", stateAt: 100 }),
      { ...stored, isWatched: false }
    ],
    ["its target is unknown", undefined, stored]
  ])("is not ongoing if %s", (_, watched, incident) => {
    const row = toIncidentRow(incident, watched, 400)
    expect(row.isOngoing).toBe(false)
    expect(row).not.toHaveProperty("to")
    expect(row).not.toHaveProperty("durationMs")
  })

  it("ends at its stored end", () => {
    expect(toIncidentRow({ ...stored, to: 250 }, undefined, 400)).toMatchObject({
      to: 250,
      durationMs: 150,
      isOngoing: false
    })
  })

  it("ends when its target is up again, if no end is stored", () => {
    expect(toIncidentRow(stored, makeWatched({ state: "up", stateAt: 300 }), 400)).toMatchObject({
      to: 300,
      durationMs: 200
    })
  })

  it("has no end if no end is stored and the state of its target is unknown", () => {
    expect(toIncidentRow(stored, makeWatched({ state: "unknown", stateAt: 300 }), 400)).not.toHaveProperty("to")
  })

  it("has no negative duration if the clock is set back", () => {
    expect(toIncidentRow(stored, makeWatched({ state: "down", stateAt: 100 }), 50).durationMs).toBe(0)
  })

  it("contains players, map and locations if they are known", () => {
    const locations = [{ location: "berlin", reason: "Timeout" }]
    expect(toIncidentRow({ ...stored, players: 0, map: "de_nuke", locations }, undefined, 0)).toMatchObject({
      players: 0,
      map: "de_nuke",
      locations
    })
    expect(toIncidentRow(stored, undefined, 0)).not.toHaveProperty("players")
  })
})

describe("a mute in the API", () => {
  it("contains its end and its note if they exist", () => {
    const mute = { id: 1, kind: "server", what: ADDRESS, from: 5, until: undefined, note: "" } as const
    expect(toMuteRow(mute)).toEqual({ id: 1, kind: "server", what: ADDRESS, from: 5 })
    expect(toMuteRow({ ...mute, until: 9, note: "moving" })).toMatchObject({ until: 9, note: "moving" })
  })
})

describe("an uptime in the API", () => {
  it("contains the share of up time if the target was monitored", () => {
    expect(toUptime({ from: 0, to: 10, up: 6, down: 2, muted: 1 })).toEqual({
      from: 0,
      to: 10,
      upMs: 6,
      downMs: 2,
      mutedMs: 1,
      share: 0.75
    })
    expect(toUptime({ from: 0, to: 10, up: 0, down: 0, muted: 1 })).not.toHaveProperty("share")
  })
})

describe("samples in the API", () => {
  const NOW = Date.UTC(2026, 10, 23, 12, 34)
  const HOUR = Date.UTC(2026, 10, 23, 12)

  const hourWith = (hour: number, ...players: ReadonlyArray<number>): HourSamples => {
    const samples = new HourSamples(hour)
    for (const [i, count] of players.entries())
      samples.add(hour + i * 300_000, { players: count, bots: 0, rttMs: 10 + i })
    return samples
  }
  const storedHour = (samples: HourSamples) => ({
    hour: samples.hour,
    total: samples.total(),
    time: samples.totalTime(),
    fine: samples
  })

  it("contain the minimum, mean and maximum of each hour; the current hour is read from memory, not from the store", () => {
    const [before, stored, current] = [hourWith(HOUR - HOUR_MS, 4, 6), hourWith(HOUR, 1), hourWith(HOUR, 1, 2)]
    const samples = listSamples([storedHour(before), storedHour(stored)], current, HOUR_MS)
    expect(samples.map(({ asked, at, players, rttMs }) => [at, asked, players, rttMs])).toEqual([
      [HOUR - HOUR_MS, 2, { min: 4, mean: 5, max: 6 }, { min: 10, mean: 10.5, max: 11 }],
      [HOUR, 2, { min: 1, mean: 1.5, max: 2 }, { min: 10, mean: 10.5, max: 11 }]
    ])
  })

  it("with steps of five minutes, omit an hour if the store contains only the totals of this hour", () => {
    const current = hourWith(HOUR, 1, 2)
    const { fine: _, ...coarse } = storedHour(hourWith(HOUR - HOUR_MS, 4))
    const samples = listSamples([{ ...coarse, fine: undefined }], current, 300_000)
    expect(samples.map(({ at, players }) => [at, players?.mean])).toEqual([
      [HOUR, 1],
      [HOUR + 300_000, 2]
    ])
  })

  it("summarize each of the last 24 hours in one element", () => {
    const hours = [
      hourWith(HOUR - 24 * HOUR_MS, 9),
      hourWith(HOUR - 23 * HOUR_MS, 4),
      hourWith(HOUR - HOUR_MS, 1, 2, 2)
    ]
    const watched = makeWatched({ hour: hourWith(HOUR, 7) })
    const { players, times } = summarizeDay(hours.map(storedHour), watched, NOW)
    expect(players).toEqual([4, ...Array.from({ length: 21 }, () => null), 1.7, 7])
    expect(times).toHaveLength(24)
    expect(times[1]).toEqual([0, 0, 0])
  })
})
