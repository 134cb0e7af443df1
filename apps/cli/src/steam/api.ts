/**
 * Sends requests to Steam's Web API. The key is sent in a header, so that no URL and no error message contains the key. If the connection
 * fails, or if Steam returns a temporary error (status 429 or 5xx), the request is sent again, at most twice. The program waits half a
 * second before the first retry, and one second before the second retry. If Steam specifies a longer time, but at most 5 seconds, the
 * program waits for this time.
 */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { UsageError } from "../exitCode.ts"
import { readSecretFile } from "../files/secretFile.ts"
import { explainSystemError } from "../systemError.ts"

export const KEY_VARIABLE = "STEAM_API_KEY"
/** The environment variable with a URL that replaces the URL of Steam's Web API, for proxies and tests. */
const API_VARIABLE = "SOURCEWIRE_STEAM_API"
const API = "https://api.steampowered.com"

const MAX_BYTES = 8 * 1024 * 1024
const TRIES = 3
const FIRST_WAIT_MS = 500
/**
 * Maximum time before a retry, in ms. The maximum is short, because a user waits at the terminal. If Steam specifies a time that is longer
 * than this maximum, the request is not sent again, and fails.
 */
const LONGEST_WAIT_MS = 5000

/** Steam's Web API could not be reached, or it returned an error. */
export class SteamFailed extends Data.TaggedError("SteamFailed")<{
  readonly message: string
  /** The HTTP status of the response. Absent if no response arrived, or if the response was too large. */
  readonly status?: number
}> {}

/** Returns the key from the file, or, if `file` is `undefined`, from the environment. If the user gave no key, returns `undefined`. */
export const steamKey = Effect.fnUntraced(function* (file: string | undefined) {
  const given = file === undefined ? undefined : yield* readSecretFile(file, "key")
  const text = given === undefined ? (process.env[KEY_VARIABLE] ?? "") : Redacted.value(given)
  if (text === "") return undefined
  if (/^[\w-]{8,128}$/.test(text)) return Redacted.make(text)
  return yield* new UsageError(
    `${file ?? KEY_VARIABLE} does not contain a key of Steam's Web API. A key consists of letters and digits, usually 32.`
  )
})

const parseRetryAfter = (after: string | null): number =>
  after !== null && /^\d{1,6}$/.test(after) ? Number(after) * 1000 : 0

const explainStatus = (status: number, hasKey: boolean): string => {
  if (status === 401 || status === 403) {
    return hasKey
      ? `Steam refused the key (status ${status}). Check the key.`
      : `Steam refused the request (status ${status}).`
  }
  if (status === 429) {
    return `Steam limits requests (status 429): wait a few minutes${hasKey ? ", or use another key" : ""}.`
  }
  return `Steam's Web API returned status ${status}.`
}

interface Attempt {
  readonly status: number
  readonly waitMs: number
  readonly body: string
}

const readBody = async (response: Response): Promise<string> => {
  const pieces: Array<Uint8Array> = []
  let bytes = 0
  for await (const piece of response.body ?? []) {
    bytes += piece.length
    if (bytes > MAX_BYTES) {
      throw new SteamFailed({ message: `Steam's Web API returned a response of more than ${MAX_BYTES} bytes.` })
    }
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString("utf8")
}

const attempt = (url: URL, key: Redacted.Redacted<string> | undefined, timeoutMs: number) =>
  Effect.tryPromise({
    try: async (signal): Promise<Attempt> => {
      const response = await fetch(url, {
        // Redirects are not followed, because a redirected request would send the key to another host.
        redirect: "manual",
        headers: key === undefined ? {} : { "x-webapi-key": Redacted.value(key) },
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
      })
      const { headers, status } = response
      return { status, waitMs: parseRetryAfter(headers.get("retry-after")), body: await readBody(response) }
    },
    catch: (cause) => {
      if (cause instanceof SteamFailed) return cause
      const error = ((cause as Error).cause ?? cause) as NodeJS.ErrnoException
      const why = error.name === "TimeoutError" ? `no response within ${timeoutMs} ms` : explainSystemError(error)
      return new SteamFailed({ message: `Steam's Web API at ${url.host} cannot be reached: ${why}.` })
    }
  })

/** Calls a method of Steam's Web API. Returns the value of the field `response` in the body of the HTTP response. */
export const requestSteam = Effect.fnUntraced(function* (
  path: string,
  parameters: Readonly<Record<string, string>>,
  timeoutMs: number,
  key?: Redacted.Redacted<string>
) {
  const url = new URL(`${path}?${new URLSearchParams(parameters).toString()}`, process.env[API_VARIABLE] ?? API)
  for (let tries = 1; ; tries++) {
    const result = yield* Effect.result(attempt(url, key, timeoutMs))
    const isPassing = Result.isFailure(result) || result.success.status === 429 || result.success.status >= 500
    const waitMs = Math.max(FIRST_WAIT_MS * 2 ** (tries - 1), Result.isSuccess(result) ? result.success.waitMs : 0)
    if (isPassing && tries < TRIES && waitMs <= LONGEST_WAIT_MS) {
      yield* Effect.sleep(waitMs)
      continue
    }
    const { body, status } = yield* Effect.fromResult(result)
    if (status !== 200) return yield* new SteamFailed({ message: explainStatus(status, key !== undefined), status })
    const answer = Result.try((): unknown => JSON.parse(body))
    const response = Result.isSuccess(answer) ? (answer.success as { response?: unknown } | null)?.response : undefined
    if (typeof response === "object" && response !== null) return response as Readonly<Record<string, unknown>>
    return yield* new SteamFailed({ message: "Steam's Web API returned a response that is not JSON.", status })
  }
})
