/**
 * The sockets of a client, in one table. Each server gets a connected socket of its own, since only such a one learns of a closed port
 * (ICMP) and has the kernel drop other senders. It is kept for a few seconds, so that the queries after the first reuse challenge and port.
 *
 * A query that sent something twice may be answered twice, and the surplus reply cannot be told from the next query's. So a socket on which
 * replies are outstanding takes no further query. It is only kept open until they must have come.
 *
 * With many sockets, and where the system gives no more, queries share unconnected ones. One of these is opened while there are few others,
 * and kept in reserve: once the file descriptors have run out, there would be none.
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Scope from "effect/Scope"
import {
  LOCAL_RETRY_MS,
  MAX_CONNECTED_SOCKETS,
  MAX_SHARED_SOCKETS,
  RESERVE_FROM,
  SCAN_RECEIVE_BUFFER_BYTES,
  SCARCE_SHARE,
  SOCKET_IDLE_MS
} from "../Limits.ts"
import type { DatagramHandle, Datagrams, Family } from "./Datagrams.ts"
import type { Engine, EngineSocket, InFlight } from "./Engine.ts"
import { clientClosed, SendFailed } from "./QueryError.ts"
import { BURST_BYTES, burstsThatFit } from "./receiveQueue.ts"
import * as SystemFault from "./SystemFault.ts"
import type { Timing } from "./Timing.ts"

/** A request, as far as its socket goes. */
export interface SocketUser extends InFlight {
  /** Of its address. */
  readonly family: Family
}

/** What sockets are made with. */
export interface SocketParts {
  readonly open: (typeof Datagrams.Service)["open"]
  readonly engine: Engine
  readonly timing: Timing
  readonly fork: <A, E>(effect: Effect.Effect<A, E>) => Fiber.Fiber<A, E>
}

/** A socket of the table. */
interface Socket {
  /** Without a handle until it is open. */
  readonly engineSocket: EngineSocket
  readonly scope: Scope.Closeable
  readonly family: Family
  /** The `routeKey` of the server that it is connected to; absent if any query can use it. */
  readonly server: number | string | undefined
  /** Requests that wait until it is open. */
  opening: Array<SocketUser>
  /** Why it could not be opened. */
  failure: Cause.Cause<SendFailed> | undefined
  users: number
  /** When its last user left it, on the clock of the timing. */
  idleSince: number
  cancelIdle: (() => void) | undefined
}

/** The socket of a request, and since when the request has wanted one. */
interface Use {
  readonly socket: Socket
  readonly since: number
}

/** Queries that an unconnected socket can serve at once. */
const roomOf = ({ engineSocket }: Socket): number =>
  Math.floor(burstsThatFit(BURST_BYTES.players, engineSocket.handle?.receiveBufferBytes))

/** The sockets of one client. */
export class Sockets {
  private readonly parts: SocketParts
  /** All sockets, in order of last use. */
  private readonly all = new Set<Socket>()
  /** Of each server, the connected one for its next query. */
  private readonly connected = new Map<number | string, Socket>()
  /** How many connected ones there are. */
  private readonly owned = { 4: 0, 6: 0 }
  private readonly uses = new Map<SocketUser, Use>()
  /** Until when the system is not asked for many sockets, and how many may be connected meanwhile. */
  private scarceUntil = Number.NEGATIVE_INFINITY
  private scarceLimit = 0
  private isClosed = false

  constructor(parts: SocketParts) {
    this.parts = parts
  }

  /** Submits the request to the engine as soon as it has an open socket, or ends it with the reason why there is none. */
  acquire(request: SocketUser): void {
    const socket = this.connected.get(request.key) ?? this.insteadOfMore(request.family) ?? this.openFor(request)
    this.use(socket, request, this.parts.timing.now())
  }

