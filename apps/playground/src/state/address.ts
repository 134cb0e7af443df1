/**
 * The page's state in the fragment of its address, `#tab?key=value&…`, which no browser sends to a server. Also takes the bridge's token
 * out of it, so that a copied link never holds it.
 *
 * @module
 */
import { signal } from "@preact/signals"

/** The views of the page. */
export const TABS = ["take-apart", "build", "ask", "gallery"] as const

/** Name of a view, as in the address. */
export type Tab = (typeof TABS)[number]

/** The view that is shown. */
export const tab = signal<Tab>("take-apart")

/** What the address says beside the view; replaced as a whole when the address changes. */
export const parameters = signal<ReadonlyMap<string, string>>(new Map())

const TOKEN = "token"

/** The bridge's token, or `undefined` on a page that was not opened by the bridge. */
export const token = signal<string | undefined>(undefined)

const read = (): void => {
  const [name = "", query = ""] = location.hash.slice(1).split("?", 2)
  const found = new URLSearchParams(query)
  const given = found.get(TOKEN)
  if (given !== null) {
    // For this tab only, so that a reload keeps it.
    sessionStorage.setItem(TOKEN, given)
    found.delete(TOKEN)
    const rest = found.toString()
    history.replaceState(null, "", `#${name}${rest === "" ? "" : `?${rest}`}`)
  }
  token.value = sessionStorage.getItem(TOKEN) ?? undefined
  tab.value = (TABS as ReadonlyArray<string>).includes(name) ? (name as Tab) : "take-apart"
  parameters.value = new Map(found)
}

/** Reads the address now and whenever it changes. */
export const followAddress = (): void => {
  read()
  addEventListener("hashchange", read)
}

/** A fragment for a link. Values that are absent or empty are left out. */
export const fragment = (name: Tab, values: Readonly<Record<string, string | undefined>> = {}): string => {
  const given = Object.entries(values).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== ""
  )
  const query = new URLSearchParams(given).toString()
  return `#${name}${query === "" ? "" : `?${query}`}`
}

/** Writes the state into the address without a new step in the history, and without reading it back. */
export const rememberState = (name: Tab, values: Readonly<Record<string, string | undefined>>): void => {
  if (tab.value === name) history.replaceState(null, "", fragment(name, values))
}

/** Goes to a view, as following a link would. */
export const go = (name: Tab, values?: Readonly<Record<string, string | undefined>>): void => {
  location.hash = fragment(name, values)
}
