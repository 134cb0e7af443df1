/** The frame around the views: name, tabs, light and dark. */
import type { ComponentChild } from "preact"
import { Query } from "./query/Query.tsx"
import { Encode } from "./encode/Encode.tsx"
import { Examples } from "./examples/Examples.tsx"
import { TABS, type Tab, fragment, tab } from "./state/address.ts"
import { THEMES, theme } from "./state/theme.ts"
import { Decode } from "./decode/Decode.tsx"
import { Choice } from "./widgets/forms.tsx"

const views: Readonly<Record<Tab, { readonly title: string; readonly view: () => ComponentChild }>> = {
  decode: { title: "Decode", view: Decode },
  encode: { title: "Encode", view: Encode },
  query: { title: "Query", view: Query },
  examples: { title: "Examples", view: Examples }
}

/** The page. */
export const App = () => {
  const View = views[tab.value].view
  return (
    <>
      <header class="top">
        <a class="brand" href="#decode">
          <span class="logo" />
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
        <Choice class="theme" label="Colours" value={theme} options={THEMES} />
      </header>
      <main>
        <View />
      </main>
    </>
  )
}
