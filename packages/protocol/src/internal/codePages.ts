/**
 * The characters 80–FF of the two Windows code pages that game servers use, and a heuristic to choose between them. The tables are included
 * because `TextDecoder` supports windows-1251 only in runtimes with full ICU. If a code page does not define a byte, the table maps the
 * byte to the control character with this number. Therefore each byte can be restored from its character.
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

/** Characters of the bytes 80–FF in ISO 8859-1. The code point of each character is equal to its byte. */
export const LATIN_1 = /* @__PURE__ */ latin1From(0x80)

const isAsciiLetter = (byte: number): boolean => (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a

/** Whether a byte is one of the Cyrillic letters А–я in windows-1251. In windows-1252, such a byte is an accented Latin letter, × or ÷. */
const isHighLetter = (byte: number): boolean => byte >= 0xc0

/**
 * Whether a byte is Ё or ё in windows-1251. In windows-1252, such a byte is ¨ or ¸, with which players decorate their names. Therefore such
 * a byte alone does not show whether the text is windows-1251 or windows-1252.
 */
const isYo = (byte: number): boolean => byte === 0xa8 || byte === 0xb8

/**
 * The bytes of ª ¯ ² ³ ´ º ¿ in windows-1252. Latin texts contain these characters, for example `it´s` and `nº`. In windows-1251, these
 * bytes are the Ukrainian letters Є Ї І і ґ є ї.
 */
const MARKS: ReadonlySet<number> = /* @__PURE__ */ new Set([0xaa, 0xaf, 0xb2, 0xb3, 0xb4, 0xba, 0xbf])

const mayTouchLatin = (byte: number): boolean => isHighLetter(byte) || isYo(byte) || MARKS.has(byte)

/**
 * Whether `bytes[start, end)` is more likely windows-1251 than windows-1252.
 *
 * In windows-1251, the letters of a Cyrillic word are all bytes above 0x7F. In windows-1252, accented letters are next to ASCII letters.
 * Therefore the function counts pairs of neighbours: two high letters, or a high letter and Ё, indicate windows-1251. A byte of a high
 * letter, of Ё or of {@link MARKS} next to an ASCII letter indicates windows-1252. If there are as many pairs for windows-1251 as for
 * windows-1252 (for example, none), the text is windows-1252.
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