  /**
   * The request no longer uses its socket, if it has one. `isOwed`: replies to it may still come, so no other request to that server may
   * use the socket.
   */
  release(request: SocketUser, isOwed: boolean): void {
    const socket = this.uses.get(request)?.socket
    if (socket === undefined) return
    this.uses.delete(request)
    socket.users--
    if (isOwed) this.disconnect(socket)
    if (socket.users > 0 || !this.all.has(socket)) return
    if (socket.server !== undefined && this.count > this.limit) {
      this.drop(socket)
      return
    }
    socket.idleSince = this.parts.timing.now()
    if (socket.cancelIdle === undefined) this.watch(socket, SOCKET_IDLE_MS)
  }

  /** How many requests the sockets can serve at once without overrunning a receive queue; infinity unless sockets are scarce. */
  get room(): number {
    if (!this.isScarce) return Number.POSITIVE_INFINITY
    let room = this.scarceLimit
    for (const socket of this.all) if (socket.server === undefined) room += roomOf(socket)
    return room
  }

  /** Ends all requests and closes all sockets. */
  readonly close: Effect.Effect<void> = Effect.suspend(() => {
    this.isClosed = true
    const all = [...this.all]
    for (const socket of all) this.forget(socket)
    return Effect.forEach(all, ({ scope }) => Scope.close(scope, Exit.void), { discard: true })
  })

  /** Has the request use that socket, when it is open. */
  private use(socket: Socket, request: SocketUser, since: number): void {
    this.uses.set(request, { socket, since })
    socket.users++
    if (this.all.delete(socket)) this.all.add(socket)
    if (socket.failure !== undefined) this.insteadOf(socket, socket.failure, request, since)
    else if (socket.engineSocket.handle === undefined) socket.opening.push(request)
    else this.parts.engine.submit(socket.engineSocket, request)
  }

  /** A connected socket for the server of this request. */
  private openFor({ address, family, key, port }: SocketUser): Socket {
    const socket = this.socket(family, key)
    this.connected.set(key, socket)
    this.owned[family]++
    this.open(socket, { connect: { address, port } })
    return socket
  }

  private openShared(family: Family): Socket {
    const socket = this.socket(family, undefined)
    this.watch(socket, SOCKET_IDLE_MS)
    this.open(socket, { receiveBufferBytes: SCAN_RECEIVE_BUFFER_BYTES })
    return socket
  }

  private socket(family: Family, server: number | string | undefined): Socket {
    const socket: Socket = {
      engineSocket: this.parts.engine.socket(),
      scope: Scope.makeUnsafe(),
      family,
      server,
      opening: [],
      failure: undefined,
      users: 0,
      idleSince: 0,
      cancelIdle: undefined
    }
    this.all.add(socket)
    return socket
  }

  /** In a fiber of its own: other requests that wait for the socket must not lose it when the first is cancelled. */
  private open(socket: Socket, options: Partial<Parameters<SocketParts["open"]>[0]>): void {
    const { fork, open } = this.parts
    const opening = open({ family: socket.family, ...options }, socket.engineSocket)
    fork(Effect.provideService(opening, Scope.Scope, socket.scope)).addObserver((exit) => this.onOpened(socket, exit))
  }

  private onOpened(socket: Socket, exit: Exit.Exit<DatagramHandle, SendFailed>): void {
    const { opening } = socket
    socket.opening = []
    if (Exit.isFailure(exit)) {
      socket.failure = exit.cause
      this.remove(socket)
    } else if (!this.isClosed) socket.engineSocket.attach(exit.value)
    for (const request of opening) {
      // It may have ended meanwhile, if only because of what became of the one before.
      if (request.isDone) continue
      if (socket.failure === undefined) this.parts.engine.submit(socket.engineSocket, request)
      else this.insteadOf(socket, socket.failure, request, this.uses.get(request)!.since)
    }
  }

  /** What to use in place of one more connected socket; `undefined` if that may be opened. */
  private insteadOfMore(family: Family): Socket | undefined {
    if (this.count >= this.limit && !this.evict()) return this.shared(family)
    if (this.owned[family] >= RESERVE_FROM && this.sharedOf(family).length === 0) this.openShared(family)
    return undefined
  }

