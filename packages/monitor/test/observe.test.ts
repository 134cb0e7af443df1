/** Tests the changes and incidents that the checks of a target cause. `accounting.test.ts` tests the time in each state. */
import { PortClosed, SendFailed, type ScanResult, Timeout } from "@sourcewire/core"
import type { PlayersReply } from "@sourcewire/protocol"
import { describe, expect, it } from "vitest"
import { Mutes } from "../src/watch/Mutes.ts"
import { observe } from "../src/watch/observe.ts"
import { unknown, Watched } from "../src/watch/Watched.ts"
import { info } from "./answers.ts"
import { planFor } from "./lab.ts"

type Turn = ScanResult<"info" | "all">

const ADDRESS = "192.0.2.1:27015"
const START = Date.UTC(2026, 10, 23, 12)
const INTERVAL = 15_000

const reply = (own: Partial<typeof info> = {}, players?: ReadonlyArray<string>, more: object = {}): Turn =>
  ({
    _tag: "Answered",
    target: ADDRESS,
    address: "192.0.2.1",
    port: 27_015,
    info: { ...info, name: "A server", map: "de_nuke", players: 3, bots: 0, maxPlayers: 16, ...own },
    ...(players === undefined ? {} : { players: makePlayers(players) }),
    rttMs: 20,
    sent: 1,
    received: 1,
    ...more
  }) as unknown as Turn

const makePlayers = (names: ReadonlyArray<string>): PlayersReply => ({
  _tag: "PlayersReply",
  announced: names.length,
  truncated: false,
  players: names.map((name, index) => ({ index, name, score: 0, duration: 1 }))
})

const failure = (error: object): Turn =>
  ({
    _tag: "Failed",
    target: ADDRESS,
    address: "192.0.2.1",
    port: 27_015,
    error,
    sent: 1,
    received: 0
  }) as unknown as Turn

const TIMEOUT = failure(new Timeout({ message: "No reply.", phase: "request", sent: 5, received: 0 }))
const CLOSED = failure(new PortClosed({ message: "Port 27015 is closed." }))
const UNSENT = failure(new SendFailed({ message: "No route.", local: true }))

/** Returns a target with one check per interval, and functions that add results and return the changes and incidents of these results. */
const watch = (settings: object = {}) => {
  const plan = planFor([{ name: "eu", targets: [ADDRESS], intervalMs: INTERVAL, ...settings }])
  const target = new Watched(1, ADDRESS, { host: "192.0.2.1", port: 27_015 }, plan.targets.get(ADDRESS)!, unknown())
  const mutes = new Mutes()
  let at = START
  const turn = (result: Turn) => {
    at += INTERVAL
    return observe(target, result, at, mutes.within)
  }
  const changes = (...results: ReadonlyArray<Turn>) =>
    results.flatMap((result) => turn(result).changes.map(({ field, from, to }) => [field, from, to]))
  return { target, mutes, turn, changes, now: () => at }
}

describe("the first reply of a target", () => {
  it("causes no change", () => {
    const { changes, now, target } = watch()
    expect(changes(reply())).toEqual([])
    expect(target.known).toMatchObject({ state: "up", stateAt: now(), queriedAt: now(), failures: 0 })
    expect(target.known.last).toMatchObject({
      at: now(),
      rttMs: 20,
      rttAmbiguous: false,
      answer: { info: { map: "de_nuke" } }
    })
  })

  it("causes no change, even if an earlier check failed", () => {
    const { changes } = watch()
    expect(changes(TIMEOUT, reply())).toEqual([])
  })
})

describe("a reply that equals the stored reply", () => {
  it("does not replace the stored reply, but updates the time and the round-trip time of the stored reply", () => {
    const { now, target, turn } = watch()
    turn(reply())
    const { answer } = target.known.last!
    turn(reply({}, undefined, { rttMs: 30, rttAmbiguous: true }))
    expect(target.known.last!.answer).toBe(answer)
    expect(target.known.last).toMatchObject({ at: now(), rttMs: 30, rttAmbiguous: true })
  })
})

