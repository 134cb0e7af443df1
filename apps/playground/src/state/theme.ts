/**
 * Light or dark: what the system says, unless the reader chose.
 *
 * @module
 */
import { signal } from "@preact/signals"

/** What was chosen. */
export type Theme = "auto" | "light" | "dark"

const KEY = "theme"

const stored = (): Theme => {
  const value = localStorage.getItem(KEY)
  return value === "light" || value === "dark" ? value : "auto"
}

/** The choice, kept on this browser. */
export const theme = signal<Theme>(stored())

/** Puts the choice into effect. */
export const applyTheme = (): void => {
  if (theme.value === "auto") document.documentElement.removeAttribute("data-theme")
  else document.documentElement.setAttribute("data-theme", theme.value)
}

/** Chooses, and keeps the choice. */
export const chooseTheme = (chosen: Theme): void => {
  theme.value = chosen
  if (chosen === "auto") localStorage.removeItem(KEY)
  else localStorage.setItem(KEY, chosen)
  applyTheme()
}
