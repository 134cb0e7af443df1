/**
 * The sockets of a client or a scan, in one table. Each request acquires a socket, and releases the socket when the request ends.
 *
 * A client has a connected socket for each server. A connected socket reports a closed port (ICMP), and the kernel drops datagrams from
 * other senders; an unconnected socket has neither advantage. After a query, the socket stays open for a few seconds, so that the next
 * query to the server can reuse the challenge and the local port. If a query ends while replies are outstanding, no further query uses the
 * socket, because the further query could not distinguish these replies from its own replies. In this case, too, the socket stays open for
 * a few seconds, to receive these replies.
 *
 * The requests of a scan share unconnected sockets. The number of these sockets depends on the size of the receive queues. If a client
 * already has many sockets, or the system cannot open more sockets, further queries of the client share unconnected sockets, too. A client
 * opens one unconnected socket early as a reserve, because it cannot open a socket when no file descriptors are left.
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
  MAX_SCAN_SOCKETS,
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

/** A request, with the fields that this module needs to assign a socket. */
export interface SocketUser extends InFlight {
  /** The IP version of the request's address. */
  readonly family: Family
}

/** The parts of a client or a scan that {@link Sockets} uses. */
export interface SocketParts {
  readonly open: (typeof Datagrams.Service)["open"]
  readonly engine: Engine
  readonly timing: Timing
  readonly fork: <A, E>(effect: Effect.Effect<A, E>) => Fiber.Fiber<A, E>
  /** Present for a scan: all requests share unconnected sockets, which stay open. */
  readonly shared?: SharedSockets
}

/** The unconnected sockets of a scan. */
export interface SharedSockets {
  /** Number of sockets per address family (default: as many as necessary so that no receive queue overflows). */
  readonly count?: number | undefined
  /** Space that the replies of one target occupy in a receive queue, in bytes. */
  readonly burstBytes: number
  readonly batching: boolean
  /**
   * How long requests wait for a socket if the system cannot open one, in ms. After this time, all requests of the socket's address family
   * fail without waiting, for a period of the same length. After this period, the next request tries again to open a socket, so that an
   * endless scan can recover.
   */
  readonly patienceMs: number
}

/** A socket of the table. */
interface Socket {
  /** The engine's part of the socket. It has no handle until the socket is open. */
  readonly engineSocket: EngineSocket
  readonly scope: Scope.Closeable
  readonly family: Family
  /** The `routeKey` of the server that the socket is connected to. Absent for an unconnected socket, which any request can use. */
  readonly server: number | string | undefined
  /** Requests that wait until the socket is open, each with the time when it first needed a socket. */
  readonly opening: Map<SocketUser, number>
  /** Number of requests whose replies fit into the receive queue of the socket at the same time. */
  room: number
  /** Why the socket could not be opened. */
  failure: Cause.Cause<SendFailed> | undefined
  /** When the last request released the socket, on the clock of `timing`. */
  idleSince: number
  cancelIdle: (() => void) | undefined
}

/**
 * The failure of a scan to open any socket of an address family: the error, and the period in which targets of this family fail without
 * waiting for a socket.
 */
interface Outage {
  readonly error: SendFailed
  readonly from: number
  readonly until: number
}

const countUsers = ({ engineSocket, opening }: Socket): number => engineSocket.inFlight + opening.size

/** The sockets of one client or scan. */
export class Sockets {
  private readonly parts: SocketParts
  /** All sockets, least recently used first. */
  private readonly all = new Set<Socket>()
  private readonly unconnected: Readonly<Record<Family, Array<Socket>>> = { 4: [], 6: [] }
  /** The connected socket for the next query to a server, by the key of the server. */
  private readonly connected = new Map<number | string, Socket>()
  /** Number of connected sockets, per family. */
  private readonly owned = { 4: 0, 6: 0 }
  /** The socket of each request of a client. */
  private readonly uses = new Map<SocketUser, Socket>()
  private readonly outages = new Map<Family, Outage>()
  /**
   * After the system has refused to open a socket, sockets are scarce until this time. In this period, at most `scarceLimit` sockets may be
   * connected.
   */
  private scarceUntil = Number.NEGATIVE_INFINITY
  private scarceLimit = 0
  private isClosed = false

