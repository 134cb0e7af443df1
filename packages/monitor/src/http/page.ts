/**
 * The dashboard's files, which somebody else has read. Nothing but these is ever served, so there is no path to get out of.
 *
 * @module
 */
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
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

/** The files by their path on the server. */
export const pageRoutes = (files: ReadonlyMap<string, PageFile>) =>
  HttpRouter.use((router) =>
    Effect.forEach(files, ([path, { bytes, contentType, gzip, immutable }]) => {
      const headers = {
        "content-security-policy": POLICY,
        "cache-control": immutable ? "private, max-age=31536000, immutable" : "no-cache"
      }
      const plain = HttpServerResponse.uint8Array(bytes, { contentType, headers })
      const small =
        gzip === undefined
          ? plain
          : HttpServerResponse.uint8Array(gzip, { contentType, headers: { ...headers, ...GZIP_HEADERS } })
      return router.add(
        "GET",
        path as `/${string}`,
        Effect.map(HttpServerRequest.HttpServerRequest, ({ headers }) => (takesGzip(headers) ? small : plain))
      )
    })
  )
