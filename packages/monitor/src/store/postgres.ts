/** Connects to a store in Postgres, by its URL. */
import * as PgClient from "@effect/sql-pg/PgClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type * as SqlClient from "effect/sql/SqlClient"
import { readFileSync } from "node:fs"
import { explainSqlError, explainCause } from "./failure.ts"
import { StoreFailed } from "./Store.ts"

/**
 * The settings of each session. Postgres closes a session if its transaction is idle for five seconds. Without this limit, a monitor that
 * is suspended during a transaction would block all other monitors with its locks.
 */
const SESSION = { idle_in_transaction_session_timeout: "5000" }

/**
 * Reads the certificate of a private certificate authority for TLS. As in other Postgres clients, the parameter `sslrootcert` of the URL is
 * the path of the certificate.
 */
const readTls = (url: string) =>
  Effect.try({
    try: () => {
      const file = URL.canParse(url) ? new URL(url).searchParams.get("sslrootcert") : null
      return file === null || file === "system" ? {} : { ssl: { ca: readFileSync(file) } }
    },
    catch: (cause) =>
      new StoreFailed({ message: `Cannot read the certificate of sslrootcert: ${explainCause(cause)}.` })
  })

/** A client for `postgres://user:password@host:port/database`. `name` is the name of the client's sessions. */
export const layer = (url: string, name = "sourcewire-monitor"): Layer.Layer<SqlClient.SqlClient, StoreFailed> =>
  Layer.unwrap(
    Effect.map(readTls(url), (tls) =>
      PgClient.layer({ url: Redacted.make(url), applicationName: name, startupParameters: SESSION, ...tls })
    )
  ).pipe(
    // The message contains the reason of the failure, but not the URL, because the URL contains a password.
    Layer.catchTag("SqlError", (error) =>
      Layer.effectDiscard(new StoreFailed({ message: `Cannot connect to the store: ${explainSqlError(error)}.` }))
    )
  ) as Layer.Layer<SqlClient.SqlClient, StoreFailed>
