/**
 * Datagrams as text for the fragment of a link: compact, and the same on every browser. The fragment never leaves the browser, so a link
 * shows its datagrams without a server getting to know them.
 */
import { fromBase64 } from "@sourcewire/capture"
import type { Datagram } from "./Datagram.ts"

/** Longest text that a link holds: what browsers and chat programs still pass on whole. */
export const MAX_LINK_CHARACTERS = 32_000

/** Bytes that a link may inflate to. */
const MAX_INFLATED = 4 * 1024 * 1024

/** What is told about each datagram beside its bytes, in the order of the bits. */
const FROM = 1
const TO = 2
const TIME = 4

/** The text, or `undefined` when it would be too long for a link. */
export const packDatagrams = async (datagrams: ReadonlyArray<Datagram>): Promise<string | undefined> => {
  const out: Array<number> = []
  const number = (value: number): void => {
    let rest = value
    for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) out.push((rest % 0x80) | 0x80)
    out.push(rest)
  }
  const text = (value: string): void => {
    const bytes = new TextEncoder().encode(value)
    number(bytes.length)
    out.push(...bytes)
  }
  if (datagrams.reduce((sum, { bytes }) => sum + bytes.length, 0) > MAX_INFLATED / 2) return undefined
  for (const { bytes, from, timeMs, to } of datagrams) {
    number((from === undefined ? 0 : FROM) | (to === undefined ? 0 : TO) | (timeMs === undefined ? 0 : TIME))
    if (from !== undefined) text(from)
    if (to !== undefined) text(to)
    // Microseconds, which is what captures have.
    if (timeMs !== undefined) number(Math.round(timeMs * 1000))
    number(bytes.length)
    for (const byte of bytes) out.push(byte)
  }
  return packBytes(Uint8Array.from(out))
}

/** The inverse; `undefined` when the text is none of ours. */
export const unpackDatagrams = async (packed: string): Promise<ReadonlyArray<Datagram> | undefined> => {
  const bytes = await unpackBytes(packed)
  if (bytes === undefined) return undefined
  let at = 0
  const number = (): number => {
    let value = 0
    for (let scale = 1; ; scale *= 0x80) {
      const byte = bytes[at++]
      if (byte === undefined || scale > 2 ** 49) throw new RangeError("truncated")
      value += (byte & 0x7f) * scale
      if (byte < 0x80) return value
    }
  }
  const take = (): Uint8Array => {
    const length = number()
    if (at + length > bytes.length) throw new RangeError("truncated")
    at += length
    return bytes.slice(at - length, at)
  }
  const text = (): string => new TextDecoder().decode(take())
  const datagrams: Array<Datagram> = []
  try {
    while (at < bytes.length) {
      const flags = number()
      datagrams.push({
        ...((flags & FROM) === 0 ? {} : { from: text() }),
        ...((flags & TO) === 0 ? {} : { to: text() }),
        ...((flags & TIME) === 0 ? {} : { timeMs: number() / 1000 }),
        bytes: take()
      })
    }
  } catch {
    return undefined
  }
  return datagrams
}

/** Bytes as text: deflated where that is shorter. The first letter says which. */
export const packBytes = async (bytes: Uint8Array): Promise<string | undefined> => {
  const deflated = await collect(through(bytes, new CompressionStream("deflate-raw")), Number.POSITIVE_INFINITY)
  const text = deflated.length < bytes.length ? `z${toBase64Url(deflated)}` : `r${toBase64Url(bytes)}`
  return text.length > MAX_LINK_CHARACTERS ? undefined : text
}

/** The inverse; `undefined` when the text is none of ours. */
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

/** All that comes; fails beyond `max` bytes. */
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

/** Base64 in the URL alphabet, without padding. */
const toBase64Url = (bytes: Uint8Array): string => {
  let text = ""
  for (let at = 0; at < bytes.length; at += CHUNK) text += String.fromCharCode(...bytes.subarray(at, at + CHUNK))
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")
}

/** Arguments that one call surely takes. */
const CHUNK = 8192
