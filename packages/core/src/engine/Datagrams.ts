/**
 * The seam to a runtime's UDP and to its name resolver. A transport package implements this service and nothing else; everything
 * that can be shared (routing, timers, retransmission, pooling) stays on this side of it.
 *
 * @example
 * import { Datagrams } from "@sourcewire/core/transport"
 * import { layer } from "@sourcewire/transport-node/effect"
 * import * as Effect from "effect/Effect"
 * const local = Datagrams.use((datagrams) =>
 *   datagrams.open({ family: 4 }, { onDatagram: (bytes) => console.log(bytes.length), onFault: console.error })
 * ).pipe(Effect.map((socket) => socket.local), Effect.scoped, Effect.provide(layer))
 * console.log(await Effect.runPromise(local))
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Family } from "../address/ip.ts"
import type { SendFailed, Unresolved } from "./QueryError.ts"
import type { Endpoint, SocketFault } from "./SocketFault.ts"

export type { Endpoint, Family, SocketFault }

/** How to open a socket. */
export interface OpenOptions {
  readonly family: Family
  /**
   * Where to receive. Without it the system picks a port on the wildcard address, as a client needs; whoever listens names an
   * address, and names a loopback one unless told otherwise. An IPv6 socket takes IPv6 only.
   */
  readonly bind?: Endpoint
  /**
   * The only peer. The system then drops datagrams of any other sender and, where it can (Node and Bun on Linux, not Deno), reports
   * ICMP port unreachable as the fault `refused`.
   */
  readonly connect?: Endpoint
  /** Wanted size of the kernel's receive queue, in bytes. Best effort: the system may cap it; the handle says what it gave. */
  readonly receiveBufferBytes?: number
  /** Wanted size of the kernel's send queue, in bytes. Best effort, as above. */
  readonly sendBufferBytes?: number
  /** Whether so many datagrams pass that several may share a system call, where the transport can do that. Default `false`. */
  readonly batching?: boolean
  /** Whether the open socket alone keeps the process running: `true` for listeners. Default `false`. */
  readonly keepsProcess?: boolean
}

/** What a socket calls. Both are plain calls on the runtime's event loop and must not throw. */
export interface DatagramHandler {
  /**
   * A datagram arrived. **The bytes are the handler's only while it runs**: runtimes reuse their receive buffer, so whoever keeps
   * them copies them first.
   */
  readonly onDatagram: (bytes: Uint8Array, address: string, port: number) => void
  /** Sending or receiving failed. */
  readonly onFault: (fault: SocketFault) => void
}

/** An open socket. It is closed by closing the scope that it was opened in. */
export interface DatagramHandle {
  readonly local: Endpoint
  /** What the system really gave, in bytes, where the runtime can tell. */
  readonly receiveBufferBytes?: number
  readonly sendBufferBytes?: number
  /**
   * How many datagrams the system has dropped so far because the receive queue was full; absent where the runtime cannot tell. It
   * may take a few milliseconds, so ask once a second at most.
   */
  readonly countDropped?: () => number
  /**
   * Sends one datagram, best effort: returns at once, never throws, and reports what goes wrong to the handler, perhaps later. The
   * bytes may not be changed afterwards. On a connected socket address and port are those of its peer.
   */
  readonly send: (bytes: Uint8Array, address: string, port: number) => void
  /**
   * The same without a report of what goes wrong, where that is cheaper: for datagrams that are sent again with `send` when
   * nothing answers.
   */
  readonly sendQuietly?: (bytes: Uint8Array, address: string, port: number) => void
}

/** A numeric address that a host name stands for. */
export interface ResolvedAddress {
  /** Numeric, canonical (see `canonicalAddress`). */
  readonly address: string
  readonly family: Family
}

/** UDP of one runtime. */
export class Datagrams extends Context.Service<
  Datagrams,
  {
    /** Opens a socket for the life of the scope. `SendFailed` when the system refuses (address in use, no permission, no such family). */
    readonly open: (
      options: OpenOptions,
      handler: DatagramHandler
    ) => Effect.Effect<DatagramHandle, SendFailed, Scope.Scope>
    /** Looks a host name up the way the system does (hosts file included), first address wins. Numeric addresses resolve to themselves. */
    readonly resolve: (host: string, family?: Family) => Effect.Effect<ResolvedAddress, Unresolved>
  }
>()("@sourcewire/core/Datagrams") {}
