/** The frame: name, how all is, and the list or a server. */
import type { Overview } from "@sourcewire/monitor/api"
import { useSignal } from "@preact/signals"
import { ask, useRepeatedly } from "./ask.ts"
import { place } from "./address.ts"
import { ServerList } from "./list/ServerList.tsx"
import { Server } from "./server/Server.tsx"
import { count } from "./words.ts"

/** The page. */
export const App = () => {
  const overview = useSignal<Overview | undefined>(undefined)
  const trouble = useSignal<string | undefined>(undefined)
  useRepeatedly(
    async (signal) => void (overview.value = await ask<Overview>("overview", signal)),
    (told) => void (trouble.value = told),
    []
  )
  const all = overview.value
  const { server } = place.value
  return (
    <>
      <header class="top">
        <a class="brand" href="#/">
          <h1>
            Sourcewire <span>monitor</span>
          </h1>
        </a>
        {all !== undefined && (
          <ul class="totals" aria-label="All servers">
            <li>
              <b>{count(all.up)}</b> up
            </li>
            <li>
              <b>{count(all.down)}</b> down
            </li>
            {all.unknown > 0 && (
              <li>
                <b>{count(all.unknown)}</b> unknown
              </li>
            )}
            <li>
              <b>{count(all.players)}</b> players
            </li>
          </ul>
        )}
      </header>
      <main>
        {trouble.value !== undefined && (
          <p class="notice wrong" role="alert">
            {trouble.value}
          </p>
        )}
        {all?.storeTrouble !== undefined && (
          <p class="notice wrong" role="alert">
            History cannot be written now: {all.storeTrouble}
          </p>
        )}
        {server !== undefined ? (
          <Server key={server} id={server} />
        ) : all?.targets === 0 ? (
          <NobodyYet />
        ) : (
          <ServerList />
        )}
      </main>
    </>
  )
}

const NobodyYet = () => (
  <section class="empty">
    <h2>No server is watched yet</h2>
    <p>
      Write the address of one into <code>targets</code> of a group in the file that the monitor was started with (
      <code>--config</code>): it is followed, and the server is here within seconds.
    </p>
    <pre>
      <code>{'{ "groups": [{ "name": "mine", "targets": ["127.0.0.1:27015"] }] }'}</code>
    </pre>
    <p>
      Without a file: <code>sourcewire monitor 127.0.0.1:27015</code>. To try it out, <code>sourcewire serve</code>{" "}
      emulates a server.
    </p>
  </section>
)
