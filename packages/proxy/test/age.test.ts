import { PingReply } from "@sourcewire/protocol"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { ageQuery, ageReply, isAgeRequest } from "../src/age.ts"
import { Origin } from "../src/origin.ts"

const { opening } = ageQuery
const read = (bytes: Uint8Array) => Result.getOrThrow(ageQuery.decode(bytes, "auto"))
const pong = (text: string): Uint8Array => Uint8Array.from(`\xff\xff\xff\xffj${text}`, (c) => c.charCodeAt(0))

describe("the request for the ages of cached replies", () => {
  it("begins with the bytes of a ping, and is recognized by its other bytes", () => {
    expect([...opening.subarray(0, 6)]).toEqual([0xff, 0xff, 0xff, 0xff, 0x69, 0])
    expect(isAgeRequest(opening)).toBe(true)
    for (const at of [6, 12, 30, opening.length - 1]) {
      const other = opening.slice()
      other[at]! ^= 1
      expect(isAgeRequest(other)).toBe(false)
    }
    expect(isAgeRequest(opening.subarray(0, -1))).toBe(false)
  })

  it("gets a ping reply with the ages, which are rounded up; the reply is never larger than the request", () => {
    expect(read(ageReply({ info: 12.1, rules: 30_000 }))).toEqual({ info: 13, rules: 30_000 })
    const oldest = ageReply({ info: 1e15, players: 1e15, rules: Number.POSITIVE_INFINITY })
    expect(oldest.length).toBeLessThanOrEqual(opening.length)
    expect(read(oldest)).toEqual({ info: 999_999_999, players: 999_999_999, rules: 999_999_999 })
    expect(Result.isSuccess(PingReply.decode(oldest))).toBe(true)
    expect(read(ageReply({}))).toEqual({})
  })

  it.each([
    "",
    "\0",
    "00000000000000\0",
    "sourcewire age 1 2\0",
    "sourcewire age 1 2 -3\0",
    "sourcewire age 1 2 3 4\0"
  ])("results in no ages if the ping reply is %j", (text) => {
    expect(read(pong(text))).toBe("none")
  })
})

describe("Origin", () => {
  it("returns the time of the query if the upstream is a game server, and an earlier time if the upstream is a proxy that reports ages", () => {
    const origin = new Origin()
    expect(origin.takenAt("info", 1000)).toBe(1000)
    origin.note({ info: 300, rules: 5000 }, 2000)
    expect([origin.takenAt("info", 2001), origin.takenAt("rules", 2001)]).toEqual([1700, -3000])
    // The proxy reports no age for this reply, so the reply does not come from the game server.
    expect(origin.takenAt("players", 2001)).toBeUndefined()
    origin.note("none", 3000)
    expect(origin.takenAt("info", 3001)).toBe(3001)
  })

  it("treats a proxy as a game server if the proxy fails to report ages five times in a row", () => {
    const origin = new Origin()
    origin.note({ info: 300 }, 2000)
    for (let times = 0; times < 4; times++) origin.missed()
    expect(origin.takenAt("info", 3001)).toBe(1700)
    origin.note({ info: 10 }, 4000)
    for (let times = 0; times < 4; times++) origin.missed()
    expect(origin.isProxy).toBe(true)
    origin.missed()
    expect(origin.isProxy).toBe(false)
    expect(origin.takenAt("info", 5001)).toBe(5001)
  })
})
