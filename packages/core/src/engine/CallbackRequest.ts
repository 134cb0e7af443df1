/** A request class for code that does not define its own subclass of `InFlight`, for example tests and the detection of RCON over UDP. */
import { routeKey } from "../address/ip.ts"
import { DEFAULT_TIMEOUT_MS } from "../Limits.ts"
import type { Exchange } from "./Exchange.ts"
import { InFlight } from "./Engine.ts"

/** A request that calls a function when it ends. */
export class CallbackRequest extends InFlight {
  readonly address: string
  readonly onDone: () => void

  constructor(
    exchange: Exchange<unknown, unknown>,
    address: string,
    port: number,
    onDone: () => void,
    maxLostMs: number = DEFAULT_TIMEOUT_MS
  ) {
    super(exchange, port, routeKey(address, port), maxLostMs)
    this.address = address
    this.onDone = onDone
  }
}
