/**
 * Sockets for single queries. Each address gets a connected socket of its own, since only such a one learns of a closed port (ICMP)
 * and has the kernel drop other senders; it is kept for a few seconds, so that the queries after the first reuse challenge and port.
 *
 * A query that sent something twice may be answered twice, and the surplus reply cannot be told from the next query's. So a socket on
 * which replies are outstanding takes no further query: it is only kept open until they must have come, the next gets a new one.
 *
 * With many of them, and where the system gives no more, queries share others: see `sharedSockets.ts`.
 *
 * @module
 */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import type { Datagrams, Endpoint, Family } from "./Datagrams.ts"
import type { Engine } from "./Engine.ts"
import type { EngineSocket } from "./InFlight.ts"
import { RESERVE_FROM, SCAN_RECEIVE_BUFFER_BYTES, SOCKET_IDLE_MS } from "../Limits.ts"
import type { ConnectionClosed, SendFailed } from "./QueryError.ts"
import { clientClosed } from "./QueryError.ts"
import { SharedSockets } from "./sharedSockets.ts"
import type { Timing } from "./Timing.ts"

/** A socket in the pool: how many use it, and what to do when it has been idle for long. */
export interface Kept {
  /** Of the pool's map; another once the socket takes no further query. */
  key: string
  readonly scope: Scope.Closeable
  readonly socket: EngineSocket
  readonly ready: Deferred.Deferred<EngineSocket, SendFailed>
  readonly family: Family
  /** Connected, for one remote alone. */
  readonly isOwn: boolean
  users: number
  /** When its last user left it, on the clock of the timing. */
  idleSince: number
  cancelIdle: (() => void) | undefined
}

/** What a pool is made of. */
interface PoolParts {
  readonly open: (typeof Datagrams.Service)["open"]
  readonly engine: Engine
  readonly timing: Timing
  readonly fork: <A, E>(effect: Effect.Effect<A, E>) => unknown
}

/** The sockets of one client. */
export class SocketPool {
  /** In order of last use. */
  readonly kept = new Map<string, Kept>()
  /** Connected ones among them. */
  readonly owned = { 4: 0, 6: 0 }
  readonly parts: PoolParts
  /** From when there are many, or the system gave none. */
  private shared: SharedSockets | undefined = undefined
  private isClosed = false
  private retired = 0

  constructor(parts: PoolParts) {
    this.parts = parts
  }

  /**
   * Runs `use` with an open socket for the remote; the socket stays in the pool afterwards, but takes no further query if replies are
   * `outstanding` then. Where the system gives no socket at the moment, that is waited out for `maxWaitMs`.
   */
  withSocket<A, E>(
    remote: Endpoint,
    family: Family,
    use: (socket: EngineSocket) => Effect.Effect<A, E>,
    outstanding: () => number,
    maxWaitMs: number
  ): Effect.Effect<A, E | SendFailed | ConnectionClosed> {
    return Effect.suspend((): Effect.Effect<A, E | SendFailed | ConnectionClosed> => {
      if (this.isClosed) return Effect.fail(clientClosed())
      const giveUpAt = this.parts.timing.now() + maxWaitMs
      let kept = this.take(remote, family)
      const ready = (): Effect.Effect<EngineSocket, SendFailed> =>
        Effect.catchTag(Deferred.await(kept.ready), "SendFailed", (error) => {
          this.shared ??= new SharedSockets(this)
          return Effect.flatMap(this.shared.afterFailure(error, kept, giveUpAt), (instead) => {
            kept = this.use(instead)
            return ready()
          })
        })
      return ready().pipe(
        Effect.flatMap(use),
        Effect.ensuring(Effect.sync(() => this.release(kept, outstanding() > 0)))
      )
    })
  }

  /** Ends all queries and closes all sockets. */
  readonly close: Effect.Effect<void> = Effect.suspend(() => {
    this.isClosed = true
    const all = [...this.kept.values()]
    for (const kept of all) this.forget(kept)
    return Effect.forEach(all, (kept) => Scope.close(kept.scope, Exit.void), { discard: true })
  })

