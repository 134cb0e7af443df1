/** The views that use a network. Each view begins with the choice of the network. If the network cannot be used, the view shows why. */
import type { ComponentChild } from "preact"
import { useEffect } from "preact/hooks"
import { NetworkChoice } from "../network/NetworkChoice.tsx"
import { greet, networkName, status, problem } from "../network/networks.ts"
import { type Tab, parameters, useAddress } from "../state/address.ts"
import { prepare } from "./emulated.ts"
import { kept } from "./exchange.ts"
import { ListPane } from "./ListPane.tsx"
import { QueryPane } from "./QueryPane.tsx"
import { RconPane } from "./RconPane.tsx"
import { ServersPane } from "./ServersPane.tsx"
import { WatchPane } from "./WatchPane.tsx"

const networked = (name: Tab, Pane: () => ComponentChild) => () => {
  useAddress(name, kept)
  useEffect(() => {
    void greet().then(() => (status.value === undefined ? undefined : prepare(parameters.value.has("e"))))
  }, [networkName.value])
  return (
    <div class="query-view">
      <NetworkChoice />
      {status.value === undefined ? <p role="status">{problem.value ?? "Loading …"}</p> : <Pane />}
    </div>
  )
}

export const Query = networked("query", QueryPane)
export const Watch = networked("watch", WatchPane)
export const Browser = networked("browser", ListPane)
export const Console = networked("console", RconPane)
export const Emulator = networked("emulator", ServersPane)
