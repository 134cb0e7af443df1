/**
 * The visible rows of the list, loaded in pages. The monitor searches and sorts the servers, so the browser does not need to store all of
 * them.
 */
import type { TargetRow } from "@sourcewire/monitor/api"
import { getJson } from "../requests.ts"

/** Number of rows per page. */
const PAGE = 100

interface Page {
  readonly total: number
  readonly targets: ReadonlyArray<TargetRow>
}

/** The loaded rows. */
export interface Rows {
  /** The query that returned these rows. */
  readonly query: string
  /** Total number of rows. `undefined` until the monitor has reported the number. */
  readonly total: number | undefined
  readonly pages: ReadonlyMap<number, ReadonlyArray<TargetRow>>
}

export const NO_ROWS: Rows = { query: "", total: undefined, pages: new Map() }

/** Returns the row at a position in the list. Returns `undefined` if the row is not loaded. */
export const rowAt = ({ pages }: Rows, index: number): TargetRow | undefined =>
  pages.get(Math.floor(index / PAGE))?.[index % PAGE]

/** The loaded rows, with their positions in the list. */
export const loadedRows = ({ pages }: Rows): ReadonlyArray<readonly [index: number, row: TargetRow]> =>
  [...pages]
    .toSorted(([a], [b]) => a - b)
    .flatMap(([number, rows]) => rows.map((row, i) => [number * PAGE + i, row] as const))

/**
 * The numbers of the pages that contain the rows from `first` to `last`, separated by commas. The result is a text instead of an array,
 * because two texts with the same numbers are equal (`===`), and two arrays are not. Therefore the rows are not requested again when the
 * user scrolls within these pages.
 */
export const pagesBetween = (first: number, last: number): string => {
  const [from, to] = [Math.floor(Math.max(0, first) / PAGE), Math.floor(Math.max(0, last) / PAGE)]
  return Array.from({ length: to - from + 1 }, (_, i) => from + i).join(",")
}

/**
 * Requests the pages `numbers` of the list, and adds them to the loaded pages. If a loaded page is from another query than `query`, or is
 * more than five pages away from the first requested page, it is dropped.
 */
export const refreshed = async (rows: Rows, query: string, numbers: string, signal: AbortSignal): Promise<Rows> => {
  const wanted = numbers.split(",").map(Number)
  const found = await Promise.all(
    wanted.map((number) => getJson<Page>(`targets?${query}&offset=${number * PAGE}&limit=${PAGE}`, signal))
  )
  const near = [...rows.pages].filter(([number]) => rows.query === query && Math.abs(number - wanted[0]!) <= 5)
  const pages = new Map(near)
  for (const [i, { targets }] of found.entries()) pages.set(wanted[i]!, targets)
  return { query, total: found[0]!.total, pages }
}
