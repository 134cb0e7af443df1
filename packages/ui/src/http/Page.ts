/**
 * Serves the files of a page from memory. The page is the dashboard or the playground. No other files are served, so clients cannot read
 * other files of the host.
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
  /** The compressed bytes, if the file is stored in gzip format. */
  readonly gzip?: Uint8Array
  readonly contentType: string
  /** Whether the file's name contains a hash of its content. */
  readonly immutable: boolean
}

/**
 * The Content Security Policy of the page. The page may load and run only files of the server that serves the page. The scripts of the page
 * cannot run code from strings.
 */
export const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'"
].join("; ")

/**
 * The policy as an HTTP header. {@link CONTENT_SECURITY_POLICY} is also used in a `<meta>` element, in which browsers ignore the directive
 * `frame-ancestors`. Therefore only the header contains this directive.
 */
export const POLICY_HEADER = `${CONTENT_SECURITY_POLICY}; frame-ancestors 'none'`

/** Matches an `Accept-Encoding` header that accepts gzip. */
const TAKES_GZIP = /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i

/** Serves each file at its exact path, and adds the header {@link POLICY_HEADER} to the responses. */
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
