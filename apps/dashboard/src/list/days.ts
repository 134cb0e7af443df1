/** How many played on the servers in view, hour by hour over a day: asked for once, and kept for a while. */
import type { Days } from "@sourcewire/monitor/api"
import { signal } from "@preact/signals"
import { ask, useRepeatedly } from "../ask.ts"

/** Players of 24 hours; `null` where there was no answer. */
export type Day = Days["players"][string]

/** An hour under way changes slowly. */
const KEPT_MS = 300_000
/** As many as the monitor tells at once. */
const MOST = 100
/** So many are kept. */
const MOST_KEPT = 5000

const kept = signal<ReadonlyMap<number, { readonly at: number; readonly day: Day }>>(new Map())

const isFresh = (id: number, now: number): boolean =>
  now - (kept.value.get(id)?.at ?? Number.NEGATIVE_INFINITY) < KEPT_MS

/** The day of a server, where it is known. */
export const dayOf = (id: number): Day | undefined => kept.value.get(id)?.day

/** Asks for the days of these servers. A list does without where that fails. */
export const useDays = (ids: ReadonlyArray<number>, isWanted: boolean): void =>
  void useRepeatedly(
    async (signal) => {
      const now = performance.now()
      const missing = ids.filter((id) => !isFresh(id, now)).slice(0, MOST)
      if (!isWanted || missing.length === 0) return
      const { players } = await ask<Days>(`days?targets=${missing.join(",")}`, signal)
      const known = kept.value.size > MOST_KEPT ? [] : kept.value
      kept.value = new Map([...known, ...missing.map((id) => [id, { at: now, day: players[id] ?? [] }] as const)])
    },
    [ids.join(","), isWanted],
    { leastMs: KEPT_MS }
  )
