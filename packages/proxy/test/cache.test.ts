import type { InfoReply, PlayersReply } from "@sourcewire/protocol"
import { describe, expect, it } from "vitest"
import { profiles } from "@sourcewire/emulator"
import { type SavedUpstream, UpstreamCache } from "../src/cache.ts"

const css = profiles.css()
const INFO = css.info as InfoReply
const PLAYERS = css.players as PlayersReply
const UPSTREAM = "192.0.2.1:27015"
const EMPTY_PLAYERS = "ffffffff4400"

const same = (time: number): number => time

const saved = (more: Partial<SavedUpstream> = {}): SavedUpstream => ({ upstream: UPSTREAM, replies: {}, ...more })

describe("the cache of a game server's replies", () => {
  it("returns replies up to a maximum age, and is fresh while no reply is older than this age", () => {
    const cache = new UpstreamCache(UPSTREAM)
    expect([cache.isEmpty, cache.isFresh(0, 1e9)]).toEqual([true, false])
    cache.keep("info", [INFO], 1000)
    cache.keep("players", [PLAYERS], 1500)
    expect(cache.fresh("info", 1100, 100)).toEqual([INFO])
    expect(cache.fresh("info", 1100.5, 100)).toBeUndefined()
    expect(cache.kept("info")).toEqual({ messages: [INFO], takenAt: 1000 })
    expect([cache.isFresh(1600, 100), cache.isFresh(1600.5, 100), cache.isEmpty]).toEqual([true, false, false])
  })

  it("has a new revision after every change, and the same revision if nothing has changed", () => {
    const cache = new UpstreamCache(UPSTREAM)
    const revisions = [cache.revision]
    const note = (): unknown => revisions.push(cache.revision)
    cache.keep("info", [INFO], 0)
    note()
    cache.keep("info", [INFO], 1)
    note()
    cache.forget("players")
    note()
    cache.forget("info")
    note()
    expect(revisions).toEqual([0, 1, 2, 2, 3])
  })

  it("can be restored from a file, including the times of the replies and the form of large replies", () => {
    const cache = new UpstreamCache(UPSTREAM)
    cache.address = "192.0.2.1"
    cache.oversize = { how: "split", layout: "goldsource", maxBytes: 1400 }
    cache.keep("info", [INFO], 1000.7)
    cache.keep("players", [PLAYERS], 2000)
    const file = JSON.parse(JSON.stringify(cache.save((time) => time + 1_000_000))) as SavedUpstream
    expect(file.replies.info?.takenAt).toBe(1_001_000)
    const restored = new UpstreamCache(UPSTREAM)
    restored.restore(file, (time) => time - 1_000_000, 5000)
    expect(restored.kept("info")).toMatchObject({ messages: [INFO], takenAt: 1000 })
    expect(restored.kept("players")?.takenAt).toBe(2000)
    expect([restored.kept("rules"), restored.address, restored.oversize]).toEqual([
      undefined,
      cache.address,
      cache.oversize
    ])
    expect(cache.save(same)).toMatchObject({ upstream: UPSTREAM, address: "192.0.2.1" })
    expect(Object.keys(new UpstreamCache(UPSTREAM).save(same))).toEqual(["upstream", "replies"])
  })

  it("does not replace newer replies with older replies from a file", () => {
    const cache = new UpstreamCache(UPSTREAM)
    cache.address = "192.0.2.2"
    cache.oversize = { how: "whole", maxBytes: 65_507 }
    cache.keep("players", [PLAYERS], 5)
    const older = saved({
      address: "192.0.2.3",
      oversize: { how: "truncate", maxBytes: 1400 },
      replies: { players: { takenAt: 1, datagrams: [EMPTY_PLAYERS] } }
    })
    cache.restore(older, same, 10)
    expect([cache.address, cache.oversize.how, cache.kept("players")]).toEqual([
      "192.0.2.2",
      "whole",
      { messages: [PLAYERS], takenAt: 5 }
    ])
  })

  it.each<readonly [title: string, reply: { readonly takenAt: number; readonly datagrams: ReadonlyArray<string> }]>([
    ["has a time in the future", { takenAt: 11, datagrams: [EMPTY_PLAYERS] }],
    ["is empty", { takenAt: 1, datagrams: [] }],
    [
      "has more datagrams than there are dialects",
      { takenAt: 1, datagrams: [EMPTY_PLAYERS, EMPTY_PLAYERS, EMPTY_PLAYERS] }
    ],
    ["is not hex", { takenAt: 1, datagrams: ["zz"] }],
    ["is not a message", { takenAt: 1, datagrams: ["ffffffff"] }],
    ["is a reply of another kind", { takenAt: 1, datagrams: ["ffffffff450000"] }],
    ["has a second datagram of another kind", { takenAt: 1, datagrams: [EMPTY_PLAYERS, "ffffffff6a00"] }]
  ])("ignores a saved reply that %s", (_, players) => {
    const cache = new UpstreamCache(UPSTREAM)
    cache.restore(saved({ replies: { players } }), same, 10)
    expect(cache.isEmpty).toBe(true)
  })

  it("accepts a saved reply whose time is the current time", () => {
    const cache = new UpstreamCache(UPSTREAM)
    cache.restore(saved({ replies: { players: { takenAt: 10, datagrams: [EMPTY_PLAYERS] } } }), same, 10)
    expect(cache.kept("players")?.messages[0]?.players).toEqual([])
  })

  it("does not save a reply that cannot be encoded", () => {
    const cache = new UpstreamCache(UPSTREAM)
    cache.keep("info", [{ ...INFO, players: 256 }], 0)
    cache.keep("players", [PLAYERS], 0)
    expect(Object.keys(cache.save(same).replies)).toEqual(["players"])
  })
})