  /** Maximum number of unconnected sockets per family. */
  private readonly mostShared: number
  /** Whether `mostShared` sockets are opened even if fewer suffice for the requests. */
  private readonly isFixed: boolean

  constructor(parts: SocketParts) {
    const { shared } = parts
    this.parts = parts
    this.mostShared = shared === undefined ? MAX_SHARED_SOCKETS : (shared.count ?? MAX_SCAN_SOCKETS)
    this.isFixed = shared?.count !== undefined
  }
  /**
   * Assigns a socket to the request. Submits the request to the engine as soon as the socket is open. If no socket can be opened, the
   * request fails.
   */
  acquire(request: SocketUser): void {
    const { family, key } = request
    if (this.parts.shared === undefined) {
      const socket = this.connected.get(key) ?? this.reusableSocket(family) ?? this.openFor(request)
      this.use(socket, request)
      return
    }
    const error = this.outages.size === 0 ? undefined : this.currentOutage(family)
    if (error === undefined) this.use(this.sharedFor(family), request)
    else this.fail(request, error)
  }

  /**
   * Releases the socket of the request, if it has one. `hasOutstanding` is true if replies may still arrive. In this case, no other request
   * to the same server may use the socket: the next query to this server opens a new socket, and the old socket stays open until its idle
   * time is over.
   */
  release(request: SocketUser, hasOutstanding: boolean): void {
    const socket = this.uses.get(request)
    if (socket === undefined) return
    this.uses.delete(request)
    socket.opening.delete(request)
    if (hasOutstanding) this.retire(socket)
    if (countUsers(socket) > 0 || !this.all.has(socket)) return
    if (socket.server !== undefined && this.count > this.limit) {
      this.closeSocket(socket)
      return
    }
    socket.idleSince = this.parts.timing.now()
    if (socket.cancelIdle === undefined) this.watch(socket, SOCKET_IDLE_MS)
  }

  /**
   * How many requests a client can have in flight at once while sockets are scarce, so that no receive queue overflows. Infinity if sockets
   * are not scarce.
   */
  get room(): number {
    if (!this.isScarce) return Number.POSITIVE_INFINITY
    const shared = [...this.unconnected[4], ...this.unconnected[6]]
    return shared.reduce((sum, { room }) => sum + room, this.scarceLimit)
  }

  /** Number of datagrams that the system dropped because a receive queue was full. 0 if the system does not report the number. */
  countDropped(): number {
    let sum = 0
    for (const { engineSocket } of this.all) sum += engineSocket.handle?.countDropped?.() ?? 0
    return sum
  }

  /** Ends all requests and closes all sockets. */
  readonly close: Effect.Effect<void> = Effect.suspend(() => {
    this.isClosed = true
    const all = [...this.all]
    for (const socket of all) this.abandon(socket)
    return Effect.forEach(all, ({ scope }) => Scope.close(scope, Exit.void), { discard: true })
  })

  /**
   * Assigns the socket to the request. The request starts when the socket is open. `since` is the time when the request first needed a
   * socket (default: now).
   */
  private use(socket: Socket, request: SocketUser, since?: number): void {
    if (this.parts.shared === undefined) {
      this.uses.set(request, socket)
      if (this.all.delete(socket)) this.all.add(socket)
    }
    const { engine, timing } = this.parts
    if (socket.failure !== undefined) this.onOpenFailed(socket, socket.failure, request, since ?? timing.now())
    else if (socket.engineSocket.handle === undefined) socket.opening.set(request, since ?? timing.now())
    else engine.submit(socket.engineSocket, request)
  }

  /** Opens a connected socket for the server of this request. */
  private openFor({ address, family, key, port }: SocketUser): Socket {
    const socket = this.socket(family, key)
    this.connected.set(key, socket)
    this.owned[family]++
    this.open(socket, { connect: { address, port } })
    return socket
  }

  private openShared(family: Family): Socket {
    const { shared } = this.parts
    const socket = this.socket(family, undefined)
    this.unconnected[family].push(socket)
    if (shared === undefined) this.watch(socket, SOCKET_IDLE_MS)
    this.open(socket, {
      receiveBufferBytes: SCAN_RECEIVE_BUFFER_BYTES,
      ...(shared === undefined ? {} : { batching: shared.batching })
    })
    return socket
  }

