/**
 * Who may speak to the bridge. It can send datagrams anywhere, so no page but its own may reach it: not one of another site that the
 * same browser shows, and not one whose name was pointed at this machine (DNS rebinding). Pure, and blind to paths: which requests need
 * what is decided where routes are (`authorisation.ts`), so that no spelling of a path gets round it.
 */
import { createHash, randomBytes, timingSafeEqual } from "node:crypto"

/** Headers of a request, by name in lower case. */
export type RequestHeaders = Readonly<Record<string, string | undefined>>

/** Whom the bridge listens to. */
export interface Guard {
  /** `host:port` as browsers name this bridge, in lower case. */
  readonly hosts: ReadonlySet<string>
  readonly token: string
}

export const makeToken = (): string => randomBytes(32).toString("base64url")

/** Whether a request was sent to a name of this bridge. Without that it gets nothing, the page's own files included. */
export const isOwnHost = ({ host }: RequestHeaders, { hosts }: Guard): boolean =>
  host !== undefined && hosts.has(host.toLowerCase())

/** Why a request to the API, sent to a name of this bridge, is refused; `undefined` when the page itself sent it. */
export const refusal = (headers: RequestHeaders, { token }: Guard): string | undefined => {
  const { authorization, host, origin } = headers
  if (origin !== undefined && origin.toLowerCase() !== `http://${host?.toLowerCase()}`)
    return "Another origin may not use the bridge."
  // Browsers set it and pages cannot.
  const site = headers["sec-fetch-site"]
  if (site !== undefined && site !== "same-origin" && site !== "none") return "Another site may not use the bridge."
  const given = authorization?.startsWith("Bearer ") === true ? authorization.slice("Bearer ".length) : ""
  return isSame(given, token) ? undefined : "The token is missing or wrong: open the address that the bridge printed."
}

/** Whether a body is announced as JSON, which no page of another origin can do without being asked about first (CORS). */
export const isJson = (headers: RequestHeaders): boolean =>
  headers["content-type"]?.split(";", 1)[0]!.trim().toLowerCase() === "application/json"

/** Compares in constant time, whatever the lengths. */
const isSame = (given: string, expected: string): boolean => timingSafeEqual(digest(given), digest(expected))

const digest = (text: string): Buffer => createHash("sha256").update(text).digest()
