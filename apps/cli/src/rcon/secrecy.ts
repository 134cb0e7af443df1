/**
 * Masks the RCON password in commands and replies before they are printed. Servers print the password in replies: GoldSource's `cvarlist`
 * shows it in clear text. A server that logs to its console shows each RCON command together with the password.
 *
 * Messages of Sourcewire are not masked. If the password were an ordinary word such as `server`, a mask in a known message would reveal the
 * password: `The ****** refused`. Replies are masked, although a mask in a reply can also reveal a password that is an ordinary word (see
 * the threat model).
 */
import * as Redacted from "effect/Redacted"

/** The text that replaces the password. Its length does not depend on the password. */
export const STARS = "******"

/** Matches a line that mentions a password, for example by the name of a variable: `rcon_password`, `sv_password` or `adminpassword`. */
const NAMES_A_PASSWORD = /password/i

const isWord = (character: string | undefined): boolean => character !== undefined && /[\p{L}\p{N}_]/u.test(character)

export type Secrecy = ReturnType<typeof makeSecrecy>

/**
 * Returns a function that masks a password, and a function that recognizes lines with passwords. The password is masked only if it is a
 * separate word. For example, if the password is `password`, the text `rcon_password` does not change.
 */
export const makeSecrecy = (password: Redacted.Redacted<string>) => {
  const secret = Redacted.value(password)
  // The digit of a colour code is not part of the word after the code. For example, `^1secret` contains the separate word `secret`.
  const follows = (at: number, text: string): boolean => isWord(text[at - 1]) && text[at - 2] !== "^"
  const standsAlone = (at: number, text: string): boolean =>
    !(isWord(secret[0]) && follows(at, text)) && !(isWord(secret.at(-1)) && isWord(text[at + secret.length]))
  const hide = (text: string): string =>
    secret === ""
      ? text
      : text.replaceAll(secret, (found: string, at: number) => (standsAlone(at, text) ? STARS : found))
  return {
    /**
     * Masks the password if it is a separate word of the text. The text must be a command or complete lines of a reply, because a part of a
     * reply can end in the middle of the password.
     */
    hide,
    /**
     * Whether a typed line must not be stored in the history. A line must not be stored if it contains the RCON password or the text
     * `password`. For example, `sv_password secret` must not be stored.
     */
    isSecret: (line: string): boolean => NAMES_A_PASSWORD.test(line) || (secret !== "" && line.includes(secret))
  }
}
