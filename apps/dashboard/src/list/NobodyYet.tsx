/** What stands where the list will be. */
import { AddServer } from "./AddServer.tsx"

/** How to have a server watched: here, where the monitor keeps its list itself, else in its file. */
export const NobodyYet = ({ adds }: { readonly adds: boolean }) => (
  <section class="empty">
    <h2>No server is watched yet</h2>
    {adds ? (
      <>
        <p>Give the address of the first one, with its query port.</p>
        <AddServer />
        <p class="quiet">
          Some games answer at another port than they are played at: with the game's name in front it is found, as in{" "}
          <code>rust:play.example.org</code>. To try it out, start <code>sourcewire serve</code> and add{" "}
          <code>127.0.0.1:27015</code>.
        </p>
      </>
    ) : (
      <>
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
      </>
    )}
  </section>
)
