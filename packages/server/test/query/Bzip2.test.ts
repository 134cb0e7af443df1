import { assert, describe, it } from "@effect/vitest"
import { toHex } from "@sourcewire/protocol"
import { join, splitDatagram } from "@sourcewire/protocol/wire"
import * as Result from "effect/Result"
import { compress } from "../../src/query/Bzip2.ts"
import { seededRandom } from "@sourcewire/core/testing"

/**
 * Compresses and splits a reply, and joins the fragments with the code of the client. The decompressor of the client shares no code with
 * the compressor. The client verifies the CRC32 of the reply, but not the checksums inside the bzip2 stream.
 */
const roundTrip = (input: Uint8Array): Uint8Array => {
  const fragments = splitDatagram(input, { layout: "source", id: 1, compressed: compress(input) })
  return Result.getOrThrow(join(fragments)).bytes
}

/** A datagram. It starts with FF FF FF FF, because `join` requires this header. */
const datagram = (length: number, byteAt: (i: number) => number): Uint8Array =>
  Uint8Array.from({ length: length + 4 }, (_, i) => (i < 4 ? 0xff : byteAt(i - 4)))

const random = seededRandom(7)
const int = (min: number, max: number): number => min + Math.floor(random() * (max - min + 1))

describe("compress", () => {
  it.each([
    ["the header alone", datagram(0, () => 0)],
    ["the header and one byte", datagram(1, () => 7)],
    ["runs of every length", datagram(40_000, (i) => Math.floor(Math.sqrt(i)) & 1)],
    ["one long run", datagram(100_000, () => 0)],
    ["a repeated pattern", datagram(9000, (i) => i % 3)],
    ["random bytes", datagram(20_000, () => int(0, 255))],
    ["bytes with very different frequencies", datagram(200_000, () => Math.floor(Math.log2(1 / random())))]
  ])("writes a stream that decompresses to the original bytes: %s", (_, input) =>
    assert.deepEqual(roundTrip(input), input)
  )

  it("writes streams that decompress to the original bytes: a thousand short inputs", () => {
    for (let n = 0; n < 1000; n++) {
      const kinds = int(1, 256)
      const input = datagram(int(0, 600), (i) => (random() < 0.3 ? i % 3 : int(0, kinds - 1)))
      assert.deepEqual(roundTrip(input), input)
    }
  })

  // The program bzip2 1.0.8 decompresses each stream to the text before it.
  it.each([
    ["a", "425a683931415926535919939b6b00000001002000200021184682ee48a70a120332736d60"],
    ["banana", "425a6839314159265359efb6ec01000001810030012000218f5063d442f177245385090efb6ec010"]
  ])("writes exactly the expected stream for the text '%s'", (text, hex) => {
    assert.strictEqual(toHex(compress(Uint8Array.from(text, (c) => c.charCodeAt(0)))), hex)
  })

  it("compresses a RULES reply to less than a quarter of its size", () => {
    const text = Array.from({ length: 400 }, (_, i) => `sm_plugin_${i % 40}_setting_${i >> 3}\0${i % 7}\0`).join("")
    const input = datagram(text.length, (i) => text.charCodeAt(i))
    assert.isBelow(compress(input).length, input.length / 4)
  })

  it("writes a stream without blocks if the input is empty", () => {
    const empty = [0x42, 0x5a, 0x68, 0x39, 0x17, 0x72, 0x45, 0x38, 0x50, 0x90, 0, 0, 0, 0]
    assert.deepEqual([...compress(new Uint8Array(0))], empty)
  })
})
