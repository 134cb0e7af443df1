/**
 * Keeps the RCON password out of the commands and replies that the program prints. Servers print it too: GoldSource's `cvarlist` shows
 * it in clear, and a server that logs to its console shows each RCON command with it. Our own sentences are not masked: `The ******
 * refused` would reveal a password that is an ordinary word. A reply can reveal such a word in the same way; the threat model says so.
 */
import * as Redacted from "effect/Redacted"

/** What stands in the password's place, however long it is. */
export const STARS = "******"

/** Lines that name a password, as `rcon_password`, `sv_password`, `adminpassword`. */
const NAMES_A_PASSWORD = /password/i

const isWord = (character: string | undefined): boolean => character !== undefined && /[\p{L}\p{N}_]/u.test(character)

export type Secrecy = ReturnType<typeof makeSecrecy>

/** Replaces one password in texts, where it stands by itself: `rcon_password` does not hold the password `password`. */
export const makeSecrecy = (password: Redacted.Redacted<string>) => {
  const secret = Redacted.value(password)
  // The digit of a colour code, as in `^1secret`, is no part of a word.
  const follows = (at: number, text: string): boolean => isWord(text[at - 1]) && text[at - 2] !== "^"
  const standsAlone = (at: number, text: string): boolean =>
    !(isWord(secret[0]) && follows(at, text)) && !(isWord(secret.at(-1)) && isWord(text[at + secret.length]))
  const hide = (text: string): string =>
    secret === ""
      ? text
      : text.replaceAll(secret, (found: string, at: number) => (standsAlone(at, text) ? STARS : found))
  return {
    /** Every occurrence, in a command or in whole lines of a reply. */
    hide,
    /** Whether a line typed must not be remembered: it holds the password, or seems to set one. */
    isSecret: (line: string): boolean => NAMES_A_PASSWORD.test(line) || (secret !== "" && line.includes(secret))
  }
}
