/**
 * The servers of a client: whose turn it is to ask them, over which socket, and how long they take.
 *
 * One query per server is under way, since replies carry no number by which two could be told apart, and some servers at once. As long
 * as there are few calls, each has its turn when it comes; from the first that has to wait on, who comes when is the matter of
 * `waitingLine.ts`.
 *
 * Each server gets a connected socket of its own, since only such a one learns of a closed port (ICMP) and has the kernel drop other
 * senders; it is kept for a few seconds, so that the queries after the first reuse challenge and port. A query that sent something twice
 * may be answered twice, and the surplus reply cannot be told from the next query's. So a socket on which replies are outstanding takes
 * no further query: it is only kept open until they must have come, the next gets a new one. With many sockets, and where the system
 * gives no more, queries share others: see `sharedSockets.ts`.
 */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { routeKey } from "../address/ip.ts"
import type { Datagrams, Endpoint, Family } from "../engine/Datagrams.ts"
import type { Engine } from "../engine/Engine.ts"
import type { EngineSocket } from "../engine/InFlight.ts"
import type { ConnectionClosed, SendFailed } from "../engine/QueryError.ts"
import { clientClosed } from "../engine/QueryError.ts"
import { RoundTrip } from "../engine/RoundTrip.ts"
import type { Timing } from "../engine/Timing.ts"
import {
  FIRST_WINDOW,
  MAX_REMEMBERED_ROUND_TRIPS,
  RESERVE_FROM,
  SCAN_RECEIVE_BUFFER_BYTES,
  SOCKET_IDLE_MS
} from "../Limits.ts"
import { SharedSockets } from "./sharedSockets.ts"
import type { Turn } from "./waitingLine.ts"
import { WaitingLine } from "./waitingLine.ts"

/** A server that was asked, one of those asked last. */
export interface Server {
  readonly remote: Endpoint
  readonly family: Family
  readonly roundTrip: RoundTrip
  /** Connected to it, for its next query. */
  own: Kept | undefined
}

/** A socket: how many use it, and what to do when it has been idle for long. */
export interface Kept {
  readonly scope: Scope.Closeable
  readonly socket: EngineSocket
  readonly ready: Deferred.Deferred<EngineSocket, SendFailed>
  readonly family: Family
  /** Connected to that server; absent where any share it. */
  readonly server: Server | undefined
  users: number
  /** When its last user left it, on the clock of the timing. */
  idleSince: number
  cancelIdle: (() => void) | undefined
}

/** What asking takes. */
interface Parts {
  readonly open: (typeof Datagrams.Service)["open"]
  readonly engine: Engine
  readonly timing: Timing
  readonly fork: <A, E>(effect: Effect.Effect<A, E>) => unknown
}

/** The servers of one client. */
export class Servers {
  /** All sockets, in order of last use. */
  readonly kept = new Set<Kept>()
  /** Connected ones among them. */
  readonly owned = { 4: 0, 6: 0 }
  readonly parts: Parts
  /** In order of last use. */
  private readonly known = new Map<number | string, Server>()
  /** Those who ask, while nobody had to wait. */
  private readonly asking = new Map<number | string, Turn>()
  private line: WaitingLine | undefined = undefined
  /** From when there are many sockets, or the system gave none. */
  private shared: SharedSockets | undefined = undefined
  private isClosed = false

  constructor(parts: Parts) {
    this.parts = parts
  }

  /** Runs `use` when it is its turn to ask that server. */
  inTurn<A, E>(
    remote: Endpoint,
    family: Family,
    use: (server: Server) => Effect.Effect<A, E>
  ): Effect.Effect<A, E | ConnectionClosed> {
    return Effect.suspend(() => {
      const key = routeKey(remote.address, remote.port)
      let turn: Turn | undefined
      const come = Effect.suspend((): Effect.Effect<void, ConnectionClosed> => {
        const { asking } = this
        if (this.isClosed) return Effect.fail(clientClosed())
        if (this.line === undefined && !asking.has(key) && asking.size < Math.min(FIRST_WINDOW, this.room())) {
          turn = { server: key, onTurn: () => {}, startedAt: this.parts.timing.now() }
          asking.set(key, turn)
          return Effect.void
        }
        const line = (this.line ??= new WaitingLine(this.parts.timing, this.room, asking.values()))
        return Effect.callback((resume) => {
          turn = { server: key, onTurn: (isOpen) => resume(isOpen ? Effect.void : Effect.fail(clientClosed())) }
          line.enter(turn)
        })
      })
      return Effect.ensuring(
        Effect.flatMap(come, () => use(this.of(key, remote, family))),
        Effect.sync(() => turn !== undefined && this.leave(turn))
      )
    })
  }

  private leave(turn: Turn): void {
    if (this.line === undefined) this.asking.delete(turn.server)
    else this.line.leave(turn)
  }

