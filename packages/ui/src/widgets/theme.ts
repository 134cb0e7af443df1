/** The theme of the pages: light or dark. The user can choose a theme. By default, the theme depends on the setting of the system. */
import { effect, signal } from "@preact/signals"

const KEY = "theme"

export const THEMES = { auto: "system", light: "light", dark: "dark" } as const

/** The user's choice. With `auto`, the page uses the setting of the system. */
export const theme = signal<keyof typeof THEMES>("auto")

/** Reads the user's choice from the storage of this browser, and applies it. Stores the choice again after each change. */
export const followTheme = (): void => {
  const stored = localStorage.getItem(KEY)
  if (stored === "light" || stored === "dark") theme.value = stored
  effect(() => {
    localStorage.setItem(KEY, theme.value)
    document.documentElement.dataset["theme"] = theme.value
  })
}
