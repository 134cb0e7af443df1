/**
 * Rejects requests that pages of other origins send from the user's browser. Requests from the monitor's own page and from programs are
 * accepted. To send JSON or a DELETE request, a page of another origin needs the monitor's permission (CORS). The monitor never grants this
 * permission.
 */
import { problem } from "@sourcewire/ui/problem"

const isOwnOrigin = (host: string | undefined, origin: string): boolean =>
  URL.canParse(origin) && new URL(origin).host === host

/**
 * Returns an error response if a request must be rejected. Returns `undefined` if the request is accepted. GET and HEAD requests are always
 * accepted, because they have no side effects.
 */
export const findRefusal = (method: string, headers: Readonly<Record<string, string | undefined>>) => {
  if (method === "GET" || method === "HEAD") return undefined
  const { host, origin } = headers
  if (origin !== undefined && !isOwnOrigin(host, origin)) {
    return problem(
      403,
      "Forbidden",
      "A page of another origin cannot change anything. Use the monitor's own page, or a program."
    )
  }
  const isJson = /^application\/json\b/i.test(headers["content-type"] ?? "")
  if (method === "DELETE" || isJson) return undefined
  return problem(
    415,
    "UnsupportedMediaType",
    "The body of a request must be JSON, with content-type: application/json."
  )
}
