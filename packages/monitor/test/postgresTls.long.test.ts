/** Tests connections to Postgres over TLS. The system does not trust the authority that signed the certificate of Postgres. */
import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import { chownSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { openShared } from "../src/store/index.ts"
import { Store } from "../src/store/Store.ts"
import { canCertify, certify } from "./certificates.ts"
import { isInstalled, makePostgres, NOBODY, type Postgres } from "./postgres.ts"

describe.skipIf(!isInstalled || !canCertify)("a connection to Postgres over TLS", () => {
  const directory = mkdtempSync(join(tmpdir(), "sourcewire-tls-"))
  const file = (name: string): string => join(directory, name)
  let server: Postgres
  beforeAll(async () => {
    certify(directory, "authority")
    const signed = ["-CA", "authority.crt", "-CAkey", "authority.key"]
    certify(directory, "server", "-addext", "subjectAltName=IP:127.0.0.1", ...signed)
    // The user that runs Postgres must own the key file.
    if (NOBODY !== undefined) {
      for (const name of [directory, file("server.key")]) chownSync(name, NOBODY.uid, NOBODY.gid)
    }
    server = await makePostgres({ ssl: "on", ssl_cert_file: file("server.crt"), ssl_key_file: file("server.key") })
    await server.start()
  })
  afterAll(async () => {
    await server.remove()
    rmSync(directory, { recursive: true })
  })

  const urlWith = (parameters: string, host = "127.0.0.1"): string =>
    `${server.url().replace("monitor@127.0.0.1", `monitor:secret@${host}`)}?${parameters}`
  /** Tries to open the store with these parameters, and returns the message of the expected error. */
  const refusal = (parameters: string, host?: string) =>
    Effect.map(Effect.flip(Effect.provide(Store, openShared(urlWith(parameters, host)))), ({ message }) => message)

  it.live.each(["verify-full", "verify-ca", "require"])(
    "is encrypted if sslmode is %s and the configured authority has signed the server's certificate",
    (mode) =>
      Effect.gen(function* () {
        const url = urlWith(`sslmode=${mode}&sslrootcert=${file("authority.crt")}`)
        const sessions = Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          return yield* sql`select ssl from pg_stat_ssl where pid = pg_backend_pid()`
        })
        expect(yield* Effect.provide(sessions, openShared(url), { local: true })).toEqual([{ ssl: true }])
      })
  )

  it.live(
    "fails if the authority is unknown, the certificate is for another host, the certificate file is missing, or sslmode is invalid",
    () =>
      Effect.gen(function* () {
        const messages = [
          yield* refusal("sslmode=verify-full"),
          yield* refusal("sslmode=require"),
          yield* refusal(`sslmode=verify-full&sslrootcert=${file("authority.crt")}`, "localhost"),
          yield* refusal(`sslmode=verify-full&sslrootcert=${file("none.crt")}`),
          yield* refusal("sslmode=maybe")
        ]
        expect(messages).toEqual([
          expect.stringMatching(/^Cannot open the store: .*certificate/),
          expect.stringMatching(/^Cannot open the store: .*certificate/),
          expect.stringMatching(/^Cannot open the store: .*Host: localhost/),
          expect.stringMatching(/^Cannot read the certificate of sslrootcert: .*ENOENT/),
          expect.stringMatching(/^Cannot open the store: .*sslmode/)
        ])
        expect(messages.join()).not.toContain("secret")
      })
  )
})
