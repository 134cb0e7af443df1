/** What the page shows, kept in the fragment of its address: `#/?q=…` is the list, `#/server/7?days=30` a server. */
import { signal } from "@preact/signals"

/** What the address says. */
export interface Place {
  /** The number of a server; `undefined` for the list. */
  readonly server: string | undefined
  readonly parameters: URLSearchParams
}

const read = (): Place => {
  const [path = "", query = ""] = location.hash.slice(1).split("?", 2)
  return { server: /^\/server\/(\d+)$/.exec(path)?.[1], parameters: new URLSearchParams(query) }
}

/** Where the page is now. */
export const place = signal(read())

/** Reads the address whenever it changes. */
export const followAddress = (): void => {
  addEventListener("hashchange", () => void (place.value = read()))
}

/** A link to a server's page. */
export const serverLink = (id: number): string => `#/server/${id}`

/** Changes parameters in the place that is shown, without another step back; empty ones are left out. */
export const setParameters = (changes: Readonly<Record<string, string>>): void => {
  const { parameters, server } = place.value
  const next = new URLSearchParams(parameters)
  for (const [name, value] of Object.entries(changes)) {
    if (value === "") next.delete(name)
    else next.set(name, value)
  }
  history.replaceState(history.state, "", `#/${server === undefined ? "" : `server/${server}`}?${next}`)
  place.value = { server, parameters: next }
}
