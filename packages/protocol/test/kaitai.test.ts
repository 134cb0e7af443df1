/**
 * The Kaitai Struct specification finds the same fields at the same bytes as `dissect`, in every recorded datagram that it describes, and
 * in samples of other messages.
 */
import * as Arbitrary from "effect/Arbitrary"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as runtime from "kaitai-struct"
import compiler from "kaitai-struct-compiler"
import { readFileSync } from "node:fs"
import { parse } from "yaml"
import { expect, it } from "vitest"
import { dissect, toHex } from "../src/index.ts"
import { encodeAs } from "../src/internal/interpret/byCodec.ts"
import { HandshakeChallenge, MasterReply } from "../src/Message.ts"
import { arbitrary } from "../src/testing.ts"
import type { Codec } from "../src/WireFormat.ts"
import { recordedDatagrams } from "./recordedDatagrams.ts"

// The types of `kaitai-struct` do not match the module.
type KaitaiStream = object
const { KaitaiStream } = runtime as unknown as { readonly KaitaiStream: new (bytes: ArrayBuffer) => KaitaiStream }

interface Place {
  readonly start: number
  readonly end: number
  readonly arr?: ReadonlyArray<Place>
}

/** The values that the compiled specification reads in debug mode, and their positions. */
interface Read {
  readonly _debug: Readonly<Record<string, Place>>
  readonly [name: string]: unknown
}

interface Parsed extends Read {
  readonly body: Read | Uint8Array
  _read(): void
}

const compileSpecification = async (): Promise<new (stream: KaitaiStream) => Parsed> => {
  const text = readFileSync(new URL("../dissectors/source_query.ksy", import.meta.url), "utf8")
  const files = await compiler.compile("javascript", parse(text), null, true)
  const module = { exports: {} as { readonly SourceQuery: new (stream: KaitaiStream) => Parsed } }
  new Function("module", "exports", "require", files["SourceQuery.js"]!)(module, module.exports, () => KaitaiStream)
  return module.exports.SourceQuery
}

const BODY_AT = 5

const isRead = (value: unknown): value is Read => typeof value === "object" && value !== null && "_debug" in value

/**
 * Returns one text per field: `path offset length`. If the field is a number of fewer than 8 bytes, its value follows. Fields without bytes
 * are omitted.
 */
const listFields = (read: Read, prefix: string): ReadonlyArray<string> =>
  Object.entries(read._debug).flatMap(([name, place]) => {
    const places = place.arr ?? [place]
    return [read[name]].flat().flatMap((value, i) => {
      const { end, start } = places[i]!
      if (isRead(value)) return listFields(value, `${prefix}${name}.`)
      const number = typeof value === "number" && end - start < 8 ? ` ${value}` : ""
      return end > start ? [`${prefix}${name} ${BODY_AT + start} ${end - start}${number}`] : []
    })
  })

/**
 * Converts a text from `listFields` to the text for the same field of `dissect`. Kaitai requires a name for every group. If a group has no
 * name in `dissect`, its name in Kaitai is removed. The specification divides each address of a list into the fields `ip` and `port`.
 */
const renameField = (field: string): string =>
  field
    .replace("edfFields.", "")
    .replace(/(Appended|BeyondCount)\./, ".")
    .replace(/^servers\.ip (\d+) 4$/, "servers $1 6")

/**
 * The types whose values are compared. Values of 8-byte numbers, flags and codes are not compared, because Kaitai's JavaScript rounds
 * 8-byte numbers, and reads flags and codes as numbers.
 */
const NUMBERS = new Set(["u8", "u16", "i32", "u32", "f32"])

type SourceQuery = Awaited<ReturnType<typeof compileSpecification>>

/**
 * Compares the fields that the specification finds in a datagram with the fields that `dissect` finds. Returns the tag of the message, or
 * `undefined` if the specification does not describe this type of message.
 */
const compareFields = (specification: SourceQuery, datagram: Uint8Array): string | undefined => {
  const parsed = new specification(new KaitaiStream(datagram.slice().buffer))
  parsed._read()
  if (!isRead(parsed.body)) return undefined
  const { fields, result } = dissect(datagram)
  const numbers = new Set(
    fields.flatMap(({ path, type }) => (NUMBERS.has(type) ? [path.replaceAll(/\[\d+\]/g, "")] : []))
  )
  const here = fields
    .filter(({ length, path }) => length > 0 && path !== "header" && path !== "type")
    .map(({ length, offset, path, type, value }) => {
      const number = NUMBERS.has(type) ? ` ${Number(value)}` : ""
      // In the Kaitai specification, the end mark of an address list is not a separate field, but one more entry of `servers`.
      return `${path.replaceAll(/\[\d+\]/g, "").replace(/^end$/, "servers")} ${offset} ${length}${number}`
    })
  const there = listFields(parsed.body, "")
    .map(renameField)
    .filter((field) => !field.startsWith("servers.port"))
    .map((field) => (numbers.has(field.split(" ")[0]!) ? field : field.split(" ").slice(0, 3).join(" ")))
  expect({ datagram: toHex(datagram), fields: there }).toEqual({ datagram: toHex(datagram), fields: here })
  return Result.getOrThrow(result)._tag
}

it("the Kaitai specification finds the same fields as `dissect` in every recorded datagram that it describes", async () => {
  const specification = await compileSpecification()
  const seen = new Set(recordedDatagrams().flatMap((datagram) => compareFields(specification, datagram) ?? []))
  expect([...seen].sort()).toEqual([
    "ChallengeReply",
    "GetChallengeRequest",
    "GoldSourceInfoReply",
    "InfoReply",
    "InfoRequest",
    "PingReply",
    "PlayersReply",
    "PlayersRequest",
    "RulesReply",
    "RulesRequest"
  ])
})

it("the Kaitai specification finds the same fields as `dissect` in samples of messages that do not occur in the recordings", async () => {
  const specification = await compileSpecification()
  for (const codec of [HandshakeChallenge, MasterReply] as ReadonlyArray<Codec<{ readonly _tag: string }>>) {
    const samples = await Effect.runPromise(Arbitrary.sampleEffect(arbitrary(codec), { count: 25, seed: 11 }))
    const datagrams = samples
      .map((sample) => Result.getOrThrow(encodeAs(codec, sample)))
      .filter((datagram) => Result.isSuccess(dissect(datagram).result))
    // Nearly all samples can be dissected.
    expect(datagrams.length).toBeGreaterThan(20)
    const tags = datagrams.map((datagram) => compareFields(specification, datagram))
    expect([...new Set(tags)]).toEqual([codec.tag])
  }
})
