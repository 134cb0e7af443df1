/** What goes wrong in a database, as what a store may fail with. */
import * as Effect from "effect/Effect"
import type { SqlError } from "effect/sql/SqlError"
import type { Row } from "./rows.ts"
import { StoreFailed } from "./Store.ts"

/** The sentence of the database, without the statement. */
export const storeFailed = (error: SqlError): StoreFailed => {
  const { cause, reason } = error as { readonly cause?: unknown; readonly reason?: { readonly cause?: unknown } }
  const why = reason?.cause ?? cause ?? error
  return new StoreFailed({ message: why instanceof Error ? why.message : String(error.message) })
}

/** What the rows of a statement say. */
export const read = <A>(
  rows: Effect.Effect<ReadonlyArray<Row>, SqlError>,
  of: (row: Row) => A
): Effect.Effect<ReadonlyArray<A>, StoreFailed> =>
  Effect.mapError(
    Effect.map(rows, (all) => all.map(of)),
    storeFailed
  )
