/**
 * Targets for complete datagrams: `decode`, `dissect` and `encode`. In the first target, the type of the datagram selects the codec. In the
 * second target, the first byte of the input selects the codec. The third target decodes and encodes texts in every encoding.
 */
import { decode, dissect, encode } from "@sourcewire/protocol"
import type { DecodeError, Dissected, Encoding, Message } from "@sourcewire/protocol"
import { type Codec, decodeText, dissectAs, encodeText, ENCODINGS } from "@sourcewire/protocol/wire"
import * as Result from "effect/Result"
import { isDeepStrictEqual } from "node:util"
import { codecs, datagrams, generated } from "../seeds.ts"
import { type Input, must, type Target } from "../Target.ts"

const pickEncoding = (steering: number | undefined): Encoding => ENCODINGS[(steering ?? 0) % ENCODINGS.length]!

/** Checks that `decode` and `dissect` agree, that the fields follow each other without gaps, and that an error has a position. */
const checkReading = (
  bytes: Uint8Array,
  result: Result.Result<Message, DecodeError>,
  { fields, result: dissected }: Dissected<Message>
): void => {
  must(isDeepStrictEqual(dissected, result), "decode and dissect disagree")
  let at = 0
  for (const field of fields) {
    must(field.offset === at && field.length >= 0, `field ${field.path} does not begin where the one before ends`)
    at += field.length
  }
  must(Result.isFailure(result) ? at <= bytes.length : at === bytes.length, "the fields are not the datagram")
  if (Result.isSuccess(result)) JSON.stringify(result.success)
  else if (result.failure._tag === "Malformed") {
    const { field, hex, offset } = result.failure
    must(offset >= 0 && offset <= bytes.length && field !== "" && hex.length <= 64, "an error names no place")
  }
}

/** Checks that an encoded message is decoded to the same message. If the message cannot be encoded, this function checks nothing. */
const checkWriting = (
  message: Message,
  encoding: Encoding,
  read: (bytes: Uint8Array) => unknown,
  result: unknown
): void => {
  const encoded = encode(message, { encoding })
  if (Result.isSuccess(encoded)) must(isDeepStrictEqual(read(encoded.success), result), "encode does not undo decode")
}

const steered = (all: ReadonlyArray<Uint8Array>): ReadonlyArray<Input> =>
  all.map((bytes) => [Uint8Array.of(0, ...bytes)])

const common = { steering: 1, maxBytes: 2048, baseSteps: 2000, stepsPerByte: 800 } as const

/** Tests `decode`, which selects the codec by the datagram's type. */
export const datagram: Target = {
  ...common,
  name: "datagram",
  holds: "no throw; decode = dissect; fields cover every byte; decode ∘ encode = identity",
  covers: /^packages\/protocol\/src\/(Datagram|Codec|Text|generated|internal\/(interpret|rules|decimal|codePages))/,
  weight: 8,
  seeds: () => steered(datagrams),
  run: ([part = new Uint8Array()]) => {
    const encoding = pickEncoding(part[0])
    const bytes = part.slice(1)
    const result = decode(bytes, { encoding })
    checkReading(bytes, result, dissect(bytes, { encoding }))
    if (Result.isSuccess(result)) {
      checkWriting(result.success, encoding, (again) => decode(again, { encoding }), result)
    }
  }
}

/** Tests each codec, with datagrams of its own type and of other types. */
export const codec: Target = {
  ...common,
  name: "codec",
  holds: "no throw; decode = dissect; a message only of the codec's own kind; decode ∘ encode = identity",
  covers: /^packages\/protocol\/src\/(Codec|Text|generated|internal\/(interpret|rules|decimal))/,
  weight: 6,
  steering: 2,
  seeds: () =>
    codecs.flatMap((codec, index) => generated(codec, 8).map((bytes): Input => [Uint8Array.of(index, 0, ...bytes)])),
  run: ([part = new Uint8Array()]) => {
    const one: Codec<Message> = codecs[(part[0] ?? 0) % codecs.length]!
    const encoding = pickEncoding(part[1])
    const bytes = part.slice(2)
    const result = one.decode(bytes, { encoding })
    checkReading(bytes, result, dissectAs(one, bytes, { encoding }))
    if (Result.isFailure(result)) return
    must(result.success._tag === one.tag, "a codec gave another's message")
    checkWriting(result.success, encoding, (again) => one.decode(again, { encoding }), result)
  }
}

export const text: Target = {
  ...common,
  name: "text",
  holds: "no throw; an exact text gives its bytes back; every text is well-formed",
  covers: /^packages\/protocol\/src\/(Text|internal\/codePages)/,
  weight: 4,
  maxBytes: 512,
  seeds: () =>
    ["plain", "Привет, мир", "naïve café €", "日本語サーバー", "\u{1f600}\u{10ffff}"]
      .flatMap((text) => ENCODINGS.map((encoding) => encodeText(text, encoding) ?? new TextEncoder().encode(text)))
      .map((bytes) => [Uint8Array.of(0, ...bytes)]),
  run: ([part = new Uint8Array()]) => {
    const encoding = pickEncoding(part[0])
    const { exact, text } = decodeText(part, Math.min(1, part.length), part.length, encoding)
    must(text.isWellFormed(), "half a surrogate pair in a text")
    if (!exact) return
    const again = encodeText(text, encoding)
    must(again !== undefined && isDeepStrictEqual(again, part.slice(1)), "an exact text does not give its bytes back")
  }
}
