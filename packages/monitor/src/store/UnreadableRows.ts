/**
 * Rows that cannot be decoded: damaged ones, and those of a newer program whose fields this one does not know. A row counts as unknown, and
 * never keeps the program from starting or from answering.
 *
 * @module
 */

/** Counts unreadable rows by table, and remembers why the first one of each could not be read. */
export class UnreadableRows {
  private readonly counts = new Map<string, number>()
  private news: Array<{ readonly table: string; readonly reason: string }> = []

  /** A row of a table was not readable. */
  note(table: string, cause: unknown): void {
    const count = this.counts.get(table) ?? 0
    this.counts.set(table, count + 1)
    if (count === 0) this.news.push({ table, reason: cause instanceof Error ? cause.message : String(cause) })
  }

  /** What `read` makes of a row, or `otherwise` if it throws. */
  guard<A, B>(table: string, read: () => A, otherwise: B): A | B {
    try {
      return read()
    } catch (cause) {
      this.note(table, cause)
      return otherwise
    }
  }

  /** How often a row was not readable, by table. A row that is read again counts again. */
  all(): ReadonlyMap<string, number> {
    return this.counts
  }

  /** The first unreadable row of each table, each once. */
  take(): ReadonlyArray<{ readonly table: string; readonly reason: string }> {
    const { news } = this
    this.news = []
    return news
  }
}
