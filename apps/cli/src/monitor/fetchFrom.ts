/** Sends requests to a running monitor. */
import * as Effect from "effect/Effect"
import { ProgramError, UsageError } from "../exitCode.ts"
import { explainSystemError } from "../systemError.ts"

const DEFAULT_URL = "http://127.0.0.1:9155"

/** Returns the reason why a request failed. The runtime adds a general message, such as `fetch failed`, which is omitted here. */
const explainFailure = (cause: unknown): string => {
  const { cause: inner, message } = cause as Error
  return inner instanceof Error && inner.message !== "" ? explainSystemError(inner) : message
}

/** The URL of a monitor, and the token for its API. */
export interface Monitor {
  /** The URLs from the command line. At most one is allowed. */
  readonly url: ReadonlyArray<string>
  readonly token: string | undefined
}

/** Sends a GET request to a monitor. Fails if the response headers do not arrive within `timeoutMs`. */
export const fetchFrom = Effect.fnUntraced(function* ({ token, url }: Monitor, path: string, timeoutMs: number) {
  if (url.length > 1)
    return yield* new UsageError("Several URLs given. Every instance reports all servers: use one URL.")
  const base = (url[0] ?? DEFAULT_URL).replace(/\/+$/, "")
  if (!/^https?:/.test(base) || !URL.canParse(base)) {
    return yield* new UsageError(`"${base}" is not the URL of a monitor. Write it as in ${DEFAULT_URL}.`)
  }
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const stop = new AbortController()
  const timer = setTimeout(() => stop.abort(new Error(`no response within ${timeoutMs / 1000} s`)), timeoutMs)
  const response = yield* Effect.tryPromise({
    try: () => fetch(base + path, { headers, signal: stop.signal }).finally(() => clearTimeout(timer)),
    catch: (cause) =>
      new ProgramError(
        `Cannot reach the monitor at ${base}: ${explainFailure(cause)}. Start it, or give the URL of a running monitor.`
      )
  })
  if (response.status === 401) {
    return yield* new ProgramError(`The monitor at ${base} requires a token. Use --token-file FILE.`)
  }
  return response
})

/** Maximum size of a response, in bytes. The largest possible report is smaller. */
const MAX_BODY_BYTES = 256 * 1024 * 1024

const readAtMost = async ({ body }: Response, maxBytes: number): Promise<string> => {
  const pieces: Array<Uint8Array> = []
  let size = 0
  // If the response is too large, the error below ends the loop, and the runtime closes the connection.
  for await (const piece of body ?? []) {
    size += piece.length
    if (size > maxBytes) throw new Error(`the response is larger than ${maxBytes / 1024 / 1024} MiB`)
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString("utf8")
}

/** Reads a response of at most `maxBytes` as text. Error messages call the content of the response `what`. */
export const readText = (response: Response, what: string, maxBytes: number) =>
  Effect.tryPromise({
    try: () => readAtMost(response, maxBytes),
    catch: (cause) => new ProgramError(`Cannot read ${what}: ${explainFailure(cause)}.`)
  })

/** Reads a response as text. Fails if the HTTP status is not a success. Error messages call the content of the response `what`. */
export const readBody = Effect.fnUntraced(function* (response: Response, what: string, maxBytes = MAX_BODY_BYTES) {
  const body = yield* readText(response, what, maxBytes)
  if (response.ok) return body
  return yield* new ProgramError(
    `The monitor rejected the request for ${what} (status ${response.status}): ${reasonIn(body)}`
  )
})

/** Returns the message in an error response of a monitor. If the response has no message, the result is a hint to check the URL. */
export const reasonIn = (body: string): string => {
  try {
    const { message } = JSON.parse(body) as { readonly message?: unknown }
    if (typeof message === "string") return message
  } catch {
    // The body is not an error response of a monitor.
  }
  return "no reason given. Check that the URL is that of a monitor of this version"
}
