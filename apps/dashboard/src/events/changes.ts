/**
 * A list of changes, the newest first. The newest changes are requested repeatedly. Older changes are requested page by page, when the user
 * clicks *Older*.
 */
import type { ChangeRow } from "@sourcewire/monitor/api"
import { type Signal, useSignal } from "@preact/signals"
import { useEffect, useRef } from "preact/hooks"
import { getJson } from "../requests.ts"

/** Maximum number of changes per request. */
export const PAGE = 50

/** The loaded changes. */
export interface Changes {
  readonly known: ReadonlyArray<ChangeRow>
  /** Whether the oldest change is loaded. */
  readonly isAll: boolean
}

/** The initial value of a list, before any changes are loaded. */
export const NO_CHANGES: Changes = { known: [], isAll: false }

/**
 * Adds the changes of the response `newest` to the list, except the changes that the list already contains. `wanted` is the number of
 * changes that were requested.
 */
export const withNewest = ({ isAll, known }: Changes, newest: ReadonlyArray<ChangeRow>, wanted: number): Changes => {
  const newer = newest.filter(({ id }) => known.length === 0 || id > known[0]!.id)
  // If the response is full, and the list contains none of its changes, the monitor may have changes that are newer than the list and older
  // than the response. If the response were added to the list, the list would lack these changes. Therefore the response replaces the list.
  if (known.length > 0 && newer.length === newest.length && newest.length >= wanted)
    return withNewest(NO_CHANGES, newest, wanted)
  return { known: [...newer, ...known], isAll: isAll || (known.length === 0 && newest.length < wanted) }
}

/** Adds older changes to the end of the list. */
export const withOlder = ({ known }: Changes, older: ReadonlyArray<ChangeRow>): Changes => ({
  known: [...known, ...older],
  isAll: older.length < PAGE
})

/**
 * Returns a signal with the loaded changes of an API query, and the function `more`, which loads older changes. If a request fails, `more`
 * throws the error.
 */
export const useChanges = (
  query: string
): { readonly changes: Signal<Changes>; readonly more: () => Promise<void> } => {
  const changes = useSignal(NO_CHANGES)
  const controller = useRef(new AbortController())
  useEffect(() => {
    controller.current = new AbortController()
    changes.value = NO_CHANGES
    return () => controller.current.abort()
  }, [query])
  const more = async (): Promise<void> => {
    const before = changes.value.known.at(-1)?.id
    const path = `changes?${query}&limit=${PAGE}${before === undefined ? "" : `&before=${before}`}`
    const older = await getJson<ReadonlyArray<ChangeRow>>(path, controller.current.signal)
    changes.value = withOlder(changes.value, older)
  }
  return { changes, more }
}
