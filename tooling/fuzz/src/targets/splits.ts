/** Targets for split and compressed replies: any fragments in any order, and any compressed bytes. */
import { toHex } from "@sourcewire/protocol"
import { type Joined, Reassembler } from "@sourcewire/protocol/wire"
import { compress } from "@sourcewire/server/machines"
import * as Result from "effect/Result"
import { inflate } from "../../../../packages/protocol/src/Bzip2.ts"
import { datagrams, replies, splits } from "../seeds.ts"
import { must, type Target } from "../Target.ts"

const JOINING = /^packages\/protocol\/src\/(Split\.|internal\/(partialReply|splitHeader))/

const readSplitId = (datagram: Uint8Array): number =>
  new DataView(datagram.buffer, datagram.byteOffset).getUint32(4, true)

/**
 * Checks that every byte of a joined reply is from a fragment with the reply's id, and that there are no gaps between the fragments in the
 * reply.
 */
const checkOrigin = (joined: Joined, fed: ReadonlyArray<Uint8Array>): void => {
  must(joined.fragments.length === joined.total, "a reply was joined of more or fewer fragments than it has")
  let start = 0
  for (const part of joined.fragments) {
    const origin = fed[part.datagram]
    must(origin !== undefined && readSplitId(origin) === joined.id, "a fragment of another id was taken")
    must(part.start === start && part.offset + part.length <= origin.length, "fragments do not follow each other")
    if (!joined.compressed) {
      const came = toHex(origin, part.offset, part.offset + part.length)
      must(toHex(joined.bytes, part.start, part.start + part.length) === came, "joined bytes are not those that came")
    }
    start += part.length
  }
  if (!joined.compressed) must(start === joined.bytes.length, "joined bytes that came from nowhere")
}

const common = { maxBytes: 4096, baseSteps: 3_000_000 } as const

export const reassembler: Target = {
  ...common,
  name: "reassembler",
  holds:
    "no throw; replies, fragments and bytes are below their limits; joined bytes are from fragments with one id, each number once",
  covers: JOINING,
  weight: 6,
  events: true,
  maxBytes: 8192,
  stepsPerByte: 400,
  seeds: () => splits,
  run: (input) => {
    const limits = { maxPartialReplies: 4, maxFragments: 64, maxJoinedBytes: 4096, maxInflatedBytes: 16 * 1024 }
    const subject = new Reassembler(limits)
    const fed: Array<Uint8Array> = []
    for (const part of input) {
      // A caller may reuse its buffer immediately after the call. Therefore the test passes a copy, and overwrites the copy after the call.
      const datagram = part.slice()
      const joined = subject.add(datagram)
      datagram.fill(0xcc)
      fed.push(part)
      must(
        subject.received <= limits.maxPartialReplies * limits.maxFragments,
        "more fragments held than the caps allow"
      )
      if (Result.isFailure(joined) || joined.success === undefined) continue
      must(joined.success.bytes.length <= limits.maxInflatedBytes, "a reply above its cap")
      checkOrigin(joined.success, fed)
    }
  }
}

const MAX_INFLATED = 32 * 1024

export const bunzip2: Target = {
  ...common,
  name: "bunzip2",
  holds: "no throw; at most as many bytes as announced, and as the limit",
  covers: /^packages\/protocol\/src\/(Bzip2|internal\/(bunzip2|crc32))/,
  weight: 3,
  steering: 2,
  baseSteps: 6_000_000,
  stepsPerByte: 1000,
  seeds: () =>
    [...replies, ...datagrams.slice(0, 20), new Uint8Array(3000), Uint8Array.from({ length: 2000 }, (_, i) => i)]
      .filter((bytes) => bytes.length < 8000)
      .map((bytes) => [Uint8Array.of(bytes.length & 255, bytes.length >> 8, ...compress(bytes))]),
  run: ([part = new Uint8Array()]) => {
    const announced = (part[0] ?? 0) | ((part[1] ?? 0) << 8)
    const inflated = inflate(part.subarray(2), announced, MAX_INFLATED)
    if (Result.isSuccess(inflated)) must(inflated.success.length === announced && announced <= MAX_INFLATED, "too much")
  }
}
