/** The frame of the page: name, tabs and theme. */
import type { ComponentChild } from "preact"
import { Browser, Console, Emulator, Query, Watch } from "./query/Query.tsx"
import { Encode } from "./encode/Encode.tsx"
import { Examples } from "./examples/Examples.tsx"
import { TABS, type Tab, fragment, tab } from "./state/address.ts"
import { Choice, theme, THEMES, Top } from "@sourcewire/ui/widgets"
import { Decode } from "./decode/Decode.tsx"

const views: Readonly<Record<Tab, { readonly title: string; readonly view: () => ComponentChild }>> = {
  decode: { title: "Decode", view: Decode },
  encode: { title: "Encode", view: Encode },
  query: { title: "Query", view: Query },
  watch: { title: "Watch", view: Watch },
  browser: { title: "Browser", view: Browser },
  console: { title: "Console", view: Console },
  emulator: { title: "Emulator", view: Emulator },
  examples: { title: "Examples", view: Examples }
}

export const App = () => {
  const View = views[tab.value].view
  return (
    <>
      <Top
        page="playground"
        home="#decode"
        views={TABS.map((name) => [views[name].title, fragment(name), tab.value === name])}
      >
        <Choice class="theme" label="Colours" value={theme} options={THEMES} />
      </Top>
      <main>
        <View />
      </main>
    </>
  )
}
