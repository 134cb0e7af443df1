/** Requests over TLS to a server with a certificate that only the tests trust. */
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { spawnSync } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { createServer } from "node:https"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as tls from "node:tls"
import { describe } from "vitest"
import { externalProgram } from "../../../tooling/testing/externalProgram.ts"
import { request } from "../src/outbound/request.ts"

const openssl = externalProgram("openssl", "openssl")

/** Starts a server with a new certificate for `localhost`. The server replies with the requested path and the requested host. */
const serve = Effect.acquireRelease(
  Effect.promise(async () => {
    const directory = mkdtempSync(join(tmpdir(), "sourcewire-tls-"))
    const [keyFile, certFile] = [join(directory, "key.pem"), join(directory, "cert.pem")]
    const options = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "1"]
    const names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]
    const made = spawnSync(openssl!, ["req", "-x509", ...options, ...names, "-keyout", keyFile, "-out", certFile])
    assert.strictEqual(made.status, 0, String(made.stderr))
    const [key, cert] = [keyFile, certFile].map((file) => readFileSync(file, "utf8")) as [string, string]
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

/** Trusts an additional certificate until the scope ends. */
const trust = (cert: string) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const before = tls.getCACertificates("default")
      tls.setDefaultCACertificates([...before, cert])
      return before
    }),
    (before) => Effect.sync(() => tls.setDefaultCACertificates(before))
  )

describe.skipIf(openssl === undefined)("a request over TLS", () => {
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
