/** A server to try things on: one that runs already, or a new one. */
import { Button } from "@sourcewire/ui/widgets"
import { status } from "./bridge.ts"
import { complaint, emulated, start } from "./emulated.ts"
import { askServer } from "./exchange.ts"

/** Nothing where the bridge emulates none. */
export const EmulateOffer = ({ reason }: { readonly reason: string }) => {
  if (status.value?.emulate !== true) return null
  const running = emulated.value[0]
  const startAndAsk = async (): Promise<void> => {
    await start("css", [], 1)
    const started = emulated.value.at(-1)
    if (complaint.value === undefined && started !== undefined) askServer(started.address)
  }
  return (
    <p class="offer">
      <span>{reason}</span>
      {running === undefined ? (
        <Button class="primary" onClick={() => void startAndAsk()}>
          Start an emulated server
        </Button>
      ) : (
        <Button onClick={() => askServer(running.address)}>Query the emulated one at {running.address}</Button>
      )}
    </p>
  )
}
