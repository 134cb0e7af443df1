/**
 * The interface to the UDP sockets and the name resolver of a runtime. A transport package implements this interface. All code that does
 * not depend on the runtime (routing, timers, retransmission, the socket table) is in this package.
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

/** Options for opening a socket. */
export interface OpenOptions {
  readonly family: Family
  /**
   * The local endpoint (default: the wildcard address and a port that the system chooses). Clients use the default. Listeners set an
   * address, usually a loopback address. An IPv6 socket does not receive IPv4 datagrams.
   */
  readonly bind?: Endpoint
  /**
   * The peer of a connected socket. The system drops datagrams of other senders. On Linux, Node and Bun report ICMP port unreachable as the
   * fault `refused`. Deno does not.
   */
  readonly connect?: Endpoint
  /** Requested size of the kernel's receive queue, in bytes. The system may limit the size; the handle reports the actual size. */
  readonly receiveBufferBytes?: number
  /** Requested size of the kernel's send queue, in bytes. The system may limit the size; the handle reports the actual size. */
  readonly sendBufferBytes?: number
  /**
   * Whether a transport may send or receive several datagrams with one system call (default: `false`). Some transports do not support this
   * option.
   */
  readonly batching?: boolean
  /** Whether the open socket keeps the process running (default: `false`). Listeners set `true`. */
  readonly keepsProcessAlive?: boolean
}

/** The functions that a socket calls. They are called directly on the runtime's event loop, and must not throw. */
export interface DatagramHandler {
  /**
   * Called when a datagram has arrived. **The bytes are valid only during the call**, because runtimes reuse their receive buffer. If you
   * store the bytes, copy them.
   */
  readonly onDatagram: (bytes: Uint8Array, address: string, port: number) => void
  /** Called when sending or receiving has failed. */
  readonly onFault: (fault: SocketFault) => void
}

/** An open socket. Closing the scope in which the socket was opened closes the socket. */
export interface DatagramHandle {
  readonly local: Endpoint
  /**
   * The actual size of the receive queue, in bytes. Absent if the runtime does not report the size. `sendBufferBytes` is the actual size of
   * the send queue.
   */
  readonly receiveBufferBytes?: number
  readonly sendBufferBytes?: number
  /**
   * Returns the number of datagrams that the system has dropped so far because the receive queue was full. Absent if the runtime does not
   * report the number. The call may take a few milliseconds; call it at most once a second.
   */
  readonly countDropped?: () => number
  /**
   * Sends one datagram. Returns at once and never throws. If sending fails, the socket reports a fault to the handler, perhaps later. The
   * caller must not change the bytes after this call. On a connected socket, address and port must be those of its peer.
   */
  readonly send: (bytes: Uint8Array, address: string, port: number) => void
  /**
   * Like `send`, but does not report faults. Present if this function is faster than `send`. If no reply to the datagram arrives, use
   * `send` for the retransmission, so that a fault is reported.
   */
  readonly sendQuietly?: (bytes: Uint8Array, address: string, port: number) => void
}

/** The numeric address of a host name. */
export interface ResolvedAddress {
  /** Numeric, canonical (see `canonicalAddress`). */
  readonly address: string
  readonly family: Family
}

/** The UDP sockets and the name resolver of one runtime. */
export class Datagrams extends Context.Service<
  Datagrams,
  {
    /**
     * Opens a socket, which closes when the scope closes. Fails with `SendFailed` if the system cannot open the socket (address in use, no
     * permission, IP version not available).
     */
    readonly open: (
      options: OpenOptions,
      handler: DatagramHandler
    ) => Effect.Effect<DatagramHandle, SendFailed, Scope.Scope>
    /**
     * Resolves a host name as the system does, including the hosts file, and returns the first address. If the host is a numeric address,
     * the result is this address.
     */
    readonly resolve: (host: string, family?: Family) => Effect.Effect<ResolvedAddress, Unresolved>
  }
>()("@sourcewire/core/Datagrams") {}
