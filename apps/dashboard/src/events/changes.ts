/**
 * A list of changes, the newest first. The newest changes are requested repeatedly. Older changes are requested in pages, when the user
 * asks for them.
 */
import type { ChangeRow } from "@sourcewire/monitor/api"
import { type Signal, useSignal } from "@preact/signals"
import { useEffect, useRef } from "preact/hooks"
import { getJson } from "../requests.ts"

/** Number of changes in a page of older changes. */
export const PAGE = 50

/** The loaded changes. */
export interface Changes {
  readonly known: ReadonlyArray<ChangeRow>
  /** Whether the oldest change is loaded. */
  readonly isAll: boolean
}

/** The initial value, when no changes are loaded yet. */
export const NO_CHANGES: Changes = { known: [], isAll: false }

/** Adds those changes from the response `newest` that are not in the list yet. `wanted` is the number of changes that were requested. */
export const withNewest = ({ isAll, known }: Changes, newest: ReadonlyArray<ChangeRow>, wanted: number): Changes => {
  const newer = newest.filter(({ id }) => known.length === 0 || id > known[0]!.id)
  // If all received changes are new, there may be more new changes that were not received. In this case, the known changes are dropped, so
  // that the list has no gap.
  if (known.length > 0 && newer.length === newest.length && newest.length >= wanted)
    return withNewest(NO_CHANGES, newest, wanted)
  return { known: [...newer, ...known], isAll: isAll || (known.length === 0 && newest.length < wanted) }
}

/** Adds a page of older changes. */
export const withOlder = ({ known }: Changes, older: ReadonlyArray<ChangeRow>): Changes => ({
  known: [...known, ...older],
  isAll: older.length < PAGE
})

/**
 * Returns the changes of an API query, and the function `more`, which requests older changes. If `more` fails, its caller shows the error.
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
