/** The terms of a master server's filter. */

/** One key and its value. */
export interface Condition {
  readonly key: string
  readonly value: string
}

/** Several conditions at once: `nor`, none of them may hold; `nand`, not all of them may. */
export interface Group {
  readonly operator: "nor" | "nand"
  readonly terms: ReadonlyArray<Term>
}

/** A part of a filter. */
export type Term = Condition | Group

/** A filter. An empty one lets every server through. */
export type MasterFilter = ReadonlyArray<Term>
