/**
 * The types of benchmarks, and the functions that benchmarks share: they order runs, compute medians, format verdicts and show progress.
 */
import { fileURLToPath } from "node:url"

export const root = fileURLToPath(new URL("../..", import.meta.url))

/** The rows of a table. The first row contains the titles of the columns. */
export type Table = ReadonlyArray<ReadonlyArray<string | number>>

/** The results of one part of a benchmark. If a limit is missed, the cell or note about this limit ends with `MISSED` (see `verdict`). */
export interface Measured {
  readonly table: Table
  readonly notes: ReadonlyArray<string>
}

/** A part of a benchmark. Each part has a table on the benchmark's page, and can be measured separately. */
export interface Part {
  readonly title: string
  /** Description of the measurement, as Markdown. */
  readonly about: string
  readonly measure: () => Promise<Measured>
}

/** Options of the command line by name, with their defaults. */
type Options = Readonly<Record<string, number | string | boolean>>

type Widened<A> = { readonly [K in keyof A]: A[K] extends number ? number : A[K] extends string ? string : boolean }

/** A benchmark. Its results are one page with one or more parts. */
export interface Bench<A extends Options = Record<never, never>> {
  readonly title: string
  /** The page's introduction, as Markdown. */
  readonly about: string
  readonly options: A
  /** The flags of Node that the benchmark needs. */
  readonly nodeFlags?: ReadonlyArray<string>
  readonly parts: (options: Widened<A>) => Readonly<Record<string, Part>>
}

/** Declares a benchmark. `parts` receives the options of the command line. Each option has the same type as its default. */
export const bench = <const A extends Options>(one: Bench<A>): Bench<A> => one

/** Yields each item of the list once per round. Each round starts one item later than the previous round. */
export function* turns<A>(list: ReadonlyArray<A>, rounds: number): Generator<A> {
  for (let round = 0; round < rounds; round++) {
    for (let i = 0; i < list.length; i++) yield list[(i + round) % list.length]!
  }
}

/** Shows progress on stderr. */
export const note = (text: string): boolean => process.stderr.write(text)

/** The middle value, or the mean of the two middle values if the number of values is even. */
export const median = (values: ReadonlyArray<number>): number => {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

/** A whole number with thin spaces between groups of thousands. */
export const count = (value: number): string => value.toLocaleString("en").replaceAll(",", " ")

/** The text of a note or cell about a limit. If the limit is missed, the text ends with `MISSED`. */
export const verdict = (text: string, holds: boolean): string => (holds ? text : `${text}  MISSED`)
