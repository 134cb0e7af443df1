/** A list behind a URL. What has not changed is not sent again, where the server knows how. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { type Outcome, request } from "../outbound/request.ts"
import type { Reading } from "./FoundList.ts"
import { readList } from "./readList.ts"
import type { Source } from "./Source.ts"

const MAX_BYTES = 16 * 1024 * 1024

/** Why an answer is none that was wanted; nothing of it but its status is shown. */
export const failureOf = (outcome: Outcome): Reading & { readonly _tag: "Failed" } => {
  if (outcome._tag === "Unreached") return { _tag: "Failed", message: outcome.message }
  const { retryAfterMs, status } = outcome
  const message = `status ${status}${status >= 300 && status < 400 ? ": redirections are not followed" : ""}`
  return { _tag: "Failed", message, retryAfterMs }
}

const textOf = (header: string | Array<string> | undefined): string | undefined =>
  typeof header === "string" ? header : undefined

/** Gives what is behind a URL. */
export const urlReader = ({ allowLocal, where }: Source): Effect.Effect<Reading> => {
  let known: Record<string, string> = {}
  return Effect.gen(function* () {
    const outcome = yield* request({ url: where, headers: known, allowLocal, maxBytes: MAX_BYTES })
    if (outcome._tag === "Unreached") return failureOf(outcome)
    const { body, headers, status } = outcome
    if (status === 304 && Object.keys(known).length > 0) return { _tag: "Unchanged" }
    if (status !== 200) return failureOf(outcome)
    const list = readList(body, allowLocal)
    if (Result.isFailure(list)) return { _tag: "Failed", message: list.failure }
    const etag = textOf(headers["etag"])
    const date = textOf(headers["last-modified"])
    known = {
      ...(etag === undefined ? {} : { "if-none-match": etag }),
      ...(date === undefined ? {} : { "if-modified-since": date })
    }
    return { _tag: "Listed", ...list.success }
  })
}
