/**
 * Rows that cannot be decoded. Such a row is damaged, or a newer program has written values that this program does not know. The value of
 * an unreadable row is treated as unknown. An unreadable row never prevents the program from starting or replying.
 *
 * @module
 */

/** Counts unreadable rows by table, and records the reason for the first unreadable row of each table. */
export class UnreadableRows {
  private readonly counts = new Map<string, number>()
  private news: Array<{ readonly table: string; readonly reason: string }> = []

  /** Counts an unreadable row. */
  note(table: string, cause: unknown): void {
    const count = this.counts.get(table) ?? 0
    this.counts.set(table, count + 1)
    if (count === 0) this.news.push({ table, reason: cause instanceof Error ? cause.message : String(cause) })
  }

  /** Decodes a row with `read`. If `read` throws, the row is counted, and `otherwise` is returned. */
  guard<A, B>(table: string, read: () => A, otherwise: B): A | B {
    try {
      return read()
    } catch (cause) {
      this.note(table, cause)
      return otherwise
    }
  }

  /** The number of unreadable rows by table. If an unreadable row is read twice, it is counted twice. */
  all(): ReadonlyMap<string, number> {
    return this.counts
  }

  /**
   * The tables whose first unreadable row was found since the last call of `take`. `reason` is the reason why this row cannot be decoded.
   */
  take(): ReadonlyArray<{ readonly table: string; readonly reason: string }> {
    const { news } = this
    this.news = []
    return news
  }
}