  private socket(family: Family, server: number | string | undefined): Socket {
    const socket: Socket = {
      engineSocket: this.parts.engine.socket(),
      scope: Scope.makeUnsafe(),
      family,
      server,
      opening: new Map(),
      room: this.maxRequests(undefined),
      failure: undefined,
      idleSince: 0,
      cancelIdle: undefined
    }
    this.all.add(socket)
    return socket
  }

  /** Opens the socket in a separate fiber, because other requests may still wait for the socket when the first request is cancelled. */
  private open(socket: Socket, options: Partial<Parameters<SocketParts["open"]>[0]>): void {
    const { fork, open } = this.parts
    const opening = open({ family: socket.family, ...options }, socket.engineSocket)
    fork(Effect.provideService(opening, Scope.Scope, socket.scope)).addObserver((exit) => this.onOpened(socket, exit))
  }

  private onOpened(socket: Socket, exit: Exit.Exit<DatagramHandle, SendFailed>): void {
    const opening = [...socket.opening]
    socket.opening.clear()
    if (Exit.isFailure(exit)) {
      socket.failure = exit.cause
      this.unlist(socket)
      this.recordOutage(socket)
    } else if (!this.isClosed) {
      socket.engineSocket.attach(exit.value)
      socket.room = this.maxRequests(exit.value.receiveBufferBytes)
      this.outages.delete(socket.family)
    }
    for (const [request, since] of opening) {
      // The request may have ended in the meantime, for example because a function of the caller threw when the previous request started.
      if (request.isDone) continue
      if (socket.failure === undefined) this.parts.engine.submit(socket.engineSocket, request)
      else this.onOpenFailed(socket, socket.failure, request, since)
    }
  }

  /**
   * Returns an unconnected socket if the maximum number of connected sockets is in use. Otherwise returns `undefined`: the caller may open
   * a further connected socket.
   */
  private reusableSocket(family: Family): Socket | undefined {
    if (this.count >= this.limit && !this.evict()) return this.sharedFor(family)
    if (this.owned[family] >= RESERVE_FROM && this.unconnected[family].length === 0) this.openShared(family)
    return undefined
  }

  /** Called if the socket of the request could not be opened. The request uses another socket, perhaps after a delay, or fails. */
  private onOpenFailed(socket: Socket, failure: Cause.Cause<SendFailed>, request: SocketUser, since: number): void {
    const { engine, shared, timing } = this.parts
    const isOwn = socket.server !== undefined
    this.uses.delete(request)
    const error = Option.getOrUndefined(Cause.findErrorOption(failure))
    if (error === undefined) {
      engine.failWithDefect(request, Cause.squash(failure))
      return
    }
    const hasOthers = shared !== undefined && this.unconnected[socket.family].length > 0
    const patienceMs = shared?.patienceMs ?? request.maxLostMs
    if (!hasOthers && (error.local !== true || (!isOwn && timing.now() >= since + patienceMs))) {
      this.fail(request, error)
      return
    }
    if (hasOthers || SystemFault.isExhausted(error.code)) this.becomeScarce()
    const share = (): void => {
      if (this.isClosed) engine.fail(request, clientClosed())
      else if (!request.isDone) this.use(this.sharedFor(request.family), request, since)
    }
    if (isOwn) share()
    else timing.schedule(LOCAL_RETRY_MS, share)
  }

  /**
   * Called when a socket could not be opened. If a scan has no other socket of the address family, this function sets the period in which
   * targets of this family fail without waiting for a socket.
   */
  private recordOutage({ failure, family }: Socket): void {
    const { shared, timing } = this.parts
    const error = Option.getOrUndefined(Cause.findErrorOption(failure!))
    if (shared === undefined || error === undefined || this.unconnected[family].length > 0) return
    const now = timing.now()
    const known = this.outages.get(family)
    if (error.local !== true) this.outages.set(family, { error, from: now, until: Number.POSITIVE_INFINITY })
    else if (known === undefined || now >= known.until) {
      this.outages.set(family, { error, from: now + shared.patienceMs, until: now + 2 * shared.patienceMs })
    }
  }

  /**
   * The error with which targets of this address family fail without waiting. `undefined` if targets of this family may wait for a socket.
   */
  private currentOutage(family: Family): SendFailed | undefined {
    const now = this.parts.timing.now()
    const outage = this.outages.get(family)
    return outage !== undefined && now >= outage.from && now < outage.until ? outage.error : undefined
  }

