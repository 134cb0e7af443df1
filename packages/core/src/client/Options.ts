/** What a caller may choose, of a query and of a client. */
import { InvalidOption } from "@sourcewire/protocol/wire"
import type { Encoding } from "@sourcewire/protocol"
import type { Family } from "../engine/Datagrams.ts"
import type { OnDatagram } from "../engine/traffic.ts"
import type { ServerPart } from "../query/ServerExchange.ts"

export { InvalidOption }

/** What a single query may choose. */
export interface QueryOptions {
  /**
   * Time limit for one part of a query (INFO, PLAYER or RULES), in ms, from its first datagram to the complete reply (default: 3000). A
   * name lookup has the same limit in addition, and so have faults of this machine. The time that a call waits for its turn does not
   * count.
   */
  readonly timeoutMs?: number | undefined
  /**
   * How often a request is sent again after silence (default: 8). The server's round-trip time decides when; retries that do not fit into
   * `timeoutMs` are not sent. The request that brings a challenge back is not a retry.
   */
  readonly retries?: number | undefined
  /** How texts are read; `auto` unless given. */
  readonly encoding?: Encoding | undefined
  /** IP version to use for a host name; the system's preference unless given. */
  readonly family?: Family | undefined
}

/** What a query for several parts of a server may choose. */
export interface ServerQueryOptions extends QueryOptions {
  /** What to query (default: all). INFO always is, since it decides whether there is a server. */
  readonly parts?: ReadonlyArray<ServerPart> | undefined
  /**
   * Time limit for all parts together, in ms, from the call's first datagram on. What has arrived by then is the result; the parts that
   * are missing are under `errors`. Without INFO, the call fails with `Timeout`. Default: `timeoutMs` for each part.
   */
  readonly totalTimeoutMs?: number | undefined
}

/** What a client may choose. The query options are defaults for all its queries. */
export interface ClientOptions extends QueryOptions {
  /** Sees every datagram sent and received. What it throws is a defect of the call that the datagram belongs to, and it is not called again. */
  readonly onDatagram?: OnDatagram | undefined
  /** Source of jitter in [0, 1); `Math.random` unless given. */
  readonly random?: (() => number) | undefined
}
