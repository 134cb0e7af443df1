/**
 * The interface to a runtime's TCP, for RCON: outgoing connections and a listener, with bytes in segments as they arrive. It does no framing
 * and no retries.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Endpoint } from "./Datagrams.ts"
import type { PortClosed, SendFailed, Timeout, Unresolved } from "./QueryError.ts"

/** Why a connection ended, when it did not end by itself. */
export interface StreamFault {
  /** A sentence for people. */
  readonly message: string
  /** The system's error code, such as `ECONNRESET`. */
  readonly code?: string
}

/** The functions that a connection calls. They are plain calls on the runtime's event loop and must not throw. */
export interface StreamHandler {
  /** A segment arrived. **The bytes are valid only during the call.** */
  readonly onData: (bytes: Uint8Array) => void
  /** The other side closed, or the connection broke. Called once; never for a close that came from this side. */
  readonly onClose: (fault?: StreamFault) => void
}

/** An open connection. None of its functions throws; on a connection that has ended they do nothing. */
export interface StreamHandle {
  readonly local: Endpoint
  readonly remote: Endpoint
  /** Queues bytes, which may not be changed afterwards. One call leaves as one segment where the system allows it. */
  readonly write: (bytes: Uint8Array) => void
  /** Bytes in the queue that the system has not accepted yet. */
  readonly queuedBytes: () => number
  /** Stops reading, which slows the other side down, and starts again. */
  readonly pause: () => void
  readonly resume: () => void
  /** Closes once everything queued has been sent. */
  readonly end: () => void
  /** Closes now, dropping what is queued. */
  readonly destroy: () => void
}

/** The remote endpoint. */
export interface ConnectOptions {
  /** A name or a numeric address. */
  readonly host: string
  readonly port: number
  /** How long the other side may take to accept, name resolution included. */
  readonly timeoutMs: number
}

/** The local endpoint. */
export interface ListenOptions {
  /** Port 0 lets the system choose. */
  readonly bind: Endpoint
  /** Connections beyond this are closed as they come in. */
  readonly maxConnections: number
}

/** A listener. It, and every connection that it accepted, is closed by closing the scope that it was opened in. */
export interface StreamListener {
  readonly local: Endpoint
}

/** TCP of one runtime. Connections send keep-alive probes and don't wait to fill segments (no Nagle). */
export class Streams extends Context.Service<
  Streams,
  {
    /** Connects for the life of the scope. */
    readonly connect: (
      options: ConnectOptions,
      handler: StreamHandler
    ) => Effect.Effect<StreamHandle, PortClosed | SendFailed | Timeout | Unresolved, Scope.Scope>
    /** Listens for the life of the scope; `accept` is called per connection. `SendFailed` when the system refuses the address. */
    readonly listen: (
      options: ListenOptions,
      accept: (stream: StreamHandle) => StreamHandler
    ) => Effect.Effect<StreamListener, SendFailed, Scope.Scope>
  }
>()("@sourcewire/core/Streams") {}
