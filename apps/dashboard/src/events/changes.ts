/** Changes as they come, the newest first: those that are asked for again and again, and older ones page by page. */
import type { ChangeRow } from "@sourcewire/monitor/api"
import { type Signal, useSignal } from "@preact/signals"
import { useEffect, useRef } from "preact/hooks"
import { ask } from "../ask.ts"

/** Changes of a page. */
export const PAGE = 50

/** What is known of them. */
export interface Changes {
  readonly known: ReadonlyArray<ChangeRow>
  /** Whether there are none older than those. */
  readonly isAll: boolean
}

/** Nothing, as at first. */
export const NO_CHANGES: Changes = { known: [], isAll: false }

/** With the newest ones, of which `wanted` were asked for: those that are known already are kept as they are. */
export const withNewest = ({ isAll, known }: Changes, newest: ReadonlyArray<ChangeRow>, wanted: number): Changes => {
  const newer = newest.filter(({ id }) => known.length === 0 || id > known[0]!.id)
  // After a pause with more changes than were asked for, there would be a hole.
  if (known.length > 0 && newer.length === newest.length && newest.length >= wanted)
    return withNewest(NO_CHANGES, newest, wanted)
  return { known: [...newer, ...known], isAll: isAll || (known.length === 0 && newest.length < wanted) }
}

/** With a page of older ones. */
export const withOlder = ({ known }: Changes, older: ReadonlyArray<ChangeRow>): Changes => ({
  known: [...known, ...older],
  isAll: older.length < PAGE
})

/** Changes of the API's `query`, and what asks for older ones; a failure is the caller's to tell. */
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
    const older = await ask<ReadonlyArray<ChangeRow>>(path, controller.current.signal)
    changes.value = withOlder(changes.value, older)
  }
  return { changes, more }
}
