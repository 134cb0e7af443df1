/** What the view shows before there are bytes. */
import { ExampleCards } from "../examples/Examples.tsx"
import { examples } from "../examples/examples.ts"
import { fragment } from "../state/address.ts"

const first = new Set([
  "info-css",
  "rules-goldsource-split",
  "made-compressed",
  "made-truncated",
  "rehlds-getchallenge",
  "xash-players"
])

/** An invitation, and some examples. */
export const Welcome = () => (
  <section class="welcome" aria-label="Beginning">
    <h2>What is in these bytes?</h2>
    <p>
      Paste what Wireshark, tcpdump, a debugger or a bug report shows of a game server’s query protocol (A2S,
      GoldSource, RCON over UDP), or drop a capture file. Split replies are joined, every byte is explained, and what is
      wrong is marked where it is. Nothing leaves your browser.
    </p>
    <ExampleCards examples={examples.filter(({ id }) => first.has(id))} />
    <p>
      <a href={fragment("examples")}>All examples</a>
    </p>
  </section>
)