  private take(remote: Endpoint, family: Family): Kept {
    const key = `${remote.address} ${remote.port}`
    const own = this.kept.get(key)
    if (own !== undefined) return this.use(own)
    if (this.connected >= RESERVE_FROM) this.shared ??= new SharedSockets(this)
    return this.use(this.shared?.insteadOfMore(family) ?? this.opened(key, family, remote))
  }

  private use(kept: Kept): Kept {
    kept.users++
    if (this.kept.delete(kept.key)) this.kept.set(kept.key, kept)
    return kept
  }

  get connected(): number {
    return this.owned[4] + this.owned[6]
  }

  /** How many queries it can serve at once without overrunning a receive queue; no number that matters while sockets can be had. */
  get room(): number {
    return this.shared?.room ?? Number.POSITIVE_INFINITY
  }

  /** A socket that is about to be open; unconnected where `connect` is absent. */
  opened(key: string, family: Family, connect: Endpoint | undefined): Kept {
    const socket = this.parts.engine.socket()
    const scope = Scope.makeUnsafe()
    const ready = Deferred.makeUnsafe<EngineSocket, SendFailed>()
    const isOwn = connect !== undefined
    const kept: Kept = { key, scope, socket, ready, family, isOwn, users: 0, idleSince: 0, cancelIdle: undefined }
    const open = this.parts
      .open(
        { family, ...(connect === undefined ? { receiveBufferBytes: SCAN_RECEIVE_BUFFER_BYTES } : { connect }) },
        socket
      )
      .pipe(
        Effect.provideService(Scope.Scope, scope),
        Effect.map((handle) => {
          if (!this.isClosed) socket.attach(handle)
          return socket
        }),
        Effect.tapError(() => Effect.sync(() => this.remove(kept)))
      )
    this.kept.set(key, kept)
    if (isOwn) this.owned[family]++
    // Not in the asking fiber: whoever else waits for the socket must not lose it when that one is interrupted.
    this.parts.fork(Deferred.into(open, ready))
    if (!isOwn) this.watch(kept, SOCKET_IDLE_MS)
    return kept
  }

  private release(kept: Kept, isOwed: boolean): void {
    kept.users--
    if (isOwed && kept.isOwn && this.kept.get(kept.key) === kept) this.retire(kept)
    if (kept.users > 0 || this.kept.get(kept.key) !== kept) return
    if (kept.isOwn && this.shared !== undefined && this.connected > this.shared.limit) {
      this.drop(kept)
      return
    }
    kept.idleSince = this.parts.timing.now()
    if (kept.cancelIdle === undefined) this.watch(kept, SOCKET_IDLE_MS)
  }

  /** Takes the socket out of the way of further queries. It counts like any other, and goes when it is idle. */
  private retire(kept: Kept): void {
    this.kept.delete(kept.key)
    kept.key = `retired ${this.retired++}`
    this.kept.set(kept.key, kept)
  }

  /** Drops the socket once it has been idle for long. Its timer runs on through further uses: a new one for each costs Deno 1 µs. */
  private watch(kept: Kept, delayMs: number): void {
    kept.cancelIdle = this.parts.timing.schedule(
      delayMs,
      () => {
        kept.cancelIdle = undefined
        if (kept.users > 0) return
        const isReserve = !kept.isOwn && this.owned[kept.family] > 0
        const leftMs = isReserve ? SOCKET_IDLE_MS : kept.idleSince + SOCKET_IDLE_MS - this.parts.timing.now()
        if (leftMs > 0) this.watch(kept, leftMs)
        else this.drop(kept)
      },
      true
    )
  }

  /** Closes it. */
  drop(kept: Kept): void {
    this.forget(kept)
    this.parts.fork(Scope.close(kept.scope, Exit.void))
  }

  private forget(kept: Kept): void {
    this.remove(kept)
    kept.socket.detach(clientClosed)
  }

  private remove(kept: Kept): void {
    if (this.kept.get(kept.key) !== kept) return
    this.kept.delete(kept.key)
    kept.cancelIdle?.()
    if (kept.isOwn) this.owned[kept.family]--
  }
}
