/** What an engine tells of the datagrams that pass through it. */

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

/** Shows them to a function of the user's. */
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
