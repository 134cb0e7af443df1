/** Base64, in the usual and in the URL alphabet; one datagram a line when each line ends one, else one in all. */
import { datagramsIn, type Reading } from "./Reading.ts"

export const readBase64 = (text: string): Reading => {
  const lines = text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
  // A short word is more likely a word.
  if (lines.join("").length < 8) return undefined
  if (lines.some((line) => !/^[A-Za-z0-9+/_-]+={0,2}$/.test(line))) return undefined
  const parts = datagramsIn(lines, fromBase64) ?? [lines.join("")]
  const pieces = parts.flatMap((part) => fromBase64(part) ?? [])
  return pieces.length === 0 ? undefined : { spelling: "base64", pieces }
}

/** Bytes of a base64 text of either alphabet, padded or not; `undefined` when it is none. */
export const fromBase64 = (text: string): Uint8Array | undefined => {
  const standard = text.replaceAll("-", "+").replaceAll("_", "/").replace(/=+$/, "")
  if (standard.length % 4 === 1) return undefined
  try {
    return Uint8Array.from(atob(standard), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}
