/**
 * The state of the page, in the fragment of its URL: `#tab?key=value&…`. This module removes the bridge's token from the URL, so that a
 * copied link does not contain the token.
 */
import { computed, type ReadonlySignal, signal, untracked, useSignalEffect } from "@preact/signals"
import { followPlace, formatFragment, place, replaceAddress } from "@sourcewire/ui/place"

export const TABS = ["decode", "encode", "query", "watch", "browser", "console", "emulator", "examples"] as const

export type Tab = (typeof TABS)[number]

const isTab = (path: string): path is Tab => (TABS as ReadonlyArray<string>).includes(path)

/** In links of earlier versions, these views were parts of Query. */
const FORMER_PARTS: Readonly<Record<string, Tab>> = {
  watch: "watch",
  list: "browser",
  rcon: "console",
  servers: "emulator"
}

const parseTab = (path: string): Tab => (isTab(path) ? path : "decode")

/** The current view. */
export const tab = computed(() => parseTab(place.value.path))

/** The parameters of the URL. */
export const parameters = computed<ReadonlyMap<string, string>>(() => new Map(place.value.parameters))

const TOKEN = "token"

/** The bridge's token, or `undefined` on a page that was not opened by the bridge. */
export const token = signal<string | undefined>(undefined)

/** The fragment that the page shows or has written. If the URL has a different fragment, the event of a link has not arrived yet. */
let known = ""

const writeAddress = (fragment: string): void => {
  replaceAddress(fragment)
  known = location.hash
}

export const followAddress = (): void =>
  followPlace((found) => {
    const { parameters } = found
    const part = found.path === "query" ? FORMER_PARTS[parameters.get("p") ?? ""] : undefined
    const path = part ?? parseTab(found.path)
    const given = parameters.get(TOKEN)
    // The token is stored for this tab of the browser, so that it is still known after a reload.
    if (given !== null) sessionStorage.setItem(TOKEN, given)
    if (given !== null || part !== undefined) {
      parameters.delete(TOKEN)
      parameters.delete("p")
      replaceAddress(formatFragment(path, parameters))
    }
    known = location.hash
    token.value = sessionStorage.getItem(TOKEN) ?? undefined
    return { path, parameters }
  })

/** The parameters of a view. Absent and empty parameters are omitted. */
export type Values = Readonly<Record<string, string | undefined>>

export const fragment = (name: Tab, values: Values = {}): string => formatFragment(name, Object.entries(values))

export const linkTo = (name: Tab, values: Values): string => new URL(fragment(name, values), location.href).href

export const go = (name: Tab): void => {
  location.hash = fragment(name)
}

interface FirstScreen {
  readonly isFirstScreen: true
}

const isFirstScreen = (state: unknown): boolean => (state as FirstScreen | null)?.isFirstScreen === true

/** Adds an entry to the browser's history, so that Back returns to the first screen. */
export const leaveFirstScreen = (): void => {
  history.replaceState({ isFirstScreen: true } satisfies FirstScreen, "")
  // The fragment must differ, because the browser reports no change between equal fragments.
  history.pushState(null, "", fragment("decode", { r: "0" }))
  known = location.hash
}

interface Kept {
  /** The parameter with the largest part of the state. */
  readonly key: string
  /** The signals that form the state. */
  readonly watched: ReadonlyArray<ReadonlySignal<unknown>>
  /** The parameters to write; `undefined` does not change the URL. */
  readonly save: () => Promise<Values | undefined>
  readonly recall: (parameters: ReadonlyMap<string, string>) => Promise<void>
  /** Called when Back returns to the first screen. */
  readonly empty?: () => void
}

/** Delay in milliseconds before the URL is written, because browsers limit the rate. */
const REST_MS = 300

/** The last written value of each view's largest parameter. If the page reads the same value from the URL, nothing changes. */
const remembered = new Map<Tab, { readonly key: string; packed?: string }>()

/** Reads a view's state from the URL, and writes changes of the state to the URL, without new entries in the browser's history. */
export const useAddress = (name: Tab, { empty, key, recall, save, watched }: Kept): void => {
  const kept = remembered.get(name) ?? { key }
  remembered.set(name, kept)
  useSignalEffect(() => {
    const packed = parameters.value.get(key)
    if (tab.value !== name) return
    if (packed === undefined && isFirstScreen(history.state)) {
      // This value is cleared, so that Forward reads the same parameter again.
      kept.packed = ""
      untracked(() => empty?.())
    }
    if (packed === undefined || packed === kept.packed) return
    kept.packed = packed
    void recall(parameters.value)
  })
  useSignalEffect(() => {
    // The effect reads these signals, so that it runs again when one of them changes.
    void [parameters.value, ...watched.map((one) => one.value)]
    const write = async (): Promise<void> => {
      const values = await save()
      if (values === undefined || tab.value !== name || location.hash !== known) return
      kept.packed = values[key] ?? ""
      writeAddress(fragment(name, values))
    }
    const timer = setTimeout(() => void write(), REST_MS)
    return () => clearTimeout(timer)
  })
}
