/**
 * Converts bytes to lower-case hex text, and hex text to bytes. Messages contain bytes as hex text, so that `JSON.stringify` returns
 * readable JSON.
 */
import { demandBytes, demandText, demandWhole } from "./internal/edge.ts"

const digits = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"))

/** Returns the bytes from `start` to `end` (exclusive) as lower-case hex text. */
export const toHex = (bytes: Uint8Array, start = 0, end?: number): string => {
  demandBytes(bytes, "bytes")
  demandWhole(start, "start", 0, bytes.length)
  const last = end ?? bytes.length
  demandWhole(last, "end", start, bytes.length)
  let text = ""
  for (let i = start; i < last; i++) text += digits[bytes[i]!]
  return text
}

/**
 * Decodes hex text to bytes. The text may contain upper-case and lower-case digits. Returns `undefined` if the text has an odd length, or
 * contains a character that is not a hex digit.
 */
export const fromHex = (text: string): Uint8Array | undefined => {
  demandText(text, "text")
  if (text.length % 2 !== 0 || !/^[0-9a-fA-F]*$/.test(text)) return undefined
  const bytes = new Uint8Array(text.length / 2)
  for (let i = 0; i < bytes.length; i++) bytes[i] = Number.parseInt(text.slice(2 * i, 2 * i + 2), 16)
  return bytes
}
