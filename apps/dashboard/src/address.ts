/**
 * The state of the page in the fragment of its URL. The fragments of the views are:
 *
 * - `#/?q=…`: the list
 * - `#/events?field=…`: the events
 * - `#/webhooks`: the webhooks
 * - `#/instances`: the monitor's instances
 * - `#/server/7?days=30`: one server
 */
import { computed, effect, signal } from "@preact/signals"
import { followPlace, formatFragment, place, replacePlace } from "@sourcewire/ui/place"

export { place }

/** The path of the list of servers. */
export const LIST = "/"

/** The path of the current view, from the fragment of the URL. If the fragment contains no path, the view is the list ({@link LIST}). */
export const path = computed(() => (place.value.path === "" ? LIST : place.value.path))

/** The number of the server whose page is shown. `undefined` if the page shows no single server. */
export const server = computed(() => /^\/server\/(\d+)$/.exec(path.value)?.[1])

/** A link to the list. The link contains the last search, the last filters and the last order of the list. */
export const listLink = signal(formatFragment(LIST))

/** Reads the state of the page from the URL: immediately, and again after every change of the URL. */
export const followAddress = (): void => {
  followPlace()
  effect(() => {
    if (path.value === LIST) listLink.value = formatFragment(LIST, place.value.parameters)
  })
}

/** A link to the incidents of one server in the last 30 days. */
export const incidentsLink = (id: number): string => `#/events?target=${id}&days=30`

export const serverLink = (id: number): string => `#/server/${id}`

/**
 * Changes parameters of the current view in the URL, without a new entry in the browser's history. An empty value removes the parameter
 * from the URL.
 */
export const setParameters = (changes: Readonly<Record<string, string>>): void => {
  const next = new URLSearchParams(place.value.parameters)
  for (const [name, value] of Object.entries(changes)) {
    if (value === "") next.delete(name)
    else next.set(name, value)
  }
  replacePlace({ path: path.value, parameters: next })
}
