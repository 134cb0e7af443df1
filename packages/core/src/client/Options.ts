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
   * Time limit for one part of a query (INFO, PLAYER or RULES), in ms (default: 3000). The limit begins with the first datagram of the
   * part, and therefore does not include the time that a call waits for its turn. A name lookup has a separate limit of the same length. If
   * faults of this host prevent sending, the limit is extended by the duration of the faults, at most to twice the normal limit.
   */
  readonly timeoutMs?: number | undefined
  /**
   * Maximum number of retransmissions per request (default: 8). The delay before each retransmission depends on the server's round-trip
   * time. When `timeoutMs` has passed, no further retransmission is sent. If the server requires a challenge, the request that contains
   * this challenge is not a retransmission.
   */
  readonly retries?: number | undefined
  /** Encoding of the texts in replies (default: `auto`). */
  readonly encoding?: Encoding | undefined
  /** IP version to use for a host name (default: the system's preference). */
  readonly family?: Family | undefined
}

/** Options of a query for several parts of a server. */
export interface ServerQueryOptions extends QueryOptions {
  /** The parts to query (default: all). INFO is always included, because the reply to INFO shows that there is a server. */
  readonly parts?: ReadonlyArray<ServerPart> | undefined
  /**
   * Time limit for all parts together, in ms, from the call's first datagram on (default: `timeoutMs` for each part). The result contains
   * the parts that arrived in time. `errors` contains the errors of the missing parts. If INFO is missing, the call fails with `Timeout`.
   */
  readonly totalTimeoutMs?: number | undefined
}

/** Options of a client. The query options are the defaults for all queries of the client. */
export interface ClientOptions extends QueryOptions {
  /**
   * Called for every datagram that the client sends or receives. If the function throws, the client does not call the function again. The
   * call that the datagram belongs to ends with the thrown error (in the Effect API, as a defect).
   */
  readonly onDatagram?: OnDatagram | undefined
  /** Source of the random numbers for jitter, in [0, 1) (default: `Math.random`). */
  readonly random?: (() => number) | undefined
}