  /** The socket of the request could not be opened: it uses another one, perhaps after a while, or ends. */
  private insteadOf(socket: Socket, failure: Cause.Cause<SendFailed>, request: SocketUser, since: number): void {
    const { engine, timing } = this.parts
    const isOwn = socket.server !== undefined
    socket.users--
    this.uses.delete(request)
    const error = Option.getOrUndefined(Cause.findErrorOption(failure))
    if (error === undefined) {
      engine.failWithDefect(request, Cause.squash(failure))
      return
    }
    if (error.local !== true || (!isOwn && timing.now() >= since + request.maxLostMs)) {
      // A copy, since it will name its server.
      engine.fail(request, new SendFailed(error))
      return
    }
    if (SystemFault.isExhausted(error.code)) this.becomeScarce()
    const share = (): void => {
      if (this.isClosed) engine.fail(request, clientClosed())
      else if (!request.isDone) this.use(this.shared(request.family), request, since)
    }
    if (isOwn) share()
    else timing.schedule(LOCAL_RETRY_MS, share)
  }

  /** Connected sockets. */
  private get count(): number {
    return this.owned[4] + this.owned[6]
  }

  /** How many may be connected. */
  private get limit(): number {
    return this.isScarce ? this.scarceLimit : MAX_CONNECTED_SOCKETS
  }

  private get isScarce(): boolean {
    return this.parts.timing.now() < this.scarceUntil
  }

  /** The system has no more: idle sockets are closed, and not all of those in use are replaced. */
  private becomeScarce(): void {
    while (this.evict());
    this.scarceLimit = Math.floor(SCARCE_SHARE * this.count)
    this.scarceUntil = this.parts.timing.now() + SOCKET_IDLE_MS
  }

  /** Drops the connected socket that has been idle longest; `false` if all are in use. */
  private evict(): boolean {
    for (const socket of this.all) {
      if (socket.users === 0 && socket.server !== undefined) {
        this.drop(socket)
        return true
      }
    }
    return false
  }

  /** An unconnected socket with room, or a new one, or otherwise the one that fewest use. */
  private shared(family: Family): Socket {
    const all = this.sharedOf(family)
    const [first, ...others] = all
    const mayOpen = all.length < MAX_SHARED_SOCKETS && !this.isScarce
    if (first === undefined) return this.openShared(family)
    const fewest = others.reduce((least, socket) => (socket.users < least.users ? socket : least), first)
    return fewest.users < roomOf(fewest) || !mayOpen ? fewest : this.openShared(family)
  }

  private sharedOf(family: Family): ReadonlyArray<Socket> {
    return [...this.all].filter((socket) => socket.server === undefined && socket.family === family)
  }

  /** Drops the socket once it has been idle for long. Its timer runs on through further uses: a new one for each costs Deno 1 µs. */
  private watch(socket: Socket, delayMs: number): void {
    const { timing } = this.parts
    socket.cancelIdle = timing.schedule(
      delayMs,
      () => {
        socket.cancelIdle = undefined
        if (socket.users > 0) return
        const isReserve = socket.server === undefined && this.owned[socket.family] > 0
        const leftMs = isReserve ? SOCKET_IDLE_MS : socket.idleSince + SOCKET_IDLE_MS - timing.now()
        if (leftMs > 0) this.watch(socket, leftMs)
        else this.drop(socket)
      },
      true
    )
  }

  /** Closes it. */
  private drop(socket: Socket): void {
    this.forget(socket)
    this.parts.fork(Scope.close(socket.scope, Exit.void))
  }

  private forget(socket: Socket): void {
    this.remove(socket)
    socket.engineSocket.detach(clientClosed)
    for (const request of socket.opening) this.parts.engine.fail(request, clientClosed())
  }

  private remove(socket: Socket): void {
    if (!this.all.delete(socket)) return
    socket.cancelIdle?.()
    if (socket.server === undefined) return
    this.owned[socket.family]--
    this.disconnect(socket)
  }

  /** The next query to its server gets another one. */
  private disconnect(socket: Socket): void {
    const { server } = socket
    if (server !== undefined && this.connected.get(server) === socket) this.connected.delete(server)
  }
}
