/**
 * The state of the page, in the fragment of its URL. `#/?q=…` shows the list, and `#/events?field=…` shows the events. `#/instances` shows
 * the monitor's instances, and `#/server/7?days=30` shows a server.
 */
import { computed, effect, signal } from "@preact/signals"
import { followPlace, formatFragment, place, replacePlace } from "@sourcewire/ui/place"

export { place }

/** The path of the list. */
export const LIST = "/"

/** The current path (default: {@link LIST}). */
export const path = computed(() => (place.value.path === "" ? LIST : place.value.path))

/** The number of the current server, if there is one. */
export const server = computed(() => /^\/server\/(\d+)$/.exec(path.value)?.[1])

/** The list with its last search, filter and order. */
export const listLink = signal(formatFragment(LIST))

/** Reads the URL whenever it changes. */
export const followAddress = (): void => {
  followPlace()
  effect(() => {
    if (path.value === LIST) listLink.value = formatFragment(LIST, place.value.parameters)
  })
}

/** Incidents of one server. */
export const incidentsLink = (id: number): string => `#/events?target=${id}&days=30`

export const serverLink = (id: number): string => `#/server/${id}`

/** Changes parameters of the current view, without a new entry in the browser's history. Empty parameters are removed. */
export const setParameters = (changes: Readonly<Record<string, string>>): void => {
  const next = new URLSearchParams(place.value.parameters)
  for (const [name, value] of Object.entries(changes)) {
    if (value === "") next.delete(name)
    else next.set(name, value)
  }
  replacePlace({ path: path.value, parameters: next })
}
