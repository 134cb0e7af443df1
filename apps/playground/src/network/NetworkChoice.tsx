/**
 * Shows the network that a pane uses. The user can choose the other network. If the page has no bridge, the component explains how to start
 * a bridge.
 */
import { token } from "../state/address.ts"
import { NETWORKS, type NetworkName, networkName, chosenName } from "./networks.ts"

const NOTES: Readonly<Record<NetworkName, string>> = {
  page: "Emulated servers. Nothing leaves your browser.",
  bridge: "UDP and TCP from your computer."
}

export const NetworkChoice = () => (
  <div class="network">
    <fieldset>
      <legend>Network</legend>
      {(["page", "bridge"] as const).map((name) => (
        <label key={name}>
          <input
            type="radio"
            name="network"
            checked={networkName.value === name}
            disabled={name === "bridge" && token.value === undefined}
            onChange={() => void (chosenName.value = name)}
          />{" "}
          {NETWORKS[name]}
        </label>
      ))}
      <span class="quiet">{NOTES[networkName.value]}</span>
    </fieldset>
    {token.value === undefined ? <BridgeHelp /> : null}
  </div>
)

const BridgeHelp = () => (
  <details class="bridge-help">
    <summary>Query real servers</summary>
    <p>
      Game servers use UDP, which browsers do not support. The command below starts a program that sends the datagrams.
      It also serves this page, at an address of your computer. Other web pages cannot use the program.
    </p>
    <pre class="terminal">npx sourcewire playground</pre>
    <p>
      Add <code>--rcon</code> for the console of real servers.
    </p>
  </details>
)
