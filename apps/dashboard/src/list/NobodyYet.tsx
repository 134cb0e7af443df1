/** What stands where the list will be. */

/** How to have a server watched. */
export const NobodyYet = () => (
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
