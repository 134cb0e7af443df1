/**
 * Sockets for single queries. Each address gets a connected socket of its own, since only such a one learns of a closed port (ICMP)
 * and has the kernel drop other senders; it is kept for a few seconds, so that the queries after the first reuse challenge and port.
 *
 * A query that sent something twice may be answered twice, and the surplus reply cannot be told from the next query's. So a socket on
 * which replies are outstanding takes no further query: it is only kept open until they must have come, the next gets a new one.
 *
 * Beyond a cap, queries share one unconnected socket per family instead of using up the process's file descriptors; there a surplus
 * reply may reach a later query.
 *
 * @module
 */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import type { Datagrams, Endpoint, Family } from "../Datagrams.ts"
import type { Engine, EngineSocket } from "../Engine.ts"
import { MAX_CONNECTED_SOCKETS, SOCKET_IDLE_MS } from "../Limits.ts"
import type { SendFailed } from "../QueryError.ts"
import { ConnectionClosed } from "../QueryError.ts"
import type { Timing } from "../Timing.ts"

/** A socket in the pool: how many use it, and what to do when it has been idle for long. */
interface Kept {
  /** Of the pool's map; another once the socket takes no further query. */
  key: string
  readonly scope: Scope.Closeable
  readonly socket: EngineSocket
  readonly ready: Deferred.Deferred<EngineSocket, SendFailed>
  /** Connected, for one remote alone. */
  readonly isOwn: boolean
  users: number
  /** When its last user left it, on the clock of the timing. */
  idleSince: number
  cancelIdle: (() => void) | undefined
}

const closed = (): ConnectionClosed =>
  new ConnectionClosed({ message: "The client was closed before the answer came." })

/** See the module. */
export class SocketPool {
  /** In order of last use. */
  private readonly kept = new Map<string, Kept>()
  private readonly open: (typeof Datagrams.Service)["open"]
  private readonly engine: Engine
  private readonly timing: Timing
  private readonly fork: <A, E>(effect: Effect.Effect<A, E>) => unknown
  private isClosed = false
  private retired = 0

  constructor(
    open: (typeof Datagrams.Service)["open"],
    engine: Engine,
    timing: Timing,
    fork: <A, E>(effect: Effect.Effect<A, E>) => unknown
  ) {
    this.open = open
    this.engine = engine
    this.timing = timing
    this.fork = fork
  }

  /**
   * Runs `use` with an open socket for the remote; the socket stays in the pool afterwards, but takes no further query if replies are
   * `outstanding` then.
   */
  withSocket<A, E>(
    remote: Endpoint,
    family: Family,
    use: (socket: EngineSocket) => Effect.Effect<A, E>,
    outstanding: () => number
  ): Effect.Effect<A, E | SendFailed | ConnectionClosed> {
    return Effect.suspend((): Effect.Effect<A, E | SendFailed | ConnectionClosed> => {
      if (this.isClosed) return Effect.fail(closed())
      const kept = this.take(remote, family)
      return Deferred.await(kept.ready).pipe(
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
    const own = `${remote.address} ${remote.port}`
    const isFull = !this.kept.has(own) && this.kept.size >= MAX_CONNECTED_SOCKETS && !this.evict()
    const key = isFull ? `shared ${family}` : own
    const kept = this.kept.get(key) ?? this.opened(key, family, isFull ? undefined : remote)
    kept.users++
    this.kept.delete(key)
    this.kept.set(key, kept)
    return kept
  }

  private opened(key: string, family: Family, connect: Endpoint | undefined): Kept {
    const socket = this.engine.socket()
    const scope = Scope.makeUnsafe()
    const ready = Deferred.makeUnsafe<EngineSocket, SendFailed>()
    const isOwn = connect !== undefined
    const kept: Kept = { key, scope, socket, ready, isOwn, users: 0, idleSince: 0, cancelIdle: undefined }
    const open = this.open({ family, ...(connect === undefined ? {} : { connect }) }, socket).pipe(
      Effect.provideService(Scope.Scope, scope),
      Effect.map((handle) => {
        if (!this.isClosed) socket.attach(handle)
        return socket
      }),
      Effect.tapError(() => Effect.sync(() => this.kept.get(kept.key) === kept && this.kept.delete(kept.key)))
    )
    // Not in the asking fiber: whoever else waits for the socket must not lose it when that one is interrupted.
    this.fork(Deferred.into(open, ready))
    return kept
  }

  private release(kept: Kept, isOwed: boolean): void {
    kept.users--
    if (isOwed && kept.isOwn && this.kept.get(kept.key) === kept) this.retire(kept)
    if (kept.users > 0 || this.kept.get(kept.key) !== kept) return
    kept.idleSince = this.timing.now()
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
    kept.cancelIdle = this.timing.schedule(
      delayMs,
      () => {
        kept.cancelIdle = undefined
        if (kept.users > 0) return
        const leftMs = kept.idleSince + SOCKET_IDLE_MS - this.timing.now()
        if (leftMs > 0) this.watch(kept, leftMs)
        else this.drop(kept)
      },
      true
    )
  }

  /** Drops the socket that has been idle longest; `false` when all are in use. */
  private evict(): boolean {
    for (const kept of this.kept.values()) {
      if (kept.users === 0) {
        this.drop(kept)
        return true
      }
    }
    return false
  }

  private drop(kept: Kept): void {
    this.forget(kept)
    this.fork(Scope.close(kept.scope, Exit.void))
  }

  private forget(kept: Kept): void {
    kept.cancelIdle?.()
    this.kept.delete(kept.key)
    kept.socket.detach(closed())
  }
}
