/**
 * Postgres as the store, by a URL.
 *
 * @module
 */
import * as PgClient from "@effect/sql-pg/PgClient"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type * as SqlClient from "effect/sql/SqlClient"
import { StoreFailed } from "./Store.ts"

/** A monitor that was stopped in the middle of a transaction keeps nobody waiting. */
const SESSION = { idle_in_transaction_session_timeout: "5000" }

/** A client for `postgres://user:password@host:port/database`, whose sessions have a name. */
export const layer = (url: string, name = "sourcewire-monitor"): Layer.Layer<SqlClient.SqlClient, StoreFailed> =>
  PgClient.layer({ url: Redacted.make(url), applicationName: name, startupParameters: SESSION }).pipe(
    // The URL has a password in it; the reason has not.
    Layer.catch(({ message }) =>
      Layer.effectDiscard(new StoreFailed({ message: `The database cannot be reached: ${message}` }))
    )
  ) as Layer.Layer<SqlClient.SqlClient, StoreFailed>
