/** The terms of a master server's filter. */

/** A condition: one key and its value. */
export interface Condition {
  readonly key: string
  readonly value: string
}

/**
 * A group of conditions. If the operator is `nor`, a server must meet none of the conditions. If the operator is `nand`, there must be at
 * least one condition that the server does not meet.
 */
export interface Group {
  readonly operator: "nor" | "nand"
  readonly terms: ReadonlyArray<Term>
}

/** A part of a filter. */
export type Term = Condition | Group

/** A filter. An empty filter selects every server. */
export type MasterFilter = ReadonlyArray<Term>
