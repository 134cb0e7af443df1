/**
 * Rows that cannot be decoded: damaged rows, and rows of a newer program with fields that this one does not know. Such a row counts as
 * unknown. It never prevents the program from starting or replying.
 *
 * @module
 */

/** Counts unreadable rows by table, and keeps the reason of the first one of each table. */
export class UnreadableRows {
  private readonly counts = new Map<string, number>()
  private news: Array<{ readonly table: string; readonly reason: string }> = []

  /** Counts a row. */
  note(table: string, cause: unknown): void {
    const count = this.counts.get(table) ?? 0
    this.counts.set(table, count + 1)
    if (count === 0) this.news.push({ table, reason: cause instanceof Error ? cause.message : String(cause) })
  }

  /** Decodes a row; returns `otherwise` if `read` throws. */
  guard<A, B>(table: string, read: () => A, otherwise: B): A | B {
    try {
      return read()
    } catch (cause) {
      this.note(table, cause)
      return otherwise
    }
  }

  /** The number of unreadable rows by table. A row that is read again counts again. */
  all(): ReadonlyMap<string, number> {
    return this.counts
  }

  /** The first unreadable row of each table, once. */
  take(): ReadonlyArray<{ readonly table: string; readonly reason: string }> {
    const { news } = this
    this.news = []
    return news
  }
}
