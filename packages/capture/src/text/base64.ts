/** Base64, in the usual and in the URL alphabet; one datagram a line when each line ends one, else one in all. */
import { hasProtocolHead, type Reading } from "./Reading.ts"

export const readBase64 = (text: string): Reading => {
  const lines = text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
  // A short word is more likely a word.
  if (lines.join("").length < 8) return undefined
  if (lines.some((line) => !/^[A-Za-z0-9+/_-]+={0,2}$/.test(line))) return undefined
  const each = lines.map(fromBase64)
  if (each.length > 1 && each.every((bytes) => bytes !== undefined && hasProtocolHead(bytes))) {
    return { spelling: "base64", pieces: each as Array<Uint8Array> }
  }
  const whole = fromBase64(lines.join(""))
  return whole === undefined ? undefined : { spelling: "base64", pieces: [whole] }
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
