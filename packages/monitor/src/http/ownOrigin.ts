/**
 * Tells requests of the monitor's own page, and of programs, from those of other pages that are open in the same browser. A page of another
 * origin can send no JSON without the permission of the monitor, which grants it to nobody.
 */
import { problem } from "@sourcewire/ui/problem"

const isOwnOrigin = (host: string | undefined, origin: string): boolean =>
  URL.canParse(origin) && new URL(origin).host === host

/** Why a request that may change something is refused; `undefined` if it is not. */
export const refusalOf = (method: string, headers: Readonly<Record<string, string | undefined>>) => {
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
