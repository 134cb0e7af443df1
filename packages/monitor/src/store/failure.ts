/** What goes wrong in a database, as what a store may fail with. */
import * as Effect from "effect/Effect"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import type { Row } from "./rows.ts"
import { StoreFailed } from "./Store.ts"

/** The sentence of the database, without the statement. */
export const messageOf = (error: SqlError): string => {
  const { cause, reason } = error as { readonly cause?: unknown; readonly reason?: { readonly cause?: unknown } }
  const why = reason?.cause ?? cause ?? error
  return why instanceof Error ? why.message : String(error.message)
}

/** The same work, which fails as a store does. A transaction whose rollback fails too dies of that: it is a failure like others. */
export const asStore = <A, E, R>(
  work: Effect.Effect<A, E, R>
): Effect.Effect<A, Exclude<E, SqlError> | StoreFailed, R> =>
  work.pipe(
    Effect.catchDefect((defect) => (isSqlError(defect) ? Effect.fail(defect) : Effect.die(defect))),
    Effect.mapError((error) =>
      isSqlError(error) ? new StoreFailed({ message: messageOf(error) }) : (error as Exclude<E, SqlError>)
    )
  )

/** What the rows of a statement say. */
export const read = <A>(
  rows: Effect.Effect<ReadonlyArray<Row>, SqlError>,
  of: (row: Row) => A
): Effect.Effect<ReadonlyArray<A>, StoreFailed> => asStore(Effect.map(rows, (all) => all.map(of)))
