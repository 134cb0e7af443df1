/**
 * Shows a button that queries an emulated server, so that users can try the page. If no emulated server runs, the button first starts one.
 */
import { Button } from "@sourcewire/ui/widgets"
import { status } from "../network/networks.ts"
import { emulated, start } from "./emulated.ts"
import { queryServer } from "./exchange.ts"

/** A text that explains the offer, and the button. If the network in use cannot emulate servers, nothing is rendered. */
export const EmulateOffer = ({ reason }: { readonly reason: string }) => {
  if (status.value?.emulate !== true) return null
  const running = emulated.value[0]
  const startAndQuery = async (): Promise<void> => {
    const started = await start({ profile: "css", faults: [], count: 1 })
    if (started !== undefined) queryServer(started.address)
  }
  return (
    <p class="offer">
      <span>{reason}</span>
      {running === undefined ? (
        <Button class="primary" onClick={() => void startAndQuery()}>
          Start an emulated server
        </Button>
      ) : (
        <Button onClick={() => queryServer(running.address)}>Query {running.address}</Button>
      )}
    </p>
  )
}
