/** The terms of a master server's filter. */

/** One key and its value. */
export interface Condition {
  readonly key: string
  readonly value: string
}

/** A group of conditions. With `nor`, none of them may hold; with `nand`, at least one must not hold. */
export interface Group {
  readonly operator: "nor" | "nand"
  readonly terms: ReadonlyArray<Term>
}

/** A part of a filter. */
export type Term = Condition | Group

/** A filter. An empty one matches every server. */
export type MasterFilter = ReadonlyArray<Term>
