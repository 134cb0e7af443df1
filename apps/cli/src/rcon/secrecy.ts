/**
 * Keeps the RCON password out of what the program prints of commands and replies. Servers know it too: GoldSource's `cvarlist` shows
 * it in clear. Sentences of ours need none of this, and would tell it: who reads `The ****** refused` knows the word.
 */
import * as Redacted from "effect/Redacted"

/** What stands in the password's place, however long it is. */
export const STARS = "******"

/** Lines that name a password, as `rcon_password`, `sv_password`, `adminpassword`. */
const NAMES_A_PASSWORD = /password/i

const isWord = (character: string | undefined): boolean => character !== undefined && /[\p{L}\p{N}_]/u.test(character)

export type Secrecy = ReturnType<typeof secrecyOf>

/** Replaces one password in texts, where it stands by itself: `rcon_password` does not hold the password `password`. */
export const secrecyOf = (password: Redacted.Redacted<string>) => {
  const secret = Redacted.value(password)
  const standsAlone = (at: number, text: string): boolean =>
    !(isWord(secret[0]) && isWord(text[at - 1])) && !(isWord(secret.at(-1)) && isWord(text[at + secret.length]))
  const hide = (text: string): string =>
    secret === ""
      ? text
      : text.replaceAll(secret, (found: string, at: number) => (standsAlone(at, text) ? STARS : found))
  return {
    /** Every occurrence: for commands. */
    hide,
    /** In lines that name a password: for replies, which are else the server's to the letter, since a password may be any word. */
    hideInLine: (line: string): string => (NAMES_A_PASSWORD.test(line) ? hide(line) : line),
    /** Whether a line typed must not be remembered: it holds the password, or seems to set one. */
    isSecret: (line: string): boolean => NAMES_A_PASSWORD.test(line) || (secret !== "" && line.includes(secret))
  }
}
