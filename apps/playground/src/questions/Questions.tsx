/**
 * Lists problems as users describe them. If the user selects a problem, its possible causes are shown as buttons. The button of a cause
 * opens an exchange, and the findings of this exchange explain the cause.
 */
import { signal } from "@preact/signals"
import { fromHex } from "@sourcewire/protocol"
import { Button } from "@sourcewire/ui/widgets"
import { openDatagrams } from "../decode/workbench.ts"
import { readExample } from "../examples/examples.ts"
import { queryScenario } from "../query/exchange.ts"
import { type Cause, questions } from "./questions.ts"

/** Index of the problem whose causes are shown. -1 if no causes are shown. */
const chosen = signal(-1)

export const Questions = () => {
  const { causes = [], question = "" } = questions[chosen.value] ?? {}
  return (
    <section class="questions" aria-label="Problems">
      <h2>What is the problem?</h2>
      <div class="bar" role="group" aria-label="Problems">
        {questions.map((one, i) => (
          <Button
            key={one.question}
            aria-expanded={chosen.value === i}
            onClick={() => void (chosen.value = chosen.value === i ? -1 : i)}
          >
            {one.question}
          </Button>
        ))}
      </div>
      {causes.length === 0 ? null : (
        <div class="causes" role="group" aria-label={question}>
          <p>Possible causes. Each opens an example, which the page explains.</p>
          <ul class="bar">
            {causes.map((cause) => (
              <li key={cause.title}>
                <Button onClick={() => void open(question, cause)}>{cause.title}</Button>
              </li>
            ))}
          </ul>
          <p>
            To find the cause for your own server, record a query with Wireshark or tcpdump, and open the file above.
            With Node.js, a terminal prints the same findings.
          </p>
          <pre class="terminal">
            tcpdump -i any -w query.pcap udp port 27015{"\n"}npx sourcewire query HOST:PORT --explain
          </pre>
        </div>
      )}
    </section>
  )
}

const open = (question: string, { datagrams, example, servers, title }: Cause): Promise<void> => {
  if (servers !== undefined) return queryScenario(servers)
  const given =
    example === undefined
      ? datagrams!.map(({ hex, ...rest }) => ({ ...rest, bytes: fromHex(hex)! }))
      : readExample(example)
  return openDatagrams(given, `Example for “${question}”. ${title}.`)
}
