/**
 * Reads base64 in the standard alphabet or in the URL alphabet. If every line begins like a datagram, each line is a datagram. Otherwise
 * the whole text is one datagram.
 */
import { splitDatagrams, type Reading } from "./Reading.ts"

export const readBase64 = (text: string): Reading => {
  const lines = text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
  // If a text has fewer than 8 characters, it is probably a word, and not base64.
  if (lines.join("").length < 8) return undefined
  if (lines.some((line) => !/^[A-Za-z0-9+/_-]+={0,2}$/.test(line))) return undefined
  const parts = splitDatagrams(lines, fromBase64) ?? [lines.join("")]
  const pieces = parts.flatMap((part) => fromBase64(part) ?? [])
  return pieces.length === 0 ? undefined : { spelling: "base64", pieces }
}

/** Decodes base64 in the standard alphabet or in the URL alphabet, with or without padding; `undefined` if the text is invalid. */
export const fromBase64 = (text: string): Uint8Array | undefined => {
  const standard = text.replaceAll("-", "+").replaceAll("_", "/").replace(/=+$/, "")
  if (standard.length % 4 === 1) return undefined
  try {
    return Uint8Array.from(atob(standard), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}
