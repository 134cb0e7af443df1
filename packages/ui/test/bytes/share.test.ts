import { describe, expect, it } from "vitest"
import type { Datagram } from "../../src/bytes/Datagram.ts"
import { packDatagrams, unpackDatagrams } from "../../src/bytes/share.ts"

const noise = (length: number): Uint8Array => {
  let seed = 1
  return Uint8Array.from({ length }, () => (seed = (seed * 48271) % 0x7fff_ffff) & 0xff)
}

describe("datagrams in a link", () => {
  it.each<[string, ReadonlyArray<Datagram>]>([
    ["no datagrams", []],
    ["one datagram", [{ bytes: Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0x69) }]],
    ["an empty datagram", [{ bytes: new Uint8Array(0) }]],
    [
      "a datagram with addresses and a time",
      [{ bytes: noise(300), from: "[::1]:27015", to: "127.0.0.1:40000", timeMs: 1_700_000_000_123.456 }]
    ],
    ["many datagrams", Array.from({ length: 40 }, (_, i) => ({ bytes: new Uint8Array(1000).fill(i), timeMs: i }))]
  ])("are restored: %s", async (_, datagrams) => {
    const packed = await packDatagrams(datagrams)
    expect(packed).toMatch(/^[rz][\w-]*$/)
    expect(await unpackDatagrams(packed!)).toEqual(datagrams)
  })

  it("are not packed into a link if they are too long", async () => {
    expect(await packDatagrams([{ bytes: noise(60_000) }])).toBeUndefined()
  })

  it.each(["", "x", "zAAAA", "r!", "rAP8", "q123", "zzzzzzzz"])(
    "are not restored from invalid text: %j",
    async (packed) => {
      expect((await unpackDatagrams(packed)) ?? []).toEqual([])
    }
  )
})
