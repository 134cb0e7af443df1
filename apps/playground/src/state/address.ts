/**
 * The page's state in the fragment of its address, `#tab?key=value&…`. Also takes the bridge's token out of it, so that a copied link
 * never holds it.
 */
import { computed, type ReadonlySignal, signal, untracked, useSignalEffect } from "@preact/signals"
import { followPlace, formatFragment, place, replaceAddress } from "@sourcewire/ui/place"

export const TABS = ["decode", "encode", "query", "watch", "browser", "console", "emulator", "examples"] as const

export type Tab = (typeof TABS)[number]

const isTab = (path: string): path is Tab => (TABS as ReadonlyArray<string>).includes(path)

/** Links of earlier versions had these views as parts of Query. */
const FORMER_PARTS: Readonly<Record<string, Tab>> = {
  watch: "watch",
  list: "browser",
  rcon: "console",
  servers: "emulator"
}

const tabOf = (path: string): Tab => (isTab(path) ? path : "decode")

/** The view that is shown. */
export const tab = computed(() => tabOf(place.value.path))

/** What the address says beside the view. */
export const parameters = computed<ReadonlyMap<string, string>>(() => new Map(place.value.parameters))

const TOKEN = "token"

/** The bridge's token, or `undefined` on a page that was not opened by the bridge. */
export const token = signal<string | undefined>(undefined)

/** The fragment that the page shows or has written. If the address has another one, the event of a link has not arrived yet. */
let known = ""

const writeAddress = (fragment: string): void => {
  replaceAddress(fragment)
  known = location.hash
}

export const followAddress = (): void =>
  followPlace((found) => {
    const { parameters } = found
    const part = found.path === "query" ? FORMER_PARTS[parameters.get("p") ?? ""] : undefined
    const path = part ?? tabOf(found.path)
    const given = parameters.get(TOKEN)
    // For this tab only, so that a reload keeps it.
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

/** What an address says of a view; what is absent or empty is left out. */
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
  // Another fragment, because Back between equal ones is no change.
  history.pushState(null, "", fragment("decode", { r: "0" }))
  known = location.hash
}

interface Kept {
  /** The parameter that holds most of it. */
  readonly key: string
  /** Signals that make it up. */
  readonly watched: ReadonlyArray<ReadonlySignal<unknown>>
  /** What to write; `undefined` leaves the address as it is. */
  readonly save: () => Promise<Values | undefined>
  readonly recall: (parameters: ReadonlyMap<string, string>) => Promise<void>
  /** Called when Back returns to the first screen. */
  readonly empty?: () => void
}

/** Milliseconds of rest before the address is written: browsers limit how often it may be. */
const REST_MS = 300

/** By view, the parameter that holds most of it, and what it holds now, so that reading it back does nothing. */
const remembered = new Map<Tab, { readonly key: string; packed?: string }>()

/** Takes a view's state from the address, and keeps it there without a step in the browser's history. */
export const useAddress = (name: Tab, { empty, key, recall, save, watched }: Kept): void => {
  const kept = remembered.get(name) ?? { key }
  remembered.set(name, kept)
  useSignalEffect(() => {
    const packed = parameters.value.get(key)
    if (tab.value !== name) return
    if (packed === undefined && isFirstScreen(history.state)) {
      // Forward can follow at once, and reads it back.
      kept.packed = ""
      untracked(() => empty?.())
    }
    if (packed === undefined || packed === kept.packed) return
    kept.packed = packed
    void recall(parameters.value)
  })
  useSignalEffect(() => {
    // Read here, so that a change of any of them runs this again.
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
