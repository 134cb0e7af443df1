/**
 * Split and compressed replies: fragments in any order and of anybody's making, and what our own splitter and compressor make.
 */
import { toHex } from "@sourcewire/protocol"
import { type Joined, Limits, Reassembler, splitDatagram, type SplitLayout } from "@sourcewire/protocol/machines"
import { compress } from "@sourcewire/server/machines"
import * as Result from "effect/Result"
import { inflate } from "../../../../packages/protocol/src/Bzip2.ts"
import { probeLayout } from "../../../../packages/protocol/src/internal/splitHeader.ts"
import { Random } from "../engine/random.ts"
import { datagrams, replies, splits } from "../seeds.ts"
import { type Input, must, type Target } from "../Target.ts"

const JOINING = /^packages\/protocol\/src\/(Split\.|internal\/(partialReply|splitHeader))/

const idOf = (datagram: Uint8Array): number => new DataView(datagram.buffer, datagram.byteOffset).getUint32(4, true)

/** Every byte of a joined reply comes from a fragment with its id, each number once. */
const checkOrigin = (joined: Joined, fed: ReadonlyArray<Uint8Array>): void => {
  must(joined.fragments.length === joined.total, "a reply was joined of more or fewer fragments than it has")
  let start = 0
  for (const part of joined.fragments) {
    const origin = fed[part.datagram]
    must(origin !== undefined && idOf(origin) === joined.id, "a fragment of another id was taken")
    must(part.start === start && part.offset + part.length <= origin.length, "fragments do not stand side by side")
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
    "no throw; caps on replies, fragments and bytes; joined bytes come from fragments with one id, each number once",
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
      // The caller reuses its buffer at once.
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

const LAYOUTS: ReadonlyArray<SplitLayout> = ["source", "source-no-size", "goldsource"]

/** Our own fragments, shuffled, doubled, among strangers. */
export const rejoining: Target = {
  ...common,
  name: "rejoining",
  holds:
    "what the splitter makes, the reassembler joins: in any order, with duplicates and other replies' fragments among it",
  covers: JOINING,
  weight: 3,
  steering: 4,
  stepsPerByte: 4000,
  seeds: () =>
    replies.flatMap((reply, i): Array<Input> =>
      reply.length > 4000 ? [] : [[Uint8Array.of(i, 3, i, i * 7, ...reply.subarray(4))]]
    ),
  run: ([part = new Uint8Array()]) => {
    const [layout = 0, size = 0, seed = 0, mode = 0] = part
    const reply = Uint8Array.of(255, 255, 255, 255, ...part.subarray(4))
    const options = { layout: LAYOUTS[layout % 3]!, id: seed * 0x01010101, maxBytes: 30 + size * 4 }
    const isCompressed = (mode & 3) === 0 && options.layout !== "goldsource"
    const fragments = splitDatagram(reply, {
      ...options,
      ...(isCompressed ? { compressed: compress(reply) } : {})
    })
    // Nothing names the layout: a later fragment whose bytes happen to look like a first one's misleads if it comes before the first.
    // The query then asks again.
    if (fragments.slice(1).some((fragment) => probeLayout(fragment) !== undefined)) return
    const random = new Random(seed)
    const strangers = splitDatagram(replies[seed % replies.length]!, { ...options, id: options.id ^ 0x5555 })
    const sent = [...fragments, ...((mode & 4) === 0 ? [] : fragments.slice(0, -1)), ...strangers.slice(1, 3)]
    for (let i = sent.length - 1; i > 0; i--) {
      const j = random.below(i + 1)
      ;[sent[i], sent[j]] = [sent[j]!, sent[i]!]
    }
    const subject = new Reassembler()
    for (const fragment of sent) {
      const joined = subject.add(fragment)
      must(Result.isSuccess(joined), "a fragment of our own was refused")
      if (joined.success === undefined) continue
      must(toHex(joined.success.bytes) === toHex(reply), "the reply is not what was split")
      return
    }
    must(false, "the reply never became whole")
  }
}

const MAX_INFLATED = 32 * 1024

export const bunzip2: Target = {
  ...common,
  name: "bunzip2",
  holds: "no throw; never more bytes than announced, nor than the cap",
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

export const compressor: Target = {
  ...common,
  name: "compressor",
  holds: "inflate ∘ compress = identity",
  covers: /^packages\/(server\/src\/query\/(Bzip2|bzip2)|protocol\/src\/(Bzip2|internal\/bunzip2))/,
  weight: 1,
  stepsPerByte: 20_000,
  seeds: () => [...replies.filter((reply) => reply.length < 4000), new Uint8Array(2000)].map((bytes) => [bytes]),
  run: ([bytes = new Uint8Array()]) => {
    const inflated = inflate(compress(bytes), bytes.length, Limits.MAX_INFLATED_BYTES)
    must(Result.isSuccess(inflated) && toHex(inflated.success) === toHex(bytes), "compressing changed the bytes")
  }
}
