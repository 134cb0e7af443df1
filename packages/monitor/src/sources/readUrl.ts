/** Reads a list from a URL. The requests are conditional, so that the server does not send an unchanged list again. */
import * as Effect from "effect/Effect"
import { request } from "../outbound/request.ts"
import type { Reading } from "./FoundList.ts"
import { readList } from "./readList.ts"
import type { Source } from "./Source.ts"

const MAX_BYTES = 16 * 1024 * 1024

export const urlReader = ({ allowLocal, where }: Source): Effect.Effect<Reading> => {
  let known: Record<string, string> = {}
  return Effect.gen(function* () {
    const outcome = yield* request({ url: where, headers: known, allowLocal, maxBytes: MAX_BYTES })
    const { body, headers, message, retryAfterMs, status } = outcome
    if (status === 304 && Object.keys(known).length > 0) return { _tag: "Unchanged" }
    if (status !== 200) return { _tag: "Failed", message, retryAfterMs }
    const reading = yield* readList(body, allowLocal)
    if (reading._tag === "Failed") return reading
    const { etag, "last-modified": date } = headers
    known = {
      ...(etag === undefined ? {} : { "if-none-match": etag }),
      ...(date === undefined ? {} : { "if-modified-since": date })
    }
    return reading
  })
}
