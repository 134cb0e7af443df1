/** A slow test of compression: the input is longer than one block. */
import { assert, it } from "@effect/vitest"
import { join, splitDatagram } from "@sourcewire/protocol/wire"
import * as Result from "effect/Result"
import { compress } from "../../src/query/Bzip2.ts"
import { seededRandom } from "@sourcewire/core/testing"

it(
  "if the input of `compress` is longer than one block, the output decompresses to the same input",
  { timeout: 300_000 },
  () => {
    const random = seededRandom(1)
    const input = Uint8Array.from({ length: 1_000_000 }, (_, i) => (i < 4 ? 0xff : random() * 256))
    const fragments = splitDatagram(input, { layout: "source", id: 1, compressed: compress(input) })
    const limits = { maxJoinedBytes: 2_000_000, maxInflatedBytes: 2_000_000 }
    assert.isTrue(Buffer.from(input).equals(Result.getOrThrow(join(fragments, limits)).bytes))
  }
)
