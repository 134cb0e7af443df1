/** Counters and callbacks for the datagrams of an engine. */

/** Counts of an engine since its start. */
export interface EngineCounters {
  /** Datagrams that were sent, as far as the system reports that. */
  sent: number
  received: number
  /** Dropped datagrams from addresses whose requests have ended: late, or duplicated by the network. */
  late: number
  /** Dropped datagrams from addresses that were not queried, or whose query the socket no longer remembers. */
  unsolicited: number
  /** Datagrams that this host could not send. Each is retried. */
  refused: number
  /** All faults that sockets reported. */
  faults: number
}

/** Called for every datagram of an engine. `timeMs` is the engine's clock. To store the bytes, copy them. */
export type OnDatagram = (
  direction: "sent" | "received",
  bytes: Uint8Array,
  remote: { readonly address: string; readonly port: number },
  timeMs: number
) => void

/** Passes the datagrams to the user's function. */
export class DatagramObserver {
  private onDatagram: OnDatagram | undefined

  constructor(onDatagram: OnDatagram) {
    this.onDatagram = onDatagram
  }

  /** Passes one datagram. If the function throws, returns the error and does not call the function again. */
  observe(...passing: Parameters<OnDatagram>): { readonly error: unknown } | undefined {
    try {
      this.onDatagram?.(...passing)
      return undefined
    } catch (error) {
      this.onDatagram = undefined
      return { error }
    }
  }
}
