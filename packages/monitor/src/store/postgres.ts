/** Creates the SQL client for a store in Postgres. */
import * as PgClient from "@effect/sql-pg/PgClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type * as SqlClient from "effect/sql/SqlClient"
import { readFileSync } from "node:fs"
import { explainSqlError, explainCause } from "./failure.ts"
import { StoreFailed } from "./Store.ts"

/**
 * The settings of each session. With these settings, Postgres closes a session whose transaction is idle for five seconds. Without this
 * limit, the locks of a monitor that is suspended during a transaction would block all other monitors.
 */
const SESSION = { idle_in_transaction_session_timeout: "5000" }

/**
 * Returns the TLS options of the client. The parameter `sslrootcert` of the URL is the path of a certificate, as in other Postgres clients.
 * If the URL has this parameter, the client trusts the certificate authority of this certificate. The value `system` is ignored.
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

/** A client for `postgres://user:password@host:port/database`. `name` is the name that Postgres shows for the client's sessions. */
export const layer = (url: string, name = "sourcewire-monitor"): Layer.Layer<SqlClient.SqlClient, StoreFailed> =>
  Layer.unwrap(
    Effect.map(readTls(url), (tls) =>
      PgClient.layer({ url: Redacted.make(url), applicationName: name, startupParameters: SESSION, ...tls })
    )
  ).pipe(
    // The message contains no URL, because the URL can contain a password.
    Layer.catchTag("SqlError", (error) =>
      Layer.effectDiscard(new StoreFailed({ message: `Cannot connect to the store: ${explainSqlError(error)}.` }))
    )
  ) as Layer.Layer<SqlClient.SqlClient, StoreFailed>
