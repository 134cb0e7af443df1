/** A step of the lesson that queries a server. */
import { displayText } from "@sourcewire/core/text"
import { plural } from "@sourcewire/capture"
import { Alert, Button, Facts, Form, Submit, TextField } from "@sourcewire/ui/widgets"
import { chosenName, type NetworkName } from "../network/networks.ts"
import { queryServer } from "../query/exchange.ts"
import { token } from "../state/address.ts"
import { practices, practise } from "./practice.ts"

export const Practice = ({ name }: { readonly name: NetworkName }) => {
  const { address, answer, datagrams, failure, running } = practices[name]
  if (name === "bridge" && token.value === undefined) {
    return (
      <div class="practice">
        <p>Start the bridge. It serves this page on your computer, and the lesson continues there:</p>
        <pre class="terminal">npx sourcewire playground</pre>
      </div>
    )
  }
  const summary = answer.value?.summary
  const openInQuery = (): void => {
    chosenName.value = name
    queryServer(address.value)
  }
  return (
    <div class="practice">
      <Form class="bar" onSubmit={() => practise(name)}>
        {name === "bridge" ? (
          <TextField
            label="Address of a game server"
            isLabelled
            value={address}
            input={{ required: true, placeholder: "host:port" }}
          />
        ) : null}
        <Submit disabled={running.value}>{name === "page" ? "Query the emulated server" : "Query"}</Submit>
        {datagrams.value === 0 ? null : <Button onClick={openInQuery}>Show the exchange</Button>}
      </Form>
      <Alert text={failure.value} />
      {summary === undefined ? null : (
        <section class="info-card" aria-label="Reply" aria-live="polite">
          <h4>{displayText(summary.name)}</h4>
          <Facts
            facts={[
              ["Map", summary.map],
              ["Players", String(summary.players)],
              ["Bots", String(summary.bots)],
              ["Datagrams", plural(datagrams.value, "datagram")]
            ]}
          />
        </section>
      )}
    </div>
  )
}
