/**
 * Types of `report.mjs`.
 *
 * @module
 */

/** Middle of the values; of an even number of them, the mean of the two in the middle. */
export const median: (values: ReadonlyArray<number>) => number

/** Date, machine and versions in a line. */
export const conditions: (packages?: ReadonlyArray<string>) => string

/** Prints a table with its notes; with `write` also as a page of the docs. */
export const report: (page: {
  readonly about: string
  /** Path from the root. */
  readonly file: string
  readonly notes: ReadonlyArray<string>
  /** The first row is the head. */
  readonly table: ReadonlyArray<ReadonlyArray<string | number>>
  readonly title: string
  readonly write: boolean
}) => void
