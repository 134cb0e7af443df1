/**
 * Rejects requests of pages from other origins in the user's browser. Requests of the monitor's own page and of programs are accepted. A
 * page from another origin needs the monitor's permission to send JSON, and the monitor never grants this permission.
 */
import { problem } from "@sourcewire/ui/problem"

const isOwnOrigin = (host: string | undefined, origin: string): boolean =>
  URL.canParse(origin) && new URL(origin).host === host

/** Why a request with side effects is refused; `undefined` if it is accepted. */
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
