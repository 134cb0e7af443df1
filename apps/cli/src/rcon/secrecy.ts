/**
 * Keeps the RCON password out of what the program prints. Servers know it too: GoldSource's `cvarlist` shows it in clear.
 *
 * @module
 */
import * as Redacted from "effect/Redacted"

/** What stands in the password's place, however long it is. */
export const STARS = "******"

/** Lines that name a password, as `rcon_password`, `sv_password`, `adminpassword`. */
const NAMES_A_PASSWORD = /password/i

/** Replaces one password in texts. */
export interface Secrecy {
  /** Every occurrence: for errors, traces and everything else that is the program's own. */
  readonly hide: (text: string) => string
  /**
   * Occurrences in lines that name a password: for replies, which are otherwise the server's to the letter, since a password may
   * be a word that means something else elsewhere.
   */
  readonly hideInLine: (line: string) => string
  /** Whether a line typed must not be remembered: it holds the password, or seems to set one. */
  readonly isSecret: (line: string) => boolean
}

/** The secrecy of one password. */
export const secrecyOf = (password: Redacted.Redacted<string>): Secrecy => {
  const secret = Redacted.value(password)
  const hide = (text: string): string => (secret === "" ? text : text.replaceAll(secret, STARS))
  return {
    hide,
    hideInLine: (line) => (NAMES_A_PASSWORD.test(line) ? hide(line) : line),
    isSecret: (line) => NAMES_A_PASSWORD.test(line) || (secret !== "" && line.includes(secret))
  }
}

/** An error whose texts went through {@link Secrecy.hide}: a server may say in one what was said to it. */
export const hideInFields = (fields: Readonly<Record<string, unknown>>, { hide }: Secrecy): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      typeof value === "string" && name !== "_tag" ? hide(value) : value
    ])
  )
