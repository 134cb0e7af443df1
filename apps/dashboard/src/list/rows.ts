/** The rows of the list that are in view, page by page: the monitor searches and sorts, so that no page ever holds all servers. */
import type { TargetRow } from "@sourcewire/monitor/api"
import { ask } from "../ask.ts"

/** Rows of one page. */
const PAGE = 100

interface Page {
  readonly total: number
  readonly targets: ReadonlyArray<TargetRow>
}

/** What is known of the list. */
export interface Rows {
  /** The search that these are of. */
  readonly query: string
  /** How many there are in all; `undefined` until the monitor has said so. */
  readonly total: number | undefined
  readonly pages: ReadonlyMap<number, ReadonlyArray<TargetRow>>
}

/** Nothing, as at first. */
export const NO_ROWS: Rows = { query: "", total: undefined, pages: new Map() }

/** One row, where it is there. */
export const rowAt = ({ pages }: Rows, index: number): TargetRow | undefined =>
  pages.get(Math.floor(index / PAGE))?.[index % PAGE]

/** The rows that are there, with their places in the list. */
export const loadedRows = ({ pages }: Rows): ReadonlyArray<readonly [index: number, row: TargetRow]> =>
  [...pages]
    .toSorted(([a], [b]) => a - b)
    .flatMap(([number, rows]) => rows.map((row, i) => [number * PAGE + i, row] as const))

/** The numbers of the pages with these rows, as one text that only changes when another page comes into view. */
export const pagesBetween = (first: number, last: number): string => {
  const [from, to] = [Math.floor(Math.max(0, first) / PAGE), Math.floor(Math.max(0, last) / PAGE)]
  return Array.from({ length: to - from + 1 }, (_, i) => from + i).join(",")
}

/** Asks for these pages anew; of others only what the same search brought is kept, until they come into view. */
export const refreshed = async (rows: Rows, query: string, numbers: string, signal: AbortSignal): Promise<Rows> => {
  const wanted = numbers.split(",").map(Number)
  const found = await Promise.all(
    wanted.map((number) => ask<Page>(`targets?${query}&offset=${number * PAGE}&limit=${PAGE}`, signal))
  )
  const near = [...rows.pages].filter(([number]) => rows.query === query && Math.abs(number - wanted[0]!) <= 5)
  const pages = new Map(near)
  for (const [i, { targets }] of found.entries()) pages.set(wanted[i]!, targets)
  return { query, total: found[0]!.total, pages }
}
