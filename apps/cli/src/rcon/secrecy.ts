/**
 * Masks the RCON password in commands and replies before they are printed. Servers print the password: GoldSource's `cvarlist` shows it in
 * clear text, and a server that logs to its console shows each RCON command together with the password. Messages of Sourcewire are not
 * masked, because `The ****** refused` would reveal a password that is an ordinary word. A reply can reveal such a word in the same way
 * (see the threat model).
 */
import * as Redacted from "effect/Redacted"

/** The replacement of the password, regardless of its length. */
export const STARS = "******"

/** Lines that mention a password, for example `rcon_password`, `sv_password`, `adminpassword`. */
const NAMES_A_PASSWORD = /password/i

const isWord = (character: string | undefined): boolean => character !== undefined && /[\p{L}\p{N}_]/u.test(character)

export type Secrecy = ReturnType<typeof makeSecrecy>

/** Masks a password in texts if it is a separate word: `rcon_password` does not contain the password `password`. */
export const makeSecrecy = (password: Redacted.Redacted<string>) => {
  const secret = Redacted.value(password)
  // The digit of a colour code, for example in `^1secret`, is not part of a word.
  const follows = (at: number, text: string): boolean => isWord(text[at - 1]) && text[at - 2] !== "^"
  const standsAlone = (at: number, text: string): boolean =>
    !(isWord(secret[0]) && follows(at, text)) && !(isWord(secret.at(-1)) && isWord(text[at + secret.length]))
  const hide = (text: string): string =>
    secret === ""
      ? text
      : text.replaceAll(secret, (found: string, at: number) => (standsAlone(at, text) ? STARS : found))
  return {
    /** Masks every occurrence in a command, or in complete lines of a reply. */
    hide,
    /** Whether a typed line must not be stored: it contains the password, or seems to set a password. */
    isSecret: (line: string): boolean => NAMES_A_PASSWORD.test(line) || (secret !== "" && line.includes(secret))
  }
}
