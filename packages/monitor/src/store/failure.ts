/** Converts errors of a database to errors of the store. */
import * as Effect from "effect/Effect"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import type { Row } from "./rows.ts"
import { StoreFailed } from "./Store.ts"

/**
 * Texts for errors of databases and of the connections to them. The texts replace the original messages, which contain system calls and
 * internal codes.
 */
const REASONS: ReadonlyArray<readonly [pattern: RegExp, reason: string]> = [
  [/ECONNREFUSED/, "the database refused the connection. Check that it is running, and its host and port"],
  [/ECONNRESET|EPIPE|connection.*(?:closed|terminated)/i, "the connection to the database was closed"],
  [/ENOTFOUND|EAI_/, "the name of the database's host cannot be resolved"],
  [/ETIMEDOUT|EHOSTUNREACH|ENETUNREACH/, "the database's host does not respond"],
  [/No username configured/i, "the URL has no user. Write it as in postgres://user@host/database"],
  [/password authentication failed/i, "the database refused the user or the password"],
  [/unable to open database file|ENOENT/i, "the file cannot be opened. Check that its folder exists and is writable"],
  [/not a database/i, "the file is not an SQLite database"],
  [/disk is full|ENOSPC/i, "the disk is full"],
  [/readonly database|EROFS|EACCES/i, "it is not writable"],
  [/database is locked/i, "another process uses it"],
  [/disk I\/O error|EIO/i, "the disk reports an error"],
  [/malformed/i, "the file is damaged. Restore it from a backup"]
]

/**
 * Explains why a database cannot be used. The text is used after a colon, for example in an error message. If the result is a text from
 * {@link REASONS} and the error contains an error code of the operating system, the code follows the text.
 */
export const explainCause = (cause: unknown): string => {
  const { code, message } = (cause ?? {}) as { readonly code?: unknown; readonly message?: unknown }
  const text = typeof message === "string" && message !== "" ? message : String(cause)
  const known = typeof code === "string" ? `${code} ${text}` : text
  const reason = REASONS.find(([pattern]) => pattern.test(known))?.[1]
  if (reason === undefined) return text.replace(/\.$/, "")
  const [name] = /\bE[A-Z]{3,}\b/.exec(known) ?? []
  return name === undefined ? reason : `${reason} [${name}]`
}

/** Explains why a statement failed. The text does not contain the statement. */
export const explainSqlError = (error: SqlError): string => {
  const { cause, reason } = error as { readonly cause?: unknown; readonly reason?: { readonly cause?: unknown } }
  const why = reason?.cause ?? cause ?? error
  return explainCause(why instanceof Error ? why : error)
}

/**
 * Converts database errors to errors of the store. Defects that are database errors are also converted, because the driver throws such a
 * defect if a rollback fails.
 */
export const asStore = <A, E, R>(
  work: Effect.Effect<A, E, R>
): Effect.Effect<A, Exclude<E, SqlError> | StoreFailed, R> =>
  work.pipe(
    Effect.catchDefect((defect) => (isSqlError(defect) ? Effect.fail(defect) : Effect.die(defect))),
    Effect.mapError((error) =>
      isSqlError(error) ? new StoreFailed({ message: explainSqlError(error) }) : (error as Exclude<E, SqlError>)
    )
  )

/** Runs a statement, and decodes each row of the result with `of`. */
export const read = <A>(
  rows: Effect.Effect<ReadonlyArray<Row>, SqlError>,
  of: (row: Row) => A
): Effect.Effect<ReadonlyArray<A>, StoreFailed> => asStore(Effect.map(rows, (all) => all.map(of)))
