/**
 * The interface to a runtime's TCP, for RCON: outgoing connections and a listener. A handler receives the bytes in the segments in which
 * they arrive. The interface has no framing and no retries.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Endpoint } from "./Datagrams.ts"
import type { PortClosed, SendFailed, Timeout, Unresolved } from "./QueryError.ts"

/** The fault that ended a connection. */
export interface StreamFault {
  /** The fault, explained in a sentence. */
  readonly message: string
  /** The system's error code, such as `ECONNRESET`. */
  readonly code?: string
}

/** The callbacks of a connection. They run directly on the runtime's event loop, and must not throw. */
export interface StreamHandler {
  /** Called when a segment has arrived. **The bytes are valid only during the call.** */
  readonly onData: (bytes: Uint8Array) => void
  /**
   * Called when the peer has closed the connection, or the connection broke. Called at most once, and never if this side closed the
   * connection.
   */
  readonly onClose: (fault?: StreamFault) => void
}

/** An open connection. The functions of this object never throw, and have no effect after the connection has ended. */
export interface StreamHandle {
  readonly local: Endpoint
  readonly remote: Endpoint
  /**
   * Queues bytes, which the caller must not change afterwards. The bytes of one call are sent as one segment, if the system supports this.
   */
  readonly write: (bytes: Uint8Array) => void
  /** Number of queued bytes that the system has not accepted yet. */
  readonly queuedBytes: () => number
  /** Stops reading, which slows the peer down. */
  readonly pause: () => void
  readonly resume: () => void
  /** Closes the connection after all queued bytes were sent. */
  readonly end: () => void
  /** Closes the connection at once and drops queued bytes. */
  readonly destroy: () => void
}

/** The remote endpoint of a connection, and the time limit for opening the connection. */
export interface ConnectOptions {
  /** A name or a numeric address. */
  readonly host: string
  readonly port: number
  /** Time limit for name lookup and connection together, in ms. */
  readonly timeoutMs: number
}

/** The local endpoint of a listener, and the maximum number of connections. */
export interface ListenOptions {
  /** The address and port to listen on. If the port is 0, the system chooses a port. */
  readonly bind: Endpoint
  /** When this number of connections is open, further connections are closed at once. */
  readonly maxConnections: number
}

/** A listener. The listener and its connections close with the scope in which the listener was opened. */
export interface StreamListener {
  readonly local: Endpoint
}

/** The TCP functions of one runtime. Connections send keep-alive probes, and send small segments at once (Nagle's algorithm is off). */
export class Streams extends Context.Service<
  Streams,
  {
    /** Opens a connection. The connection is closed when the scope closes. */
    readonly connect: (
      options: ConnectOptions,
      handler: StreamHandler
    ) => Effect.Effect<StreamHandle, PortClosed | SendFailed | Timeout | Unresolved, Scope.Scope>
    /** Listens until the scope closes. Calls `accept` for each connection. Fails with `SendFailed` if the system refuses the address. */
    readonly listen: (
      options: ListenOptions,
      accept: (stream: StreamHandle) => StreamHandler
    ) => Effect.Effect<StreamListener, SendFailed, Scope.Scope>
  }
>()("@sourcewire/core/Streams") {}