describe("a reply that differs from the stored reply", () => {
  it.each([
    ["name", { name: "Another" }, ["name", "A server", "Another"]],
    ["map", { map: "de_dust2" }, ["map", "de_nuke", "de_dust2"]],
    ["version", { version: "9.9" }, ["version", info.version, "9.9"]],
    ["full", { players: 16 }, ["full", "false", "true"]]
  ])("causes a change of the field %s", (_, own, change) => {
    const { changes } = watch()
    expect(changes(reply(), reply(own))).toEqual([change])
  })

  it("causes a change if the server becomes full, or is no longer full, but for no other change of the number of players", () => {
    const { changes } = watch()
    expect(changes(reply(), reply({ players: 15 }), reply({ players: 17 }), reply({ players: 15 }))).toEqual([
      ["full", "false", "true"],
      ["full", "true", "false"]
    ])
  })

  it("causes no change of the field `full` if the maximum number of players is 0", () => {
    const { changes } = watch()
    expect(changes(reply(), reply({ players: 0, maxPlayers: 0 }))).toEqual([])
  })

  it("causes changes with the names of players who joined or left, if this is configured for the group", () => {
    const joins = { query: "all", joins: true }
    const { changes } = watch(joins)
    expect(changes(reply({}, ["a", "b", ""]), reply({}, ["b", "c", "b", ""]))).toEqual([
      ["joined", "", '["c","b"]'],
      ["left", "", '["a"]']
    ])
    expect(watch({ query: "all" }).changes(reply({}, ["a"]), reply({}, ["b"]))).toEqual([])
    // The second reply contains no list of players. Therefore no player is known to have joined or left, and no change is reported.
    expect(watch(joins).changes(reply({}, ["a"]), reply(), reply({}, ["b"]))).toEqual([])
  })
})

describe("failed checks", () => {
  it("change the state of a target to down after the configured number of consecutive failures", () => {
    const { changes, now, target } = watch({ downAfter: 3 })
    expect(changes(reply(), TIMEOUT, TIMEOUT, reply(), TIMEOUT, TIMEOUT)).toEqual([])
    expect(target.known).toMatchObject({
      state: "up",
      failures: 2,
      lastError: { _tag: "Timeout", message: "No reply." }
    })
    expect(changes(TIMEOUT)).toEqual([["state", "up", "down"]])
    // The target counts as down from the time of the first failed check, not from the time of the last failed check.
    expect(target.known).toMatchObject({ state: "down", stateAt: now() - 2 * INTERVAL, failures: 3 })
    expect(changes(TIMEOUT)).toEqual([])
    expect(changes(reply())).toEqual([["state", "down", "up"]])
    expect(target.known).toMatchObject({
      state: "up",
      stateAt: now(),
      failures: 0,
      lastError: undefined,
      failingAt: undefined
    })
  })

  it("also change the state of a target that has never replied", () => {
    expect(watch().changes(TIMEOUT, TIMEOUT)).toEqual([["state", "unknown", "down"]])
  })

  it("begin an incident that contains the latest error, and the number of players and the map from the last reply", () => {
    const { now, turn } = watch()
    turn(reply())
    expect(turn(TIMEOUT).incident).toBeUndefined()
    expect(turn(CLOSED).incident).toEqual({
      from: now() - INTERVAL,
      noticedAt: now(),
      reason: "PortClosed",
      message: "Port 27015 is closed.",
      players: 3,
      map: "de_nuke",
      isMuted: false
    })
    expect(turn(CLOSED).incident).toBeUndefined()
  })

  it("belong to an incident that ends with the next reply", () => {
    const { now, turn } = watch({ downAfter: 1 })
    const { incident } = turn(TIMEOUT)
    const from = now()
    expect(incident).toMatchObject({ from })
    expect(incident).not.toHaveProperty("players")
    expect(turn(reply()).incident).toMatchObject({ from, to: now() })
    expect(turn(reply()).incident).toBeUndefined()
  })

  it("change nothing except the last error of the target if this machine caused the failure", () => {
    const { now, target, turn } = watch({ downAfter: 1 })
    turn(reply())
    const before = { ...target.known, lastError: undefined }
    expect(turn(UNSENT)).toEqual({ changes: [], finished: [], incident: undefined, isUnsent: true })
    expect(target.known.lastError).toEqual({ _tag: "SendFailed", message: "No route." })
    expect({ ...target.known, lastError: undefined }).toEqual(before)
    expect(target.known.queriedAt).toBe(now() - INTERVAL)
  })
})

describe("a muted target", () => {
  const mute = { id: 1, kind: "server", what: ADDRESS, from: START, until: START + 4 * INTERVAL, note: "" } as const

  it("is reported once if it is still down when the mute ends", () => {
    const { changes, mutes, turn } = watch({ downAfter: 1 })
    mutes.set([mute])
    expect(turn(TIMEOUT).incident).toMatchObject({ isMuted: true })
    expect(changes(TIMEOUT, TIMEOUT)).toEqual([])
    expect(changes(TIMEOUT, TIMEOUT)).toEqual([["state", "muted", "down"]])
  })

  it("is not reported if it is up when the mute ends", () => {
    const { changes, mutes } = watch({ downAfter: 1 })
    mutes.set([mute])
    expect(changes(reply(), reply(), reply(), reply(), reply())).toEqual([])
  })
})
