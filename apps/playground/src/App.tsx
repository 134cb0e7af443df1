/**
 * The frame around the views: name, tabs, light and dark.
 *
 * @module
 */
import type { ComponentChild } from "preact"
import { Ask } from "./ask/Ask.tsx"
import { Build } from "./build/Build.tsx"
import { Gallery } from "./gallery/Gallery.tsx"
import { fragment, tab, TABS, type Tab } from "./state/address.ts"
import { chooseTheme, theme, type Theme } from "./state/theme.ts"
import { TakeApart } from "./takeApart/TakeApart.tsx"

const views: Readonly<Record<Tab, { readonly title: string; readonly view: () => ComponentChild }>> = {
  "take-apart": { title: "Take apart", view: TakeApart },
  build: { title: "Build", view: Build },
  ask: { title: "Ask", view: Ask },
  gallery: { title: "Gallery", view: Gallery }
}

const THEMES: ReadonlyArray<Theme> = ["auto", "light", "dark"]

/** The page. */
export const App = () => {
  const View = views[tab.value].view
  return (
    <>
      <header class="top">
        <a class="brand" href="#take-apart">
          <svg viewBox="0 0 32 32" aria-hidden="true">
            <path d="M4 11h15M28 21H13" />
            <circle cx="25" cy="11" r="3" />
            <circle cx="7" cy="21" r="3" />
          </svg>
          <h1>
            Sourcewire <span>playground</span>
          </h1>
        </a>
        <nav aria-label="Views">
          {TABS.map((name) => (
            <a key={name} href={fragment(name)} aria-current={tab.value === name ? "page" : undefined}>
              {views[name].title}
            </a>
          ))}
        </nav>
        <label class="theme">
          <span class="hidden">Colours</span>
          <select value={theme.value} onChange={(event) => chooseTheme(event.currentTarget.value as Theme)}>
            {THEMES.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
      </header>
      <main>
        <View />
      </main>
    </>
  )
}
