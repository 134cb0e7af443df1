/**
 * The state of the page in the fragment of its URL, in the form `#tab?key=value&…`. This module removes the bridge's token from the URL, so
 * that a copied link does not contain the token.
 */
import { computed, type ReadonlySignal, signal, untracked, useSignalEffect } from "@preact/signals"
import { followPlace, formatFragment, place, replaceAddress } from "@sourcewire/ui/place"

export const TABS = ["decode", "encode", "query", "watch", "browser", "console", "emulator", "examples"] as const

export type Tab = (typeof TABS)[number]

const isTab = (path: string): path is Tab => (TABS as ReadonlyArray<string>).includes(path)

/**
 * The views that were parts of the view Query in earlier versions, by the name of the part. Links from these versions contain this name.
 */
const FORMER_PARTS: Readonly<Record<string, Tab>> = {
  watch: "watch",
  list: "browser",
  rcon: "console",
  servers: "emulator"
}

const parseTab = (path: string): Tab => (isTab(path) ? path : "decode")

/** The current view. */
export const tab = computed(() => parseTab(place.value.path))

/** The parameters in the fragment of the URL. */
export const parameters = computed<ReadonlyMap<string, string>>(() => new Map(place.value.parameters))

const TOKEN = "token"

/** The bridge's token. `undefined` if the bridge did not open the page. */
export const token = signal<string | undefined>(undefined)

/**
 * The fragment of the URL when the page last read or wrote it. If the fragment of the URL differs from this text, the URL has changed, but
 * the browser has not reported the change to the page yet.
 */
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
    // The token is stored for this tab of the browser, so that the token is still known when the page is reloaded.
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

/** The parameters of a view. Parameters that are `undefined` or empty are not written. */
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
  // The new fragment must differ from the fragment of the first screen. Otherwise, the browser would not report a change when the user
  // presses Back.
  history.pushState(null, "", fragment("decode", { r: "0" }))
  known = location.hash
}

interface Remembered {
  /** The name of the main parameter. When the URL changes, the page restores the state only if the value of this parameter has changed. */
  readonly key: string
  /** The signals that form the state. */
  readonly watched: ReadonlyArray<ReadonlySignal<unknown>>
  /** Returns the parameters for the URL, or `undefined` if the URL should not change. */
  readonly save: () => Promise<Values | undefined>
  readonly recall: (parameters: ReadonlyMap<string, string>) => Promise<void>
  /** The page calls this function when the user returns to the first screen with the button Back. */
  readonly empty?: () => void
}

/**
 * Delay from the last change of the state to the change of the URL, in milliseconds. The page waits because browsers limit how often a page
 * can change its URL.
 */
const REST_MS = 300

/**
 * For each view: the name of its main parameter (`key`), and the last value of this parameter in the URL (`packed`). If the page reads the
 * same value again, it does not restore the state of the view.
 */
const remembered = new Map<Tab, { readonly key: string; packed?: string }>()

/** Reads the state of a view from the URL. Writes changes of the state to the URL, without adding entries to the browser's history. */
export const useAddress = (name: Tab, { empty, key, recall, save, watched }: Remembered): void => {
  const kept = remembered.get(name) ?? { key }
  remembered.set(name, kept)
  useSignalEffect(() => {
    const packed = parameters.value.get(key)
    if (tab.value !== name) return
    if (packed === undefined && isFirstScreen(history.state)) {
      // If the user then presses Forward, the URL contains the previous value of the main parameter again. This line removes the stored
      // value, because the view would otherwise not restore its state.
      kept.packed = ""
      untracked(() => empty?.())
    }
    if (packed === undefined || packed === kept.packed) return
    kept.packed = packed
    void recall(parameters.value)
  })
  useSignalEffect(() => {
    // This effect must run again when one of these signals changes. Therefore it reads the signals, although it does not use their values.
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
