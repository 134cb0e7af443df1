/**
 * The current view of a page, stored in the fragment of its URL: `#path?key=value&…`. Browsers do not send the fragment to a server.
 *
 * @module
 */
import { signal } from "@preact/signals"

export interface Place {
  /** Everything before the question mark, without the `#`. */
  readonly path: string
  readonly parameters: URLSearchParams
}

/** The place in the browser's current URL. */
export const addressed = (): Place => {
  const [path = "", query = ""] = location.hash.slice(1).split("?", 2)
  return { path, parameters: new URLSearchParams(query) }
}

/** The current place; set by {@link followPlace} and {@link replacePlace}. */
export const place = signal<Place>({ path: "", parameters: new URLSearchParams() })

/** The fragment of a place, without absent and empty parameters. */
export const formatFragment = (
  path: string,
  parameters: Iterable<readonly [string, string | undefined]> = []
): string => {
  const given = Array.from(parameters, ([name, value = ""]) => [name, value]).filter(([, value]) => value !== "")
  return given.length === 0 ? `#${path}` : `#${path}?${new URLSearchParams(given)}`
}

/** Changes the fragment of the URL without a new entry in the browser's history. The view does not change. */
export const replaceAddress = (fragment: string): void => history.replaceState(history.state, "", fragment)

/** Changes the view without a new entry in the browser's history. */
export const replacePlace = (next: Place): void => {
  replaceAddress(formatFragment(next.path, next.parameters))
  place.value = next
}

/** Shows the place in the URL, now and after each change of the URL. `arrive` can return a different place. */
export const followPlace = (arrive: (found: Place) => Place = (found) => found): void => {
  const show = (): void => void (place.value = arrive(addressed()))
  show()
  addEventListener("hashchange", show)
}
