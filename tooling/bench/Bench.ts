/** Types and functions for benchmarks. The functions order the runs, compute medians, check limits and show progress. */
import { fileURLToPath } from "node:url"

export const root = fileURLToPath(new URL("../..", import.meta.url))

/** The rows of a table. The first row contains the titles of the columns. */
export type Table = ReadonlyArray<ReadonlyArray<string | number>>

/** The results of one part of a benchmark. If a limit is missed, the cell or note about this limit ends with `MISSED` (see `verdict`). */
export interface Measured {
  readonly table: Table
  readonly notes: ReadonlyArray<string>
}

/** A part of a benchmark. Each part can be measured without the other parts, and has its own table on the page of the benchmark. */
export interface Part {
  readonly title: string
  /** Description of the measurement, as Markdown. */
  readonly about: string
  readonly measure: () => Promise<Measured>
}

/** The defaults of a benchmark's command-line options, by the names of the options. */
type Options = Readonly<Record<string, number | string | boolean>>

type Widened<A> = { readonly [K in keyof A]: A[K] extends number ? number : A[K] extends string ? string : boolean }

/** A benchmark. Its results fill one page, which has one or more parts. */
export interface Bench<A extends Options = Record<never, never>> {
  readonly title: string
  /** The page's introduction, as Markdown. */
  readonly about: string
  readonly options: A
  /** Flags with which Node must run the benchmark. */
  readonly nodeFlags?: ReadonlyArray<string>
  readonly parts: (options: Widened<A>) => Readonly<Record<string, Part>>
}

/**
 * Declares a benchmark. `parts` receives the options of the command line. The value of each option has the same type as the option's
 * default.
 */
export const bench = <const A extends Options>(one: Bench<A>): Bench<A> => one

/**
 * Yields each item of the list once per round. After each round, the first item moves to the end of the list, so that the order does not
 * favour one item.
 */
export function* turns<A>(list: ReadonlyArray<A>, rounds: number): Generator<A> {
  for (let round = 0; round < rounds; round++) {
    for (let i = 0; i < list.length; i++) yield list[(i + round) % list.length]!
  }
}

/** Shows progress on stderr. */
export const note = (text: string): boolean => process.stderr.write(text)

/** Returns the median: the middle value, or the mean of the two middle values if the number of values is even. */
export const median = (values: ReadonlyArray<number>): number => {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

/** Formats a whole number with thin spaces between groups of three digits. */
export const count = (value: number): string => value.toLocaleString("en").replaceAll(",", " ")

/** Returns the text of a note or cell about a limit. If the limit is missed (`holds` is false), appends `MISSED` to the text. */
export const verdict = (text: string, holds: boolean): string => (holds ? text : `${text}  MISSED`)
