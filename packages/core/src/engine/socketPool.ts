/**
 * Sockets for single queries. Each address gets a connected socket of its own, since only such a one learns of a closed port (ICMP)
 * and has the kernel drop other senders; it is kept for a few seconds, so that the queries after the first reuse challenge and port.
 *
 * A query that sent something twice may be answered twice, and the surplus reply cannot be told from the next query's. So a socket on
 * which replies are outstanding takes no further query: it is only kept open until they must have come, the next gets a new one.
 *
 * Beyond a cap, and where the system gives no more, queries share unconnected sockets. One of them is opened while there are few
 * others, and kept as a reserve: once the file descriptors have run out it could not be had.
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
import {
  LOCAL_RETRY_MS,
  MAX_CONNECTED_SOCKETS,
  MAX_SHARED_SOCKETS,
  RESERVE_FROM,
  SCAN_RECEIVE_BUFFER_BYTES,
  SCARCE_SHARE,
  SOCKET_IDLE_MS
} from "../Limits.ts"
import type { ConnectionClosed, SendFailed } from "./QueryError.ts"
import { clientClosed } from "./QueryError.ts"
import { BURST_BYTES, burstsThatFit } from "./receiveQueue.ts"
import * as SystemFault from "./SystemFault.ts"
import { sleep, type Timing } from "./Timing.ts"

/** A socket in the pool: how many use it, and what to do when it has been idle for long. */
interface Kept {
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

/** Queries that an unconnected socket can serve at once. */
const roomOf = ({ socket }: Kept): number =>
  Math.floor(burstsThatFit(BURST_BYTES.players, socket.handle?.receiveBufferBytes))

const sharedKey = (family: Family, i: number): string => `shared ${family} ${i}`

/** The sockets of one client. */
export class SocketPool {
  /** In order of last use. */
  private readonly kept = new Map<string, Kept>()
  /** Connected ones among them. */
  private readonly owned = { 4: 0, 6: 0 }
  private readonly open: (typeof Datagrams.Service)["open"]
  private readonly engine: Engine
  private readonly timing: Timing
  private readonly fork: <A, E>(effect: Effect.Effect<A, E>) => unknown
  private isClosed = false
  private retired = 0
  /** Until when the system is not asked for many sockets, and how many may be connected meanwhile. */
  private scarceUntil = Number.NEGATIVE_INFINITY
  private scarceLimit = 0

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
      const giveUpAt = this.timing.now() + maxWaitMs
      let kept = this.take(remote, family)
      const ready = (): Effect.Effect<EngineSocket, SendFailed> =>
        Effect.catchTag(Deferred.await(kept.ready), "SendFailed", (error) => {
          const mayWait = kept.isOwn || this.timing.now() < giveUpAt
          if (error.local !== true || !mayWait) return Effect.fail(error)
          if (SystemFault.isExhausted(error.code)) this.becomeScarce()
          const share = Effect.suspend(() => {
            kept = this.use(this.shared(family))
            return ready()
          })
          return kept.isOwn ? share : Effect.andThen(sleep(this.timing, LOCAL_RETRY_MS), share)
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
    if (this.connected >= this.limit && !this.evict()) return this.use(this.shared(family))
    if (this.owned[family] >= RESERVE_FROM && !this.kept.has(sharedKey(family, 0))) {
      this.opened(sharedKey(family, 0), family, undefined)
    }
    return this.use(this.opened(key, family, remote))
  }

  private use(kept: Kept): Kept {
    kept.users++
    if (this.kept.delete(kept.key)) this.kept.set(kept.key, kept)
    return kept
  }

  private get connected(): number {
    return this.owned[4] + this.owned[6]
  }

  /** How many may be connected. */
  private get limit(): number {
    return this.timing.now() < this.scarceUntil ? this.scarceLimit : MAX_CONNECTED_SOCKETS
  }

  /** How many queries it can serve at once without overrunning a receive queue; no number that matters while sockets can be had. */
  get room(): number {
    if (this.timing.now() >= this.scarceUntil) return Number.POSITIVE_INFINITY
    let room = this.scarceLimit
    for (const kept of this.kept.values()) if (!kept.isOwn) room += roomOf(kept)
    return room
  }

  /** The system has no more: what is idle is closed, and what is in use not all replaced. */
  private becomeScarce(): void {
    while (this.evict());
    this.scarceLimit = Math.floor(SCARCE_SHARE * this.connected)
    this.scarceUntil = this.timing.now() + SOCKET_IDLE_MS
  }

  /** An unconnected socket with room, or a new one, or else the one that fewest use. */
  private shared(family: Family): Kept {
    let fewest: Kept | undefined
    let free: string | undefined
    for (let i = 0; i < MAX_SHARED_SOCKETS; i++) {
      const kept = this.kept.get(sharedKey(family, i))
      if (kept === undefined) free ??= sharedKey(family, i)
      else if (fewest === undefined || kept.users < fewest.users) fewest = kept
    }
    const mayOpen = free !== undefined && this.timing.now() >= this.scarceUntil
    if (fewest !== undefined && (fewest.users < roomOf(fewest) || !mayOpen)) return fewest
    return this.opened(free!, family, undefined)
  }

  private opened(key: string, family: Family, connect: Endpoint | undefined): Kept {
    const socket = this.engine.socket()
    const scope = Scope.makeUnsafe()
    const ready = Deferred.makeUnsafe<EngineSocket, SendFailed>()
    const isOwn = connect !== undefined
    const kept: Kept = { key, scope, socket, ready, family, isOwn, users: 0, idleSince: 0, cancelIdle: undefined }
    const open = this.open(
      { family, ...(connect === undefined ? { receiveBufferBytes: SCAN_RECEIVE_BUFFER_BYTES } : { connect }) },
      socket
    ).pipe(
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
    this.fork(Deferred.into(open, ready))
    if (!isOwn) this.watch(kept, SOCKET_IDLE_MS)
    return kept
  }

  private release(kept: Kept, isOwed: boolean): void {
    kept.users--
    if (isOwed && kept.isOwn && this.kept.get(kept.key) === kept) this.retire(kept)
    if (kept.users > 0 || this.kept.get(kept.key) !== kept) return
    if (kept.isOwn && this.connected > this.limit) {
      this.drop(kept)
      return
    }
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
        const isReserve = !kept.isOwn && this.owned[kept.family] > 0
        const leftMs = isReserve ? SOCKET_IDLE_MS : kept.idleSince + SOCKET_IDLE_MS - this.timing.now()
        if (leftMs > 0) this.watch(kept, leftMs)
        else this.drop(kept)
      },
      true
    )
  }

  /** Drops the connected socket that has been idle longest; `false` when all are in use. */
  private evict(): boolean {
    for (const kept of this.kept.values()) {
      if (kept.users === 0 && kept.isOwn) {
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
