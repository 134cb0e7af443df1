import { encodeAs } from "../src/internal/interpret/byCodec.ts"
import * as assert from "node:assert/strict"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { u64 } from "../src/Codec.ts"
import { InfoReply, PlayersReply } from "../src/index.ts"

const info: InfoReply = {
  _tag: "InfoReply",
  protocol: 17,
  name: "A server",
  map: "de_dust2",
  folder: "cstrike",
  game: "Counter-Strike: Source",
  appId: 240,
  players: 3,
  maxPlayers: 32,
  bots: 0,
  serverType: "dedicated",
  environment: "linux",
  passwordProtected: false,
  vac: true,
  version: "1.0.0.0",
  steamId: "9223372036854775808",
  gameId: "240",
  edf: 0x11
}

describe("a decoded message", () => {
  it("is a plain object, which can be cloned, spread, compared and written as JSON", () => {
    const decoded = Result.getOrThrow(InfoReply.decode(Result.getOrThrow(encodeAs(InfoReply, info))))
    assert.deepStrictEqual(decoded, info)
    assert.deepStrictEqual(structuredClone(decoded), decoded)
    assert.deepStrictEqual({ ...decoded }, decoded)
    assert.deepStrictEqual(JSON.parse(JSON.stringify(decoded)), decoded)
    expect(Object.getPrototypeOf(decoded)).toBe(Object.prototype)
  })

  it("contains only plain objects, even if the message is truncated", () => {
    const players: PlayersReply = {
      _tag: "PlayersReply",
      announced: 1,
      players: [{ index: 0, name: "a", score: 1, duration: 2 }],
      truncated: false
    }
    const bytes = Result.getOrThrow(encodeAs(PlayersReply, players))
    assert.deepStrictEqual(Result.getOrThrow(PlayersReply.decode(bytes)), players)
    const cut = Result.getOrThrow(InfoReply.decode(Result.getOrThrow(encodeAs(InfoReply, info)).subarray(0, -3)))
    assert.deepStrictEqual(structuredClone(cut), cut)
  })
})

describe("a 64-bit number", () => {
  const values = [
    0n,
    1n,
    999_999n,
    1_000_000n,
    0xffff_ffffn,
    0x1_0000_0000n,
    2n ** 53n,
    76561197960265728n,
    2n ** 63n,
    2n ** 64n - 1n
  ]

  it.each(values)("is decoded as a decimal string: %s", (value) => {
    const bytes = new Uint8Array(9)
    new DataView(bytes.buffer).setBigUint64(1, value, true)
    expect(u64(bytes, 1)).toBe(String(value))
  })

  it("for any bytes, is decoded to the same string that BigInt returns", () => {
    const view = new DataView(new ArrayBuffer(8))
    let seed = 1
    for (let i = 0; i < 20_000; i++) {
      for (let at = 0; at < 8; at += 4) view.setUint32(at, (seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0))
      if (i % 3 === 0) view.setUint32(4, seed % 5, true)
      const bytes = new Uint8Array(view.buffer)
      expect(u64(bytes, 0)).toBe(view.getBigUint64(0, true).toString())
    }
  })

  it.each(["-1", "01", "1.5", "", " 1", "18446744073709551616", "0x1", 7, 7n])(
    "is rejected if it is '%s'",
    (steamId) => {
      const result = encodeAs(InfoReply, { ...info, steamId: steamId as string })
      expect(Result.isFailure(result) && result.failure).toMatchObject({ field: "steamId" })
      expect(Result.isFailure(result) && result.failure.message).toMatch(/decimal string/)
    }
  )
})
