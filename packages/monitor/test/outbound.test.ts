/** Tests requests over TLS. The tests trust the certificate of the server, but the system does not trust this certificate. */
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { once } from "node:events"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { createServer } from "node:https"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as tls from "node:tls"
import { describe } from "vitest"
import { request } from "../src/outbound/request.ts"
import { canCertify, certify } from "./certificates.ts"

/**
 * Starts an HTTPS server with a new certificate for `localhost`. Each response contains the requested path, the requested host, and the
 * server name from the TLS handshake.
 */
const serve = Effect.acquireRelease(
  Effect.promise(async () => {
    const directory = mkdtempSync(join(tmpdir(), "sourcewire-tls-"))
    certify(directory, "localhost", "-addext", "subjectAltName=DNS:localhost")
    const [key, cert] = ["localhost.key", "localhost.crt"].map((name) =>
      readFileSync(join(directory, name), "utf8")
    ) as [string, string]
    rmSync(directory, { recursive: true })
    const server = createServer({ key, cert }, ({ headers: { host }, socket, url }, response) => {
      response.end(JSON.stringify({ url, host, name: (socket as tls.TLSSocket & { servername: string }).servername }))
    }).listen(0, "localhost")
    await once(server, "listening")
    const { port } = server.address() as AddressInfo
    return { cert, host: `localhost:${port}`, server }
  }),
  ({ server }) => Effect.sync(() => void server.close())
)

/** Adds a certificate to the trusted certificates of this process until the scope ends. */
const trust = (cert: string) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const before = tls.getCACertificates("default")
      tls.setDefaultCACertificates([...before, cert])
      return before
    }),
    (before) => Effect.sync(() => tls.setDefaultCACertificates(before))
  )

describe.skipIf(!canCertify)("a request over TLS", () => {
  it.live("is sent to a server with a trusted certificate, and contains the name of the server", () =>
    Effect.gen(function* () {
      const { cert, host } = yield* serve
      yield* trust(cert)
      const { body, status } = yield* request({ url: `https://${host}/list?a=1`, allowLocal: true, maxBytes: 1000 })
      assert.strictEqual(status, 200)
      assert.deepStrictEqual(JSON.parse(body), { url: "/list?a=1", host, name: "localhost" })
    }).pipe(Effect.scoped)
  )

  it.live("is not sent to a server with an unknown certificate, and the error message contains no path", () =>
    Effect.gen(function* () {
      const { host } = yield* serve
      const outcome = yield* request({ url: `https://${host}/secret`, allowLocal: true, maxBytes: 1000 })
      assert.deepInclude(outcome, { status: 0, isPassing: true, body: "" })
      assert.match(outcome.message, /^localhost: the TLS certificate or connection is not valid \[\w*CERT\w*\]$/)
    }).pipe(Effect.scoped)
  )

  it.live("a request without TLS fails if the server requires TLS", () =>
    Effect.gen(function* () {
      const { host } = yield* serve
      const { message, status } = yield* request({ url: `http://${host}/`, allowLocal: true, maxBytes: 1000 })
      assert.deepStrictEqual(
        [status, message],
        [0, "localhost: the connection was closed before the reply was complete"]
      )
    }).pipe(Effect.scoped)
  )
})
