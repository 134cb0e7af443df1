/**
 * Bytes: whether what JavaScript hands over is some (what to say otherwise is in `edge.ts`), and the characters and numbers in them. A
 * datagram is turned into a string once and texts are taken out of it, which is what makes decoding fast
 * (docs/adr/0001-declarations.md has the figures); the loops themselves stand in the generated code, on local variables.
 *
 * @module
 */

/** What reading gives; `undefined` where it throws, as getters and proxies may. */
export const read = <A>(get: () => A): A | undefined => {
  try {
    return get()
  } catch {
    return undefined
  }
}

/**
 * Whether a value is a `Uint8Array`, as a `Buffer` is one; also of another realm, as test runners and frames make them. One whose memory
 * was transferred elsewhere is none any more.
 */
export const isBytes = (value: unknown): value is Uint8Array =>
  ArrayBuffer.isView(value) &&
  (value instanceof Uint8Array || Object.prototype.toString.call(value) === "[object Uint8Array]") &&
  ((value as Uint8Array).length > 0 || read(() => new DataView(value.buffer)) !== undefined)

/** Whether no byte of `bytes[start, end)` is above 0x7F, so that every encoding reads them alike. */
export const isAscii = (bytes: Uint8Array, start: number, end: number): boolean => {
  let bits = 0
  for (let i = start; i < end; i++) bits |= bytes[i]!
  return bits < 0x80
}

interface Latin1Slice {
  (this: Uint8Array, start: number, end: number): string
}

/** `Buffer` of Node, Bun and Deno has a one-byte slice that is several times faster than a `TextDecoder`. */
const latin1Slice = (globalThis as { Buffer?: { prototype?: { latin1Slice?: Latin1Slice } } }).Buffer?.prototype
  ?.latin1Slice
const decoder = /* @__PURE__ */ new TextDecoder("latin1")

/** The datagram, one character a byte. Only its ASCII parts are ever used. */
export const charsOf: (bytes: Uint8Array) => string =
  latin1Slice === undefined ? (bytes) => decoder.decode(bytes) : (bytes) => latin1Slice.call(bytes, 0, bytes.length)

/** Valve's unsigned `long` at `at`. */
export const u32 = (bytes: Uint8Array, at: number): number =>
  (bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)) >>> 0

const scratch = /* @__PURE__ */ new DataView(new ArrayBuffer(8))
const scratchBytes = /* @__PURE__ */ new Uint8Array(scratch.buffer)

/** The float at `at`: through a view of its own, since making one for every datagram costs more than the decode of a short one. */
export const f32 = (bytes: Uint8Array, at: number): number => {
  scratchBytes[0] = bytes[at]!
  scratchBytes[1] = bytes[at + 1]!
  scratchBytes[2] = bytes[at + 2]!
  scratchBytes[3] = bytes[at + 3]!
  return scratch.getFloat32(0, true)
}

/** 2 ** 32 is 4294 times this, and 967296. */
const MILLION = 1e6

/** The 64-bit number at `at`, in decimal. By millions, which doubles hold exactly, since a `bigint` on the way costs twice as much. */
export const u64 = (bytes: Uint8Array, at: number): string => {
  const low = u32(bytes, at)
  const high = u32(bytes, at + 4)
  if (high === 0) return String(low)
  const rest = high * 967_296 + low
  return `${high * 4294 + Math.floor(rest / MILLION)}${String(rest % MILLION).padStart(6, "0")}`
}
