/** Answers as gzip, for those who take it: a page of the list is a tenth of its size. */
import * as Effect from "effect/Effect"
import * as HttpBody from "effect/http/HttpBody"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { promisify } from "node:util"
import { constants, gzip } from "node:zlib"

const compress = promisify(gzip)

/** Below this size the headers are most of it. */
const LEAST_BYTES = 1024

/** What is made anew for each reader is compressed in no time rather than well. */
const QUICKLY = { level: constants.Z_BEST_SPEED }

/** Whether a request's headers, by name in lower case, say that gzip is taken. */
export const takesGzip = (headers: Readonly<Record<string, string | undefined>>): boolean =>
  /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(headers["accept-encoding"] ?? "")

/** The headers of an answer whose bytes are gzip. */
export const GZIP_HEADERS = { "content-encoding": "gzip", vary: "accept-encoding" }

/** The same answer, compressed where that helps. */
export const compressed = Effect.fnUntraced(function* (response: HttpServerResponse.HttpServerResponse) {
  const { body } = response
  if (body._tag !== "Uint8Array" || body.contentLength < LEAST_BYTES) return response
  const bytes = yield* Effect.promise(() => compress(body.body, QUICKLY))
  const smaller = HttpServerResponse.setBody(response, HttpBody.uint8Array(bytes, body.contentType))
  return HttpServerResponse.setHeaders(smaller, GZIP_HEADERS)
})
