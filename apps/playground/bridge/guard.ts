/**
 * Who may speak to the bridge. It can send datagrams anywhere, so no page but its own may reach it: not one of another site that the
 * same browser shows, and not one whose name was pointed at this machine (DNS rebinding). Pure; the server asks it before anything else.
 *
 * @module
 */
import { createHash, randomBytes, timingSafeEqual } from "node:crypto"

/** What is looked at of a request. */
export interface Asked {
  /** Path without the query. */
  readonly path: string
  readonly host: string | undefined
  readonly origin: string | undefined
  /** `Sec-Fetch-Site`, which browsers set and pages cannot. */
  readonly site: string | undefined
  readonly authorization: string | undefined
}

/** Whom the bridge listens to. */
export interface Guard {
  /** `host:port` as browsers name this bridge, in lower case. */
  readonly hosts: ReadonlySet<string>
  readonly token: string
}

/** A token that nobody guesses. */
export const makeToken = (): string => randomBytes(32).toString("base64url")

/** Why a request is refused; `undefined` when it is not. The page's own files need no token: they hold nothing secret. */
export const refusal = (asked: Asked, { hosts, token }: Guard): string | undefined => {
  const host = asked.host?.toLowerCase()
  if (host === undefined || !hosts.has(host)) return "This address is not one of the bridge's own."
  if (asked.path !== "/api" && !asked.path.startsWith("/api/")) return undefined
  if (asked.origin !== undefined && asked.origin.toLowerCase() !== `http://${host}`)
    return "Another origin may not use the bridge."
  if (asked.site !== undefined && asked.site !== "same-origin" && asked.site !== "none") {
    return "Another site may not use the bridge."
  }
  const given = asked.authorization?.startsWith("Bearer ") === true ? asked.authorization.slice("Bearer ".length) : ""
  return isSame(given, token) ? undefined : "The token is missing or wrong: open the address that the bridge printed."
}

/** Compares in constant time, whatever the lengths. */
const isSame = (given: string, expected: string): boolean => timingSafeEqual(digest(given), digest(expected))

const digest = (text: string): Buffer => createHash("sha256").update(text).digest()
