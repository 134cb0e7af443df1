/**
 * What goes wrong in a database, as what a store may fail with.
 *
 * @module
 */
import type { SqlError } from "effect/sql/SqlError"
import { StoreFailed } from "./Store.ts"

/** The sentence of the database, without the statement. */
export const storeFailed = (error: SqlError): StoreFailed => {
  const { cause, reason } = error as { readonly cause?: unknown; readonly reason?: { readonly cause?: unknown } }
  const why = reason?.cause ?? cause ?? error
  return new StoreFailed({ message: why instanceof Error ? why.message : String(error.message) })
}
