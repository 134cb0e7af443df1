/** Light or dark: what the system says, unless the reader chose. */
import { effect, signal } from "@preact/signals"

const KEY = "theme"

export const THEMES = { auto: "system", light: "light", dark: "dark" } as const

/** The choice; `auto` is what the system says. */
export const theme = signal<keyof typeof THEMES>("auto")

/** Takes the choice from this browser, keeps it there, and puts it into effect. */
export const followTheme = (): void => {
  const stored = localStorage.getItem(KEY)
  if (stored === "light" || stored === "dark") theme.value = stored
  effect(() => {
    localStorage.setItem(KEY, theme.value)
    document.documentElement.dataset["theme"] = theme.value
  })
}
