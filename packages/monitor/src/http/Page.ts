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
import { GZIP_HEADERS, takesGzip } from "./compression.ts"

/** A file of the page. */
export interface PageFile {
  readonly bytes: Uint8Array
  /** The same compressed, where it is stored so. */
  readonly gzip?: Uint8Array
  readonly contentType: string
  /** Its name holds a hash of its content. */
  readonly immutable: boolean
}

/** The page may load and ask for what this monitor has, and nothing becomes code from a string. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'"
].join("; ")

/** Serves the files by their exact path, under a Content-Security-Policy. */
export const pageRoutes = (files: ReadonlyMap<string, PageFile>, policy = POLICY) =>
  HttpRouter.add("GET", "/*", (request) => {
    const file = files.get(request.url.split("?", 1)[0]!)
    if (file === undefined) return Effect.fail(new HttpServerError({ reason: new RouteNotFound({ request }) }))
    const gzip = takesGzip(request.headers) ? file.gzip : undefined
    const headers = {
      "content-security-policy": policy,
      "cache-control": file.immutable ? "private, max-age=31536000, immutable" : "no-cache",
      vary: "accept-encoding",
      ...(gzip === undefined ? {} : GZIP_HEADERS)
    }
    return Effect.succeed(HttpServerResponse.uint8Array(gzip ?? file.bytes, { contentType: file.contentType, headers }))
  })
