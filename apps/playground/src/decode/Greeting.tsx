/** What the page is for, beside the field for pasting. */

export const Greeting = () => (
  <div class="greeting">
    <h2>
      What game servers say, <em>byte by byte</em>
    </h2>
    <p>
      Valve’s query protocols (A2S, GoldSource, RCON over UDP), taken apart. Paste what Wireshark, tcpdump or a bug
      report shows, or drop a capture file. Nothing leaves your browser.
    </p>
  </div>
)
