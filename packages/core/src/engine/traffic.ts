/** Counters and callbacks for the datagrams of an engine. */

/** Counters of an engine since its start. */
export interface EngineCounters {
  /** Datagrams sent, not including datagrams that this host could not send (see `refused`). */
  sent: number
  received: number
  /**
   * Dropped datagrams from addresses that were queried, and to which no request is in flight any more. Such a datagram is late, or is a
   * duplicate made by the network.
   */
  late: number
  /**
   * Dropped datagrams from all other addresses: the client or scan did not query the address, or the socket no longer stores that it was
   * queried.
   */
  unsolicited: number
  /** Datagrams that this host could not send. Each such datagram is sent again later, unless its request has ended. */
  refused: number
  /** All faults that sockets reported. */
  faults: number
}

/**
 * Called for every datagram that an engine sends or receives. `timeMs` is the time on the engine's clock. If you store the bytes, copy
 * them.
 */
export type OnDatagram = (
  direction: "sent" | "received",
  bytes: Uint8Array,
  remote: { readonly address: string; readonly port: number },
  timeMs: number
) => void

/** Passes the datagrams of an engine to the user's function (`onDatagram`). */
export class DatagramObserver {
  private onDatagram: OnDatagram | undefined

  constructor(onDatagram: OnDatagram) {
    this.onDatagram = onDatagram
  }

  /** Passes one datagram to the function. If the function throws, this method returns the error, and later datagrams are not passed. */
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
