/** Counters and callbacks for the datagrams of an engine. */

/** Counts of an engine since its start. */
export interface EngineCounters {
  /** Datagrams that left, as far as the system reports. */
  sent: number
  received: number
  /** From addresses whose requests have ended: late, or repeated by the network. Dropped. */
  late: number
  /** From addresses that were not queried, or so long ago that the socket has forgotten it. Dropped. */
  unsolicited: number
  /** Datagrams that this machine did not send; each is sent again. */
  refused: number
  /** Everything that sockets reported. */
  faults: number
}

/** Is called for every datagram of an engine. `timeMs` is the engine's clock. To store the bytes, copy them. */
export type OnDatagram = (
  direction: "sent" | "received",
  bytes: Uint8Array,
  remote: { readonly address: string; readonly port: number },
  timeMs: number
) => void

/** Passes the datagrams to a function of the user. */
export class Onlooker {
  private onDatagram: OnDatagram | undefined

  constructor(onDatagram: OnDatagram) {
    this.onDatagram = onDatagram
  }

  /** A datagram passes. Returns what the function threw, if it did. It is not called again then. */
  see(...passing: Parameters<OnDatagram>): { readonly error: unknown } | undefined {
    try {
      this.onDatagram?.(...passing)
      return undefined
    } catch (error) {
      this.onDatagram = undefined
      return { error }
    }
  }
}
