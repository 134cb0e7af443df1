/**
 * Converts datagrams to text for the fragment of a URL (the part after `#`), and back. Browsers do not send the fragment to a server, so
 * the datagrams stay private. If compression makes the text shorter, the datagrams are compressed in a format that browsers support without
 * a library.
 */
import { fromBase64 } from "@sourcewire/capture"
import { type Datagram, countBytes } from "./Datagram.ts"

/** Maximum length of a text in a link. Browsers and chat programs usually accept links of this length. */
export const MAX_LINK_CHARACTERS = 32_000

/** Maximum number of bytes of a text after decompression. */
const MAX_INFLATED = 4 * 1024 * 1024

/** Converts datagrams to text. Returns `undefined` if the text is too long for a link. */
export const packDatagrams = async (datagrams: ReadonlyArray<Datagram>): Promise<string | undefined> => {
  if (countBytes(datagrams) > MAX_INFLATED) return undefined
  const json = JSON.stringify(
    datagrams.map(({ bytes, from, timeMs, to }) => ({ from, to, timeMs, bytes: toLatin1(bytes) }))
  )
  return json.length > MAX_INFLATED ? undefined : packBytes(fromLatin1(json))
}

/** Converts a text from {@link packDatagrams} back to datagrams. Returns `undefined` if the text is invalid. */
export const unpackDatagrams = async (packed: string): Promise<ReadonlyArray<Datagram> | undefined> => {
  const bytes = await unpackBytes(packed)
  if (bytes === undefined) return undefined
  try {
    const given = JSON.parse(toLatin1(bytes)) as ReadonlyArray<Readonly<Record<string, unknown>>>
    return given.map(({ bytes, from, timeMs, to }) => ({
      bytes: fromLatin1(String(bytes)),
      ...(typeof from === "string" ? { from } : {}),
      ...(typeof to === "string" ? { to } : {}),
      ...(typeof timeMs === "number" ? { timeMs } : {})
    }))
  } catch {
    return undefined
  }
}

/**
 * Converts bytes to text. The bytes are compressed if their compressed form is shorter. The first letter of the text shows whether the
 * bytes are compressed. Returns `undefined` if the text is too long for a link.
 */
export const packBytes = async (bytes: Uint8Array): Promise<string | undefined> => {
  const deflated = await collect(through(bytes, new CompressionStream("deflate-raw")), Number.POSITIVE_INFINITY)
  const text = deflated.length < bytes.length ? `z${toBase64Url(deflated)}` : `r${toBase64Url(bytes)}`
  return text.length > MAX_LINK_CHARACTERS ? undefined : text
}

/** Converts a text from {@link packBytes} back to bytes. Returns `undefined` if the text is invalid. */
export const unpackBytes = async (packed: string): Promise<Uint8Array | undefined> => {
  const bytes = fromBase64(packed.slice(1))
  if (bytes === undefined || packed[0] === "r") return bytes
  if (packed[0] !== "z") return undefined
  try {
    return await collect(through(bytes, new DecompressionStream("deflate-raw")), MAX_INFLATED)
  } catch {
    return undefined
  }
}

const through = (bytes: Uint8Array, stream: CompressionStream | DecompressionStream): ReadableStream<Uint8Array> =>
  new Blob([bytes as Uint8Array<ArrayBuffer>]).stream().pipeThrough(stream)

/** Reads the whole stream. Fails if the stream has more than `max` bytes. */
const collect = async (stream: ReadableStream<Uint8Array>, max: number): Promise<Uint8Array> => {
  let left = max
  const capped = new TransformStream<Uint8Array, Uint8Array<ArrayBuffer>>({
    transform: (chunk, controller) => {
      left -= chunk.length
      if (left < 0) throw new RangeError("too much")
      controller.enqueue(chunk as Uint8Array<ArrayBuffer>)
    }
  })
  return new Uint8Array(await new Response(stream.pipeThrough(capped)).arrayBuffer())
}

/** Encodes bytes as Base64 with the alphabet for URLs, and without padding. */
const toBase64Url = (bytes: Uint8Array): string =>
  btoa(toLatin1(bytes)).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")

const fromLatin1 = (text: string): Uint8Array => Uint8Array.from(text, (character) => character.charCodeAt(0))

/** Converts bytes to a text that contains one character for each byte (Latin-1). */
const toLatin1 = (bytes: Uint8Array): string => {
  let text = ""
  for (let at = 0; at < bytes.length; at += CHUNK) text += String.fromCharCode(...bytes.subarray(at, at + CHUNK))
  return text
}

/** Maximum number of arguments in one function call. This number is below the limits of all JavaScript engines. */
const CHUNK = 8192
