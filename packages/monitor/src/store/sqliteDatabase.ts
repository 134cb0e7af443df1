/**
 * The SQLite that a runtime brings, as far as the store needs it: statements with parameters, and the rows that they give.
 *
 * @module
 */

/** An open database. */
export interface Database {
  /** The rows of a statement, none where it gives none. */
  readonly rows: (sql: string, params: ReadonlyArray<unknown>) => ReadonlyArray<Record<string, unknown>>
  readonly close: () => void
}

/** What both modules' prepared statements can do. */
interface Prepared {
  all(...params: ReadonlyArray<unknown>): ReadonlyArray<Record<string, unknown>>
}

/** What both modules' databases can do. */
interface Sqlite {
  prepare(sql: string): Prepared
  close(): void
}

/** Prepared statements that are kept: those of the store, and of its batches of every length. */
const KEPT_STATEMENTS = 256

const databaseOf = (database: Sqlite): Database => {
  const kept = new Map<string, Prepared>()
  const prepared = (sql: string): Prepared => {
    const statement = kept.get(sql) ?? database.prepare(sql)
    kept.delete(sql)
    kept.set(sql, statement)
    if (kept.size > KEPT_STATEMENTS) kept.delete(kept.keys().next().value!)
    return statement
  }
  return { rows: (sql, params) => prepared(sql).all(...params), close: () => database.close() }
}

/** Opens the database in a file. */
export const openDatabase = async (file: string): Promise<Database> => {
  if ("Bun" in globalThis) {
    // No literal, so that other runtimes' bundlers do not look for it.
    const name = "bun:sqlite"
    const { Database } = (await import(name)) as { readonly Database: new (file: string) => Sqlite }
    return databaseOf(new Database(file))
  }
  // Asked for when it is needed, since only Node warns that it is young, and loads it slowly.
  const { DatabaseSync } = process.getBuiltinModule("node:sqlite")
  return databaseOf(new DatabaseSync(file))
}
