/**
 * The current view of a page, stored in the fragment of its URL: `#path?key=value&…`. Browsers do not send the fragment to a server.
 *
 * @module
 */
import { signal } from "@preact/signals"

export interface Place {
  /** The part of the fragment before the question mark, without the `#`. */
  readonly path: string
  readonly parameters: URLSearchParams
}

/** Reads the place from the browser's current URL. */
export const addressed = (): Place => {
  const [path = "", query = ""] = location.hash.slice(1).split("?", 2)
  return { path, parameters: new URLSearchParams(query) }
}

/** The current place. It is set by {@link followPlace} and {@link replacePlace}. */
export const place = signal<Place>({ path: "", parameters: new URLSearchParams() })

/** The fragment of a place. Parameters that are `undefined` or empty are omitted. */
export const formatFragment = (
  path: string,
  parameters: Iterable<readonly [string, string | undefined]> = []
): string => {
  const given = Array.from(parameters, ([name, value = ""]) => [name, value]).filter(([, value]) => value !== "")
  return given.length === 0 ? `#${path}` : `#${path}?${new URLSearchParams(given)}`
}

/** Changes the fragment of the URL, but not the view. Adds no entry to the browser's history. */
export const replaceAddress = (fragment: string): void => {
  if (fragment !== location.hash) history.replaceState(history.state, "", fragment)
}

/** Changes the view and the fragment of the URL. Adds no entry to the browser's history. */
export const replacePlace = (next: Place): void => {
  replaceAddress(formatFragment(next.path, next.parameters))
  place.value = next
}

/**
 * Sets {@link place} now and after each change of the fragment. `arrive` converts the place in the URL to the place that is shown (default:
 * no conversion).
 */
export const followPlace = (arrive: (found: Place) => Place = (found) => found): void => {
  const show = (): void => void (place.value = arrive(addressed()))
  show()
  addEventListener("hashchange", show)
}
