/** The options of queries and of clients. */
import { InvalidOption } from "@sourcewire/protocol/wire"
import type { Encoding } from "@sourcewire/protocol"
import type { Family } from "../engine/Datagrams.ts"
import type { OnDatagram } from "../engine/traffic.ts"
import type { ServerPart } from "../query/ServerExchange.ts"

export { InvalidOption }

/** Options of a single query. */
export interface QueryOptions {
  /**
   * Time limit for one part of a query (INFO, PLAYER or RULES), in ms, from its first datagram to the complete reply (default: 3000). A
   * name lookup before it has a separate limit of the same length. While faults of this host prevent sending, the limit is extended, at
   * most to twice its length. The time that a call waits for its turn does not count.
   */
  readonly timeoutMs?: number | undefined
  /**
   * Maximum number of retransmissions per request (default: 8). The delays between them depend on the server's round-trip time.
   * Retransmissions that do not fit into `timeoutMs` are not sent. Sending the request with a challenge is not a retransmission.
   */
  readonly retries?: number | undefined
  /** Encoding of the texts in replies (default: `auto`). */
  readonly encoding?: Encoding | undefined
  /** IP version to use for a host name (default: the system's preference). */
  readonly family?: Family | undefined
}

/** Options of a query for several parts of a server. */
export interface ServerQueryOptions extends QueryOptions {
  /** The parts to query (default: all). INFO is always included, because its reply shows that there is a server. */
  readonly parts?: ReadonlyArray<ServerPart> | undefined
  /**
   * Time limit for all parts together, in ms, from the call's first datagram on (default: `timeoutMs` for each part). The result contains
   * the parts that arrived in time; the errors of the others are under `errors`. If INFO is missing, the call fails with `Timeout`.
   */
  readonly totalTimeoutMs?: number | undefined
}

/** Options of a client. The query options are defaults for all its queries. */
export interface ClientOptions extends QueryOptions {
  /**
   * Called for every datagram sent and received. If it throws, the call that the datagram belongs to dies with that error, and the function
   * is not called again.
   */
  readonly onDatagram?: OnDatagram | undefined
  /** Source of jitter in [0, 1) (default: `Math.random`). */
  readonly random?: (() => number) | undefined
}
