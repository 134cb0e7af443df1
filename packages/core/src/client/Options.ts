/** What a caller may choose, of a query and of a client. */
import { InvalidOption } from "@sourcewire/protocol/machines"
import type { Encoding } from "@sourcewire/protocol"
import type { Family } from "../engine/Datagrams.ts"
import type { OnDatagram } from "../engine/traffic.ts"

export { InvalidOption }

/** What a single query may choose. */
export interface QueryOptions {
  /**
   * From the call's own first datagram to the answer, in ms; 3000 unless given. Waiting for its turn, where many calls are made at once,
   * does not count. A name lookup has as much again, and so have faults of this machine.
   */
  readonly timeoutMs?: number | undefined
  /** Retransmissions in silence; 8 unless given, as far as they fit into the time. When, follows from the server's round trip. */
  readonly retries?: number | undefined
  /** How texts are read; `auto` unless given. */
  readonly encoding?: Encoding | undefined
  /** IP version to use for a host name; the system's preference unless given. */
  readonly family?: Family | undefined
}

/** What a client may choose. The query options are defaults for all its queries. */
export interface ClientOptions extends QueryOptions {
  /** Sees every datagram sent and received. What it throws is a defect of the call that the datagram belongs to, and it is not called again. */
  readonly onDatagram?: OnDatagram | undefined
  /** Source of jitter in [0, 1); `Math.random` unless given. */
  readonly random?: (() => number) | undefined
}