  /** A server answered what it was asked at `startedAt`. `wasRepeated`: not to the first transmission of the question. */
  onAnswer(startedAt: number, wasRepeated: boolean): void {
    this.line?.onAnswer(startedAt, wasRepeated)
  }

  /**
   * Runs `use` with an open socket for the server; the socket is kept afterwards, but takes no further query if replies are
   * `outstanding` then. Where the system gives no socket at the moment, that is waited out for `maxWaitMs`.
   */
  withSocket<A, E>(
    server: Server,
    use: (socket: EngineSocket) => Effect.Effect<A, E>,
    outstanding: () => number,
    maxWaitMs: number
  ): Effect.Effect<A, E | SendFailed | ConnectionClosed> {
    return Effect.suspend((): Effect.Effect<A, E | SendFailed | ConnectionClosed> => {
      if (this.isClosed) return Effect.fail(clientClosed())
      const giveUpAt = this.parts.timing.now() + maxWaitMs
      let kept = this.take(server)
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

  /** Ends all queries and closes all sockets; nobody gets a turn any more. */
  readonly close: Effect.Effect<void> = Effect.suspend(() => {
    this.isClosed = true
    this.line?.close()
    const all = [...this.kept]
    for (const kept of all) this.forget(kept)
    return Effect.forEach(all, (kept) => Scope.close(kept.scope, Exit.void), { discard: true })
  })

  private of(key: number | string, remote: Endpoint, family: Family): Server {
    const { known } = this
    const server = known.get(key) ?? { remote, family, roundTrip: new RoundTrip(), own: undefined }
    known.delete(key)
    known.set(key, server)
    if (known.size > MAX_REMEMBERED_ROUND_TRIPS) known.delete(known.keys().next().value!)
    return server
  }

  private take(server: Server): Kept {
    if (server.own !== undefined) return this.use(server.own)
    if (this.connected >= RESERVE_FROM) this.shared ??= new SharedSockets(this)
    return this.use(this.shared?.insteadOfMore(server.family) ?? this.opened(server.family, server))
  }

  private use(kept: Kept): Kept {
    kept.users++
    if (this.kept.delete(kept)) this.kept.add(kept)
    return kept
  }

  get connected(): number {
    return this.owned[4] + this.owned[6]
  }

  /** How many can be asked at once without overrunning a receive queue; no number that matters while sockets can be had. */
  private readonly room = (): number => this.shared?.room ?? Number.POSITIVE_INFINITY

  /** A socket that is about to be open; unconnected without a server. */
  opened(family: Family, server: Server | undefined): Kept {
    const { engine, fork, open } = this.parts
    const socket = engine.socket()
    const scope = Scope.makeUnsafe()
    const ready = Deferred.makeUnsafe<EngineSocket, SendFailed>()
    const kept: Kept = { scope, socket, ready, family, server, users: 0, idleSince: 0, cancelIdle: undefined }
    const kind = server === undefined ? { receiveBufferBytes: SCAN_RECEIVE_BUFFER_BYTES } : { connect: server.remote }
    const opening = open({ family, ...kind }, socket).pipe(
      Effect.provideService(Scope.Scope, scope),
      Effect.map((handle) => {
        if (!this.isClosed) socket.attach(handle)
        return socket
      }),
      Effect.tapError(() => Effect.sync(() => this.remove(kept)))
    )
    this.kept.add(kept)
    if (server === undefined) this.watch(kept, SOCKET_IDLE_MS)
    else {
      server.own = kept
      this.owned[family]++
    }
    // Not in the asking fiber: whoever else waits for the socket must not lose it when that one is interrupted.
    fork(Deferred.into(opening, ready))
    return kept
  }

  private release(kept: Kept, isOwed: boolean): void {
    const { server } = kept
    kept.users--
    if (isOwed && server?.own === kept) server.own = undefined
    if (kept.users > 0 || !this.kept.has(kept)) return
    if (server !== undefined && this.shared !== undefined && this.connected > this.shared.limit) {
      this.drop(kept)
      return
    }
    kept.idleSince = this.parts.timing.now()
    if (kept.cancelIdle === undefined) this.watch(kept, SOCKET_IDLE_MS)
  }

  /** Drops the socket once it has been idle for long. Its timer runs on through further uses: a new one for each costs Deno 1 µs. */
  private watch(kept: Kept, delayMs: number): void {
    kept.cancelIdle = this.parts.timing.schedule(
      delayMs,
      () => {
        kept.cancelIdle = undefined
        if (kept.users > 0) return
        const isReserve = kept.server === undefined && this.owned[kept.family] > 0
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
    if (!this.kept.delete(kept)) return
    kept.cancelIdle?.()
    const { family, server } = kept
    if (server === undefined) return
    this.owned[family]--
    if (server.own === kept) server.own = undefined
  }
}
