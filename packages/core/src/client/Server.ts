/** What a client keeps of a server and of a socket, and what these need of a call. */
import type * as Cause from "effect/Cause"
import type * as Scope from "effect/Scope"
import type { Endpoint, Family } from "../engine/Datagrams.ts"
import type { EngineSocket, InFlight } from "../engine/Engine.ts"
import type { SendFailed } from "../engine/QueryError.ts"
import type { RoundTrip } from "../engine/retransmission.ts"

/** A server that was asked, one of those asked last. */
export interface Server {
  /** `routeKey` of address and port. */
  readonly key: number | string
  readonly remote: Endpoint
  readonly family: Family
  readonly roundTrip: RoundTrip
  /** Connected to it, for its next query. */
  own: Socket | undefined
}

/** A socket: how many use it, and what to do when it has been idle for long. */
export interface Socket {
  /** Without a handle until it is open. */
  readonly engineSocket: EngineSocket
  readonly scope: Scope.Closeable
  readonly family: Family
  /** Connected to that server; absent where any share it. */
  readonly server: Server | undefined
  /** Who waits for it to open. */
  opening: Array<Asker>
  /** Why it could not be opened. */
  failure: Cause.Cause<SendFailed> | undefined
  users: number
  /** When its last user left it, on the clock of the timing. */
  idleSince: number
  cancelIdle: (() => void) | undefined
}

/** A call, from when it wants to ask until it has asked. */
export interface Turn {
  /** Of its server. */
  key: number | string
  /** When its turn came. */
  turnAt?: number
  /** Called once, with `false` when there will be no turn any more; not after it has left. */
  readonly onTurn: (isOpen: boolean) => void
}

/** A call, as far as its turn and its socket go. */
export interface Asker extends InFlight, Turn {
  /** Whoever asks what is called the same may join it, as long as it is `isJoinable`. */
  readonly name: string | undefined
  readonly isJoinable: boolean
  readonly server: Server
  /** What it uses. */
  through: Socket | undefined
  /** Replies that may still come for what it has sent. */
  readonly outstanding: number
}
