/** How many played on the servers in view, hour by hour over a day: asked for once, and kept for a while. */
import type { Days } from "@sourcewire/monitor/api"
import { useSignal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import { ask } from "../ask.ts"

/** Players of 24 hours; `null` where there was no answer. */
export type Day = Days["players"][string]

/** An hour under way changes slowly. */
const KEPT_MS = 300_000
/** As many as the monitor tells at once. */
const MOST = 100
/** So many are kept. */
const MOST_KEPT = 5000

const kept = new Map<number, { readonly at: number; readonly day: Day }>()

const isFresh = (id: number, now: number): boolean => now - (kept.get(id)?.at ?? Number.NEGATIVE_INFINITY) < KEPT_MS

/** The day of a server, where it is known. */
export const dayOf = (id: number): Day | undefined => kept.get(id)?.day

/** Asks for the days of these servers, and shows them. A list does without where that fails. */
export const useDays = (ids: ReadonlyArray<number>, isWanted: boolean): void => {
  const version = useSignal(0)
  // Whoever calls this is drawn again when more is known.
  void version.value
  useEffect(() => {
    if (!isWanted || ids.length === 0) return
    const controller = new AbortController()
    const look = async (): Promise<void> => {
      const now = performance.now()
      const missing = ids.filter((id) => !isFresh(id, now)).slice(0, MOST)
      if (missing.length === 0) return
      const { players } = await ask<Days>(`days?targets=${missing.join(",")}`, controller.signal)
      if (kept.size > MOST_KEPT) kept.clear()
      for (const id of missing) kept.set(id, { at: now, day: players[id] ?? [] })
      version.value++
    }
    const lookQuietly = (): void => void look().catch(() => undefined)
    lookQuietly()
    const timer = setInterval(lookQuietly, KEPT_MS)
    return () => {
      controller.abort()
      clearInterval(timer)
    }
  }, [ids.join(","), isWanted])
}
