/**
 * The files of a page, which somebody else has read: the dashboard's, or the playground's. Nothing but these is ever served, so there is
 * no path to get out of.
 *
 * @module
 */
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import { HttpServerError, RouteNotFound } from "effect/http/HttpServerError"
import * as HttpServerResponse from "effect/http/HttpServerResponse"

/** A file of the page. */
export interface PageFile {
  readonly bytes: Uint8Array
  /** The same compressed, where it is stored so. */
  readonly gzip?: Uint8Array
  readonly contentType: string
  /** Its name holds a hash of its content. */
  readonly immutable: boolean
}

/** What a page may load and run: what is served beside it, and nothing that becomes code from a string. */
export const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'"
].join("; ")

/** The same with what only a header can say. */
export const POLICY_HEADER = `${CONTENT_SECURITY_POLICY}; frame-ancestors 'none'`

/** Whether who asks takes gzip. */
const TAKES_GZIP = /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i

/** Serves the files by their exact path, under that policy. */
export const pageRoutes = (files: ReadonlyMap<string, PageFile>) =>
  HttpRouter.add("GET", "/*", (request) => {
    const file = files.get(request.url.split("?", 1)[0]!)
    if (file === undefined) return Effect.fail(new HttpServerError({ reason: new RouteNotFound({ request }) }))
    const gzip = TAKES_GZIP.test(request.headers["accept-encoding"] ?? "") ? file.gzip : undefined
    const headers = {
      "content-security-policy": POLICY_HEADER,
      "cache-control": file.immutable ? "private, max-age=31536000, immutable" : "no-cache",
      vary: "accept-encoding",
      ...(gzip === undefined ? {} : { "content-encoding": "gzip" })
    }
    return Effect.succeed(HttpServerResponse.uint8Array(gzip ?? file.bytes, { contentType: file.contentType, headers }))
  })
