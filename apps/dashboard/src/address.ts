/**
 * What the page shows, kept in the fragment of its address: `#/?q=…` is the list, `#/events?field=…` the events, `#/instances` the
 * monitor's processes, `#/server/7?days=30` a server.
 */
import { computed, effect, signal } from "@preact/signals"
import { followPlace, fragmentOf, place, replacePlace } from "@sourcewire/ui/place"

export { place }

/** The path of the list. */
export const LIST = "/"

/** The path that is shown; {@link LIST} if the address has none. */
export const path = computed(() => (place.value.path === "" ? LIST : place.value.path))

/** The number of the server that is shown, if one is. */
export const server = computed(() => /^\/server\/(\d+)$/.exec(path.value)?.[1])

/** The list as it was last seen: searched, filtered and in that order. */
export const listLink = signal(fragmentOf(LIST))

/** Reads the address whenever it changes. */
export const followAddress = (): void => {
  followPlace()
  effect(() => {
    if (path.value === LIST) listLink.value = fragmentOf(LIST, place.value.parameters)
  })
}

/** Incidents of one server. */
export const incidentsLink = (id: number): string => `#/events?target=${id}&days=30`

export const serverLink = (id: number): string => `#/server/${id}`

/** Changes parameters in the place that is shown, without another step back; empty ones are left out. */
export const setParameters = (changes: Readonly<Record<string, string>>): void => {
  const next = new URLSearchParams(place.value.parameters)
  for (const [name, value] of Object.entries(changes)) {
    if (value === "") next.delete(name)
    else next.set(name, value)
  }
  replacePlace({ path: path.value, parameters: next })
}
