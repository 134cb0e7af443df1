/** Explains how to add the first server. This text is shown instead of the list while the monitor has no servers. */
import { AddServer } from "./AddServer.tsx"

export const NoServers = ({ adds }: { readonly adds: boolean }) => (
  <section class="empty">
    <h2>No servers yet</h2>
    {adds ? (
      <>
        <p>Enter the address of your first server, with its query port.</p>
        <AddServer />
        <p class="quiet">
          The query port of some games differs from the game port. Put the game's name in front of the address, as in{" "}
          <code>rust:play.example.org</code>, and the monitor finds the query port. To try it, run{" "}
          <code>sourcewire serve</code> and add <code>127.0.0.1:27015</code>.
        </p>
      </>
    ) : (
      <>
        <p>
          Add an address to <code>targets</code> of a group in the configuration file (<code>--config</code>). The
          monitor reads the file again when it changes, and the server appears here within seconds.
        </p>
        <pre>
          <code>{'{ "groups": [{ "name": "mine", "targets": ["127.0.0.1:27015"] }] }'}</code>
        </pre>
        <p>
          Without a file: <code>sourcewire monitor 127.0.0.1:27015</code>. To try it, <code>sourcewire serve</code>{" "}
          emulates a server.
        </p>
      </>
    )}
  </section>
)
