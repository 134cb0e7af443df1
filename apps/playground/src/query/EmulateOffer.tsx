/** Offers an emulated server, with which users can try the page. If no server runs, the button starts a server. */
import { Button } from "@sourcewire/ui/widgets"
import { status } from "../network/networks.ts"
import { emulated, start } from "./emulated.ts"
import { queryServer } from "./exchange.ts"

/** Renders nothing if the network in use cannot emulate servers. */
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
