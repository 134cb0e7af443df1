/**
 * The upper halves of the two Windows code pages that game servers use, and the guess between them. Own tables, because
 * `TextDecoder` knows windows-1251 only where the runtime carries full ICU. Positions the code pages leave undefined hold
 * the control character of the same number, so that every byte has a character and every text its bytes.
 *
 * @module
 */

const latin1From = (first: number): string =>
  String.fromCharCode(...Array.from({ length: 0x100 - first }, (_, i) => first + i))

/** Characters of the bytes 80–FF in windows-1252. */
export const WINDOWS_1252 =
  "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ" + /* @__PURE__ */ latin1From(0xa0)

/** Characters of the bytes 80–FF in windows-1251. */
export const WINDOWS_1251 =
  "ЂЃ‚ѓ„…†‡€‰Љ‹ЊЌЋЏђ‘’“”•–—\u0098™љ›њќћџ" +
  "\u00a0ЎўЈ¤Ґ¦§Ё©Є«¬\u00ad®Ї°±Ііґµ¶·ё№є»јЅѕї" +
  "АБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯабвгдежзийклмнопрстуфхцчшщъыьэюя"

/** Characters of the bytes 80–FF in ISO 8859-1: those of the same numbers. */
export const LATIN_1 = /* @__PURE__ */ latin1From(0x80)

const isAsciiLetter = (byte: number): boolean => (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a

/** A letter in both code pages: Cyrillic А–я in one, accented Latin in the other. */
const isHighLetter = (byte: number): boolean => byte >= 0xc0

/** Ё and ё; in windows-1252 the marks ¨ and ¸, which decorate names, so alone they say nothing. */
const isYo = (byte: number): boolean => byte === 0xa8 || byte === 0xb8

/** ª ¯ ² ³ ´ º ¿ of windows-1252, as in `it´s` or `nº`; rarer letters (Є Ї І і ґ є ї) in windows-1251. */
const MARKS: ReadonlySet<number> = /* @__PURE__ */ new Set([0xaa, 0xaf, 0xb2, 0xb3, 0xb4, 0xba, 0xbf])

const mayTouchLatin = (byte: number): boolean => isHighLetter(byte) || isYo(byte) || MARKS.has(byte)

/**
 * Whether `bytes[start, end)` reads more like windows-1251 than like windows-1252.
 *
 * Cyrillic words are unbroken runs of high letters; accented Latin letters stand between ASCII ones. So each pair of
 * neighbours votes: two high letters, or one and Ё, for windows-1251; a high letter or mark beside an ASCII letter for
 * windows-1252. A tie, and so a text without any such pair, is windows-1252.
 */
export const looksCyrillic = (bytes: Uint8Array, start: number, end: number): boolean => {
  let votes = 0
  for (let i = start + 1; i < end; i++) {
    const a = bytes[i - 1]!
    const b = bytes[i]!
    if ((isHighLetter(a) && (isHighLetter(b) || isYo(b))) || (isYo(a) && isHighLetter(b))) votes++
    else if ((isAsciiLetter(a) && mayTouchLatin(b)) || (mayTouchLatin(a) && isAsciiLetter(b))) votes--
  }
  return votes > 0
}
