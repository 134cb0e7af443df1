import { dissectAs, encodeAs } from "../src/internal/interpret/byCodec.ts"
import { it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { describe, expect } from "vitest"
import type { Codec } from "../src/WireFormat.ts"
import { decode } from "../src/Datagram.ts"
import * as Messages from "../src/Message.ts"
import { arbitrary } from "../src/testing.ts"
import { fromDatagram, toSchema } from "../src/schemas.ts"

const codecs = Object.values(Messages) as ReadonlyArray<Codec<{ readonly _tag: string }>>

describe("encoding a message and decoding the bytes", () => {
  it.effect.each(codecs.map((codec) => [codec.tag, codec] as const))("returns the same message: %s", ([, codec]) =>
    Effect.gen(function* () {
      const result = yield* Arbitrary.checkEffect(
        arbitrary(codec),
        (message) => {
          const bytes = Result.getOrThrow(encodeAs(codec, message))
          expect(Result.getOrThrow(codec.decode(bytes))).toEqual(message)
          expect(Result.getOrThrow(dissectAs(codec, bytes).result)).toEqual(message)
          if (!AMBIGUOUS.has(codec.tag)) expect(Result.getOrThrow(decode(bytes))).toEqual(message)
          return true
        },
        { runs: 200, seed: 7 }
      )
      expect(Arbitrary.formatCheckFailure(result)).toBeUndefined()
    })
  )
})

/**
 * Tags of messages that contain an arbitrary text, number or type. With some values, `decode` returns another message for the encoded
 * bytes.
 */
const AMBIGUOUS = new Set(["PrintReply", "ConnectionMessage", "UnknownMessage", "MasterRequest", "GoldSourceLogLine"])

describe("the schema of a codec", () => {
  it.effect.each(codecs.map((codec) => [codec.tag, codec] as const))(
    "accepts the messages of the codec: %s",
    ([, codec]) =>
      Effect.gen(function* () {
        const samples = yield* Arbitrary.sampleEffect(arbitrary(codec), { count: 30, seed: 11 })
        const schema = toSchema(codec)
        const json = Schema.fromJsonString(Schema.toCodecJson(schema))
        for (const message of samples) {
          expect(Schema.is(schema)(message)).toBe(true)
          expect(Schema.decodeSync(json)(Schema.encodeSync(json)(message))).toEqual(message)
          const bytes = Schema.encodeSync(fromDatagram(codec))(message)
          expect(Schema.decodeSync(fromDatagram(codec))(bytes)).toEqual(message)
        }
      })
  )
})
