/**
 * Decides which requests the bridge accepts. The bridge can send datagrams to any address, so only its own page may use it. A page of
 * another site in the same browser may not use it, nor a page whose name was directed at this host (DNS rebinding). The functions are pure.
 * They do not see paths: the routes decide which checks they require (`authorisation.ts`), so that no spelling of a path avoids a check.
 */
import { createHash, randomBytes, timingSafeEqual } from "node:crypto"

/** Headers of a request, by name in lower case. */
export type RequestHeaders = Readonly<Record<string, string | undefined>>

/** The names and the token of the bridge. */
export interface Guard {
  /** Each `host:port` by which browsers reach this bridge, in lower case. */
  readonly hosts: ReadonlySet<string>
  readonly token: string
}

export const makeToken = (): string => randomBytes(32).toString("base64url")

/** Whether a request was sent to a name of this bridge. All other requests are rejected, even for files of the page. */
export const isOwnHost = ({ host }: RequestHeaders, { hosts }: Guard): boolean =>
  host !== undefined && hosts.has(host.toLowerCase())

/** Why a request to the API is refused; `undefined` if the bridge's page sent it. The name of the bridge was checked before. */
export const refusal = (headers: RequestHeaders, { token }: Guard): string | undefined => {
  const { authorization, host, origin } = headers
  if (origin !== undefined && origin.toLowerCase() !== `http://${host?.toLowerCase()}`)
    return "Another origin may not use the bridge."
  // Browsers set this header, and pages cannot change it.
  const site = headers["sec-fetch-site"]
  if (site !== undefined && site !== "same-origin" && site !== "none") return "Another site may not use the bridge."
  const given = authorization?.startsWith("Bearer ") === true ? authorization.slice("Bearer ".length) : ""
  return isSame(given, token) ? undefined : "The token is missing or wrong. Open the URL that the bridge printed."
}

/** Whether the content type of the body is JSON. A page of another origin can send this only with permission (CORS). */
export const isJson = (headers: RequestHeaders): boolean =>
  headers["content-type"]?.split(";", 1)[0]!.trim().toLowerCase() === "application/json"

/** Compares two texts of any length in constant time. */
const isSame = (given: string, expected: string): boolean => timingSafeEqual(digest(given), digest(expected))

const digest = (text: string): Buffer => createHash("sha256").update(text).digest()
