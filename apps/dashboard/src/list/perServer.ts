/** The last 24 hours and the uptime of the visible servers. These values change slowly, so the page caches them for several minutes. */
import type { Days, Uptimes } from "@sourcewire/monitor/api"
import { signal } from "@preact/signals"
import { getJson, useRepeatedly } from "../requests.ts"

/** The last 24 hours of a server. For each hour: the number of players, and for how many milliseconds the server was up, down and muted. */
export interface Day {
  readonly players: Days["players"][string]
  readonly times: Days["times"][string]
}

/** A period for which the monitor reports the uptime. */
export type Period = keyof Uptimes

/**
 * Milliseconds for which the values of a server are cached. After this time, all values of the server are requested again, because the
 * values of the current hour have changed.
 */
const CACHED_MS = 300_000
/** Maximum number of servers per request. */
const MOST = 100
/** Maximum number of servers in the cache. */
const MAX_CACHED = 5000

const makePerServer = <A>(
  request: (ids: string, signal: AbortSignal) => Promise<Readonly<Record<string, A | undefined>>>
) => {
  const cached = signal<ReadonlyMap<number, { readonly at: number; readonly value: A | undefined }>>(new Map())
  const isFresh = (id: number, now: number): boolean =>
    now - (cached.value.get(id)?.at ?? Number.NEGATIVE_INFINITY) < CACHED_MS
  return {
    /** The cached values of a server. `undefined` until the values are loaded. */
    of: (id: number): A | undefined => cached.value.get(id)?.value,
    /**
     * Requests the values of the servers `ids`, except values in the cache. If the request fails, the list shows the servers without these
     * values.
     */
    useAll: (ids: ReadonlyArray<number>, isWanted: boolean): void =>
      void useRepeatedly(
        async (signal) => {
          const now = performance.now()
          const missing = ids.filter((id) => !isFresh(id, now)).slice(0, MOST)
          if (!isWanted || missing.length === 0) return
          const values = await request(missing.join(","), signal)
          const known = cached.value.size > MAX_CACHED ? [] : cached.value
          cached.value = new Map([...known, ...missing.map((id) => [id, { at: now, value: values[id] }] as const)])
        },
        [ids.join(","), isWanted],
        { leastMs: CACHED_MS }
      )
  }
}

export const days = makePerServer<Day>(async (ids, signal) => {
  const { players, times } = await getJson<Days>(`days?targets=${ids}`, signal)
  return Object.fromEntries(
    Object.entries(players).map(([id, one]) => [id, { players: one, times: times[id] ?? [] }] as const)
  )
})

export const uptimes = makePerServer<Uptimes>(
  async (ids, signal) =>
    (await getJson<{ readonly uptime: Readonly<Record<string, Uptimes>> }>(`uptime?targets=${ids}`, signal)).uptime
)
