/**
 * The first inputs of campaigns: examples of the documents, recordings of real servers, messages that are generated from the declarations,
 * and replies of our own servers. Some recordings are not part of the repository. If these recordings are missing, a campaign has different
 * inputs than a campaign that has the same seed and the recordings.
 */
import { type Codec, encodeAs } from "@sourcewire/protocol/wire"
import { encode, fromHex, type Message } from "@sourcewire/protocol"
import { arbitrary } from "@sourcewire/protocol/testing"
import * as Protocol from "@sourcewire/protocol/wire"
import { profiles } from "@sourcewire/emulator"
import { profileNames } from "@sourcewire/emulator/machines"
import { current, type Profile } from "@sourcewire/server"
import { compress } from "@sourcewire/server/machines"
import * as Arbitrary from "effect/Arbitrary"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { existsSync, readFileSync } from "node:fs"

const root = new URL("../../../", import.meta.url)
const json = (path: string): unknown => JSON.parse(readFileSync(new URL(path, root), "utf8"))
const parseHex = (hex: string): Uint8Array => fromHex(hex)!

/** The codecs of all messages. */
export const codecs: ReadonlyArray<Codec<Message>> = Object.values<unknown>(Protocol).filter(
  (value): value is Codec<Message> => typeof value === "object" && value !== null && "layout" in value
)

/** Random messages of one kind, generated from its declaration. */
export const generated = (codec: Codec<Message>, count: number): ReadonlyArray<Uint8Array> =>
  Effect.runSync(Arbitrary.sampleEffect(arbitrary(codec), { count, seed: 3 })).map((message) =>
    Result.getOrThrow(encodeAs(codec, message))
  )

const documents = (
  json("packages/protocol/test/fixtures/seed-examples.json") as ReadonlyArray<{ packets: ReadonlyArray<string> }>
)
  .flatMap(({ packets }) => packets)
  .map(parseHex)

const recorded = ["cacher", "hltv", "rehlds", "xash3d"].flatMap((name) => {
  const { exchanges } = json(`packages/core/test/fixtures/recordings/${name}.json`) as {
    exchanges: ReadonlyArray<{ request_hex?: string; replies: ReadonlyArray<{ hex?: string }> }>
  }
  return exchanges
    .flatMap(({ replies, request_hex }) => [request_hex, ...replies.map(({ hex }) => hex)])
    .flatMap((hex) => (hex === undefined || hex === "" ? [] : [parseHex(hex)]))
})

const captures = new URL("../shared/vectors/captures.jsonl", root)

/** Replies of real servers of many games. The file with these replies is not part of the repository. */
export const recordings: ReadonlyArray<Uint8Array> = (
  existsSync(captures) ? readFileSync(captures, "utf8").trim().split("\n") : []
).flatMap((line) => {
  const { packets, strippedBytes = "" } = JSON.parse(line) as { packets: ReadonlyArray<string>; strippedBytes?: string }
  return packets.map((hex) => parseHex(strippedBytes + hex))
})

export const allProfiles: ReadonlyArray<Profile> = profileNames.map((name) => profiles[name]())

/** The replies of our emulated servers, before these replies are split into fragments. */
export const replies: ReadonlyArray<Uint8Array> = allProfiles.flatMap(
  ({ encoding, info, legacyInfo, players, rules }) =>
    [info, legacyInfo, players, rules].flatMap((live) => {
      const message = live === undefined ? undefined : current<Message | undefined>(live)
      return message === undefined ? [] : [Result.getOrThrow(encode(message, { encoding }))]
    })
)

/** Datagrams with complete messages of every kind. Each datagram has at most 4 kB. */
export const datagrams: ReadonlyArray<Uint8Array> = [
  ...documents,
  ...recorded,
  ...codecs.flatMap((codec) => generated(codec, 6)),
  ...replies,
  ...recordings
].filter((datagram) => datagram.length <= 4096)

/** Split replies in every layout, including compressed replies. */
export const splits: ReadonlyArray<ReadonlyArray<Uint8Array>> = replies
  .filter((reply) => reply.length > 150 && reply.length < 4096)
  .flatMap((reply, i) => {
    const split = (layout: Protocol.SplitLayout, compressed?: Uint8Array) =>
      Protocol.splitDatagram(reply, {
        layout,
        id: 77 + i,
        maxBytes: Math.max(60, Math.ceil(reply.length / 5)),
        ...(compressed === undefined ? {} : { compressed })
      })
    return [split("source"), split("source-no-size"), split("goldsource"), split("source", compress(reply))]
  })
