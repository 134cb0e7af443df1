/** What an engine tells of the datagrams that pass through it. */
import type { Engine, InFlight } from "./Engine.ts"
import { clientClosed } from "./QueryError.ts"

/** What went through an engine since its beginning. */
export interface EngineCounters {
  /** Those that left, as far as the system tells. */
  sent: number
  received: number
  /** From addresses whose requests have ended: late, or repeated by the network. Dropped. */
  late: number
  /** From addresses that were not asked, or so long ago that nobody remembers. Dropped. */
  unsolicited: number
  /** Datagrams that this machine did not send; each is tried again. */
  refused: number
  /** Everything that sockets reported. */
  faults: number
}

/** Sees every datagram of an engine. `timeMs` is the engine's clock. The bytes are not to be kept. */
export type OnDatagram = (
  direction: "sent" | "received",
  bytes: Uint8Array,
  remote: { readonly address: string; readonly port: number },
  timeMs: number
) => void

/** Shows them to a function of the user's. What that throws ends the request whose datagram it was shown; it is not called again. */
export class Onlooker {
  private readonly engine: Engine
  private onDatagram: OnDatagram | undefined

  constructor(engine: Engine, onDatagram: OnDatagram) {
    this.engine = engine
    this.onDatagram = onDatagram
  }

  /** A datagram passes, of such a request if any. */
  see(request: InFlight | undefined, ...passing: Parameters<OnDatagram>): void {
    try {
      this.onDatagram?.(...passing)
    } catch (error) {
      this.onDatagram = undefined
      if (request === undefined) return
      request.defect = { error }
      this.engine.fail(request, clientClosed())
    }
  }
}
