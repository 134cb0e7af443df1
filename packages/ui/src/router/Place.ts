/**
 * The place that a page shows, kept in the fragment of its address, `#path?key=value&…`, which browsers do not send to a server.
 *
 * @module
 */
import { signal } from "@preact/signals"

export interface Place {
  /** Everything before the question mark, without the `#`. */
  readonly path: string
  readonly parameters: URLSearchParams
}

/** The place in the address of the browser. */
export const addressed = (): Place => {
  const [path = "", query = ""] = location.hash.slice(1).split("?", 2)
  return { path, parameters: new URLSearchParams(query) }
}

/** The place that is shown; set by {@link followPlace} and {@link replacePlace}. */
export const place = signal<Place>({ path: "", parameters: new URLSearchParams() })

/** The fragment of a place; absent and empty parameters are left out. */
export const fragmentOf = (path: string, parameters: Iterable<readonly [string, string | undefined]> = []): string => {
  const given = Array.from(parameters, ([name, value = ""]) => [name, value]).filter(([, value]) => value !== "")
  return given.length === 0 ? `#${path}` : `#${path}?${new URLSearchParams(given)}`
}

/** Writes another fragment into the address, without another step in the browser's history and without showing it. */
export const replaceAddress = (fragment: string): void => history.replaceState(history.state, "", fragment)

/** Shows another place, without another step in the browser's history. */
export const replacePlace = (next: Place): void => {
  replaceAddress(fragmentOf(next.path, next.parameters))
  place.value = next
}

/** Shows the place in the address, now and whenever the address changes. `arrive` may change the place first. */
export const followPlace = (arrive: (found: Place) => Place = (found) => found): void => {
  const show = (): void => void (place.value = arrive(addressed()))
  show()
  addEventListener("hashchange", show)
}
