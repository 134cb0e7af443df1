/**
 * The interface to a runtime's UDP and to its name resolver. A transport package implements this service and nothing else. All that can be
 * shared (routing, timers, retransmission, sockets in a table) is on this side of the interface.
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
   * The local endpoint. If absent, the system chooses a port on the wildcard address, as a client needs. A listener names an address, by
   * default a loopback one. An IPv6 socket receives IPv6 only.
   */
  readonly bind?: Endpoint
  /**
   * The only peer. The system drops datagrams of other senders. Node and Bun on Linux also report ICMP port unreachable, as the fault
   * `refused`; Deno does not.
   */
  readonly connect?: Endpoint
  /** Wanted size of the kernel's receive queue, in bytes. The system may limit it; the handle has the actual size. */
  readonly receiveBufferBytes?: number
  /** Wanted size of the kernel's send queue, in bytes, as above. */
  readonly sendBufferBytes?: number
  /** Whether several datagrams may share a system call, if the transport supports that (default: `false`). */
  readonly batching?: boolean
  /** Whether the open socket alone keeps the process running: `true` for listeners. Default `false`. */
  readonly keepsProcess?: boolean
}

/** The functions that a socket calls. They are plain calls on the runtime's event loop and must not throw. */
export interface DatagramHandler {
  /**
   * A datagram arrived. **The bytes are valid only during the call**, because runtimes reuse their receive buffer. To store them, copy
   * them.
   */
  readonly onDatagram: (bytes: Uint8Array, address: string, port: number) => void
  /** Sending or receiving failed. */
  readonly onFault: (fault: SocketFault) => void
}

/** An open socket. It is closed by closing the scope that it was opened in. */
export interface DatagramHandle {
  readonly local: Endpoint
  /** The actual sizes, in bytes, if the runtime reports them. */
  readonly receiveBufferBytes?: number
  readonly sendBufferBytes?: number
  /**
   * How many datagrams the system has dropped so far because the receive queue was full; absent if the runtime cannot report that. It may
   * take a few milliseconds, so call it at most once a second.
   */
  readonly countDropped?: () => number
  /**
   * Sends one datagram: returns at once, never throws, and reports faults to the handler, perhaps later. The bytes may not be changed
   * afterwards. On a connected socket, address and port are those of its peer.
   */
  readonly send: (bytes: Uint8Array, address: string, port: number) => void
  /**
   * The same without a report of faults, if that is cheaper: for datagrams that are sent again with `send` after silence.
   */
  readonly sendQuietly?: (bytes: Uint8Array, address: string, port: number) => void
}

/** The numeric address of a host name. */
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
