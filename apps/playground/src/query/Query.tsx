/** The view that asks servers, through the bridge; without it, why not. */
import type { ComponentChild } from "preact"
import { useEffect } from "preact/hooks"
import { token, useAddress } from "../state/address.ts"
import { greet, status, trouble } from "./bridge.ts"
import { RconPane } from "./RconPane.tsx"
import { ServersPane } from "./ServersPane.tsx"
import { refresh } from "./emulated.ts"
import { PANES, kept, pane } from "./exchange.ts"
import { ListPane } from "./ListPane.tsx"
import { QueryPane } from "./QueryPane.tsx"
import { WatchPane } from "./WatchPane.tsx"

const panes: Readonly<Record<(typeof PANES)[number], { readonly title: string; readonly view: () => ComponentChild }>> =
  {
    query: { title: "One server", view: QueryPane },
    watch: { title: "Watch", view: WatchPane },
    list: { title: "List", view: ListPane },
    rcon: { title: "RCON", view: RconPane },
    servers: { title: "Servers", view: ServersPane }
  }

export const Query = () => {
  useAddress("query", kept)
  useEffect(() => {
    void greet().then(() => (status.value === undefined ? undefined : refresh()))
  }, [token.value])
  if (token.value === undefined) return <WithoutBridge />
  if (status.value === undefined) return <p role="status">{trouble.value ?? "Reaching the bridge …"}</p>
  const View = panes[pane.value].view
  return (
    <div class="query-view">
      <nav class="panes-nav" aria-label="Kinds of queries">
        {PANES.filter((name) => name !== "servers" || status.value?.emulate === true).map((name) => (
          <button key={name} type="button" aria-pressed={pane.value === name} onClick={() => void (pane.value = name)}>
            {panes[name].title}
          </button>
        ))}
      </nav>
      <View />
    </div>
  )
}

const WithoutBridge = () => (
  <section class="welcome" aria-label="Without a bridge">
    <h2>A query needs a bridge</h2>
    <p>
      Game servers answer over UDP, and browsers have none. A small program on your machine sends the datagrams for this
      page and shows it what comes back:
    </p>
    <pre class="terminal">npx sourcewire playground</pre>
    <p>
      It serves this same page on an address of your own machine and opens it. Only that page can use it, and nothing
      goes anywhere but to the servers that you ask. <code>--rcon</code> adds a remote console.
    </p>
    <p>
      Everything else works here without it: <a href="#decode">decode datagrams</a>,{" "}
      <a href="#encode">encode messages</a>, or look through the <a href="#examples">examples</a>.
    </p>
  </section>
)
