/**
 * What the page shows, kept in the fragment of its address: `#/?q=…` is the list, `#/events?field=…` the events, `#/instances` the
 * monitor's processes, `#/server/7?days=30` a server.
 */
import { signal } from "@preact/signals"

export interface Place {
  /** `#/` for the list, `#/events` and the like; any other text if there is no such page. */
  readonly path: string
  /** The number of a server, where one is shown. */
  readonly server: string | undefined
  readonly parameters: URLSearchParams
}

const read = (): Place => {
  const [given = "", query = ""] = location.hash.split("?", 2)
  const server = /^#\/server\/(\d+)$/.exec(given)?.[1]
  const path = given === "" || given === "#" ? "#/" : given
  return { path, server, parameters: new URLSearchParams(query) }
}

export const place = signal(read())

/** The list as it was last seen: searched, filtered and in that order. */
export const listLink = signal("#/")

const linkOf = ({ parameters, path }: Place): string => (parameters.size === 0 ? path : `${path}?${parameters}`)

const show = (next: Place): void => {
  place.value = next
  if (next.path === "#/") listLink.value = linkOf(next)
}

/** Reads the address whenever it changes. */
export const followAddress = (): void => {
  show(place.value)
  addEventListener("hashchange", () => show(read()))
}

/** Incidents of one server. */
export const incidentsLink = (id: number): string => `#/events?target=${id}&days=30`

export const serverLink = (id: number): string => `#/server/${id}`

/** Changes parameters in the place that is shown, without another step back; empty ones are left out. */
export const setParameters = (changes: Readonly<Record<string, string>>): void => {
  const parameters = new URLSearchParams(place.value.parameters)
  for (const [name, value] of Object.entries(changes)) {
    if (value === "") parameters.delete(name)
    else parameters.set(name, value)
  }
  const next = { ...place.value, parameters }
  history.replaceState(history.state, "", linkOf(next))
  show(next)
}