  private fail(request: SocketUser, error: SendFailed): void {
    // Each request gets its own copy of the error, because the address of the server is added to the error.
    this.parts.engine.fail(request, new SendFailed(error))
  }

  /** Number of connected sockets. */
  private get count(): number {
    return this.owned[4] + this.owned[6]
  }

  /** Maximum number of connected sockets. */
  private get limit(): number {
    return this.isScarce ? this.scarceLimit : MAX_CONNECTED_SOCKETS
  }

  private get isScarce(): boolean {
    return this.parts.timing.now() < this.scarceUntil
  }

  /**
   * Called if the system cannot open more sockets. Closes the idle connected sockets, and limits the number of connected sockets to a share
   * of the number in use.
   */
  private becomeScarce(): void {
    while (this.evict());
    this.scarceLimit = Math.floor(SCARCE_SHARE * this.count)
    this.scarceUntil = this.parts.timing.now() + SOCKET_IDLE_MS
  }

  /** Closes the connected socket that has been idle longest. Returns `false` if all connected sockets are in use. */
  private evict(): boolean {
    for (const socket of this.all) {
      if (socket.server !== undefined && countUsers(socket) === 0) {
        this.closeSocket(socket)
        return true
      }
    }
    return false
  }

  /**
   * Returns the unconnected socket with the fewest requests. If even this socket is full, opens a further socket if possible, and returns
   * the further socket. A scan with a fixed number of sockets opens all of them before it uses a socket twice.
   */
  private sharedFor(family: Family): Socket {
    const sockets = this.unconnected[family]
    let fewest = sockets[0]
    if (fewest === undefined) return this.openShared(family)
    for (let i = 1; i < sockets.length; i++) if (countUsers(sockets[i]!) < countUsers(fewest)) fewest = sockets[i]!
    const mayOpen = sockets.length < this.mostShared && (this.isFixed || countUsers(fewest) >= fewest.room)
    return mayOpen && !this.isScarce ? this.openShared(family) : fewest
  }

  /** Number of requests that an unconnected socket can serve at once. */
  private maxRequests(receiveBufferBytes: number | undefined): number {
    const burstBytes = this.parts.shared?.burstBytes ?? BURST_BYTES.players
    return Math.floor(burstsThatFit(burstBytes, receiveBufferBytes))
  }

  /**
   * Closes the socket when it has been idle for {@link SOCKET_IDLE_MS}. If the socket is used again, its timer is not cancelled, because a
   * new timer for each use would cost 1 µs in Deno.
   */
  private watch(socket: Socket, delayMs: number): void {
    const { timing } = this.parts
    socket.cancelIdle = timing.schedule(
      delayMs,
      () => {
        socket.cancelIdle = undefined
        if (countUsers(socket) > 0) return
        const isReserve = socket.server === undefined && this.owned[socket.family] > 0
        const leftMs = isReserve ? SOCKET_IDLE_MS : socket.idleSince + SOCKET_IDLE_MS - timing.now()
        if (leftMs > 0) this.watch(socket, leftMs)
        else this.closeSocket(socket)
      },
      true
    )
  }

  private closeSocket(socket: Socket): void {
    this.abandon(socket)
    this.parts.fork(Scope.close(socket.scope, Exit.void))
  }

  /** Fails the requests that use the socket or wait for it. */
  private abandon(socket: Socket): void {
    this.unlist(socket)
    socket.engineSocket.detach(clientClosed)
    for (const request of socket.opening.keys()) this.parts.engine.fail(request, clientClosed())
  }

  /** Removes the socket from all lists, so that no further request uses it. */
  private unlist(socket: Socket): void {
    if (!this.all.delete(socket)) return
    socket.cancelIdle?.()
    if (socket.server === undefined) {
      const sockets = this.unconnected[socket.family]
      sockets.splice(sockets.indexOf(socket), 1)
      return
    }
    this.owned[socket.family]--
    this.retire(socket)
  }

  /** Removes the socket from the lookup by server, so that the next query to the server opens a new socket. */
  private retire(socket: Socket): void {
    const { server } = socket
    if (server !== undefined && this.connected.get(server) === socket) this.connected.delete(server)
  }
}
