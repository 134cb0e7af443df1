/** The first screen: the purpose of the page, problems and their causes, the lesson, and some examples. */
import { ExampleCards } from "../examples/Examples.tsx"
import { examples } from "../examples/examples.ts"
import { Lesson } from "../lesson/Lesson.tsx"
import { Questions } from "../questions/Questions.tsx"
import { fragment } from "../state/address.ts"

const first = new Set(["rules-goldsource-split", "made-compressed", "made-truncated", "xash-players"])

export const Welcome = () => (
  <div class="welcome">
    <Questions />
    <Lesson />
    <section aria-label="Examples">
      <h2>
        Unusual replies <a href={fragment("examples")}>All examples</a>
      </h2>
      <ExampleCards examples={examples.filter(({ id }) => first.has(id))} />
    </section>
  </div>
)

/** The introduction beside the input field of the first screen. */
export const Greeting = () => (
  <div class="greeting">
    <h2>
      Game server queries, <em>byte by byte</em>
    </h2>
    <p>
      Explains why a query fails, and decodes Valve’s query protocols (A2S, GoldSource, RCON over UDP). Paste bytes from
      Wireshark, tcpdump or a bug report, drop a capture file, or type the address of a server. Nothing that you paste
      leaves your browser.
    </p>
  </div>
)
