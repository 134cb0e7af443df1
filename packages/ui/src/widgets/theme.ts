/** Light or dark theme: the user's choice, otherwise the setting of the system. */
import { effect, signal } from "@preact/signals"

const KEY = "theme"

export const THEMES = { auto: "system", light: "light", dark: "dark" } as const

/** The choice; `auto` follows the system. */
export const theme = signal<keyof typeof THEMES>("auto")

/** Reads the choice from this browser's storage, stores changes there, and applies it. */
export const followTheme = (): void => {
  const stored = localStorage.getItem(KEY)
  if (stored === "light" || stored === "dark") theme.value = stored
  effect(() => {
    localStorage.setItem(KEY, theme.value)
    document.documentElement.dataset["theme"] = theme.value
  })
}
