/**
 * What the page shows, kept in the fragment of its address: `#/?q=…` is the list, `#/events?field=…` what happened, `#/machines` who
 * asks, `#/server/7?days=30` a server.
 */
import { signal } from "@preact/signals"

export interface Place {
  readonly view: "list" | "events" | "machines" | "server"
  /** The number of a server, where one is shown. */
  readonly server: string | undefined
  readonly parameters: URLSearchParams
}

const read = (): Place => {
  const [path = "", query = ""] = location.hash.slice(1).split("?", 2)
  const server = /^\/server\/(\d+)$/.exec(path)?.[1]
  const view =
    server !== undefined ? "server" : path === "/events" ? "events" : path === "/machines" ? "machines" : "list"
  return { view, server, parameters: new URLSearchParams(query) }
}

export const place = signal(read())

/** The list as it was last seen: searched, filtered and in that order. */
export const listLink = signal("#/")

const linkOf = ({ parameters, server, view }: Place): string => {
  const query = parameters.toString()
  const path = view === "list" ? "" : view === "server" ? `server/${server}` : view
  return `#/${path}${query === "" ? "" : `?${query}`}`
}

const show = (next: Place): void => {
  place.value = next
  if (next.view === "list") listLink.value = linkOf(next)
}

/** Reads the address whenever it changes. */
export const followAddress = (): void => {
  show(place.value)
  addEventListener("hashchange", () => show(read()))
}

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
