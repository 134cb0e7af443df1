/**
 * The sockets of a client or a scan, in one table. A request acquires a socket and releases it.
 *
 * A client has a connected socket for each server, because only such a socket reports a closed port (ICMP), and because the kernel drops
 * the datagrams of other senders there. The socket is kept for a few seconds, so that later queries reuse challenge and port. If a query
 * ends while replies to it are outstanding, its socket takes no further query, because the next query could not distinguish these replies
 * from its own. The socket only stays open until they must have come.
 *
 * The requests of a scan share unconnected sockets, as many as their receive queues make necessary. So do the queries of a client when it
 * has many sockets, or when the system gives it no more. A client opens one of these while it has few others, and keeps it in reserve:
 * once the file descriptors have run out, it could not.
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

/** A request, as far as its socket goes. */
export interface SocketUser extends InFlight {
  /** Of its address. */
  readonly family: Family
}

/** The parts that sockets need. */
export interface SocketParts {
  readonly open: (typeof Datagrams.Service)["open"]
  readonly engine: Engine
  readonly timing: Timing
  readonly fork: <A, E>(effect: Effect.Effect<A, E>) => Fiber.Fiber<A, E>
  /** For a scan: all requests share unconnected sockets, which stay open. */
  readonly shared?: SharedSockets
}

/** The unconnected sockets of a scan. */
export interface SharedSockets {
  /** How many there are per address family; as many as the receive queues make necessary if absent. */
  readonly count?: number | undefined
  /** Part of a receive queue that the replies to one request take up. */
  readonly burstBytes: number
  readonly batching: boolean
  /**
   * How long to wait for a socket that the system does not give, in ms. Then all requests of that family fail, for as long again. After
   * that, the next request tries again, which matters for scans without an end.
   */
  readonly patienceMs: number
}

/** A socket of the table. */
interface Socket {
  /** Without a handle until it is open. */
  readonly engineSocket: EngineSocket
  readonly scope: Scope.Closeable
  readonly family: Family
  /** The `routeKey` of the server that it is connected to; absent if any request can use it. */
  readonly server: number | string | undefined
  /** Requests that wait until it is open, and since when they have wanted a socket. */
  readonly opening: Map<SocketUser, number>
  /** Requests that it can serve at once without overrunning its receive queue. */
  room: number
  /** Why it could not be opened. */
  failure: Cause.Cause<SendFailed> | undefined
  /** When its last user left it, on the clock of the timing. */
  idleSince: number
  cancelIdle: (() => void) | undefined
}

/** Why a scan gets no socket of a family, and during which time its targets fail at once. */
interface Outage {
  readonly error: SendFailed
  readonly from: number
  readonly until: number
}

const countUsers = ({ engineSocket, opening }: Socket): number => engineSocket.inFlight + opening.size

/** The sockets of one client or scan. */
export class Sockets {
  private readonly parts: SocketParts
  /** All sockets, in order of last use. */
  private readonly all = new Set<Socket>()
  /** The unconnected ones. */
  private readonly unconnected: Readonly<Record<Family, Array<Socket>>> = { 4: [], 6: [] }
  /** Of each server, the connected one for its next query. */
  private readonly connected = new Map<number | string, Socket>()
  /** How many connected ones there are. */
  private readonly owned = { 4: 0, 6: 0 }
  /** Of each connected socket that a request uses. */
  private readonly uses = new Map<SocketUser, Socket>()
  private readonly outages = new Map<Family, Outage>()
  /** Until when the system is not asked for many sockets, and how many may be connected meanwhile. */
  private scarceUntil = Number.NEGATIVE_INFINITY
  private scarceLimit = 0
  private isClosed = false

  /** Unconnected sockets of one family that may be opened. */
  private readonly mostShared: number
  /** Whether so many are opened in any case. */
  private readonly isFixed: boolean

  constructor(parts: SocketParts) {
    const { shared } = parts
    this.parts = parts
    this.mostShared = shared === undefined ? MAX_SHARED_SOCKETS : (shared.count ?? MAX_SCAN_SOCKETS)
    this.isFixed = shared?.count !== undefined
  }
  /** Submits the request to the engine as soon as it has an open socket, or ends it with the reason why there is none. */
  acquire(request: SocketUser): void {
    const { family, key } = request
    if (this.parts.shared === undefined) {
      const socket = this.connected.get(key) ?? this.insteadOfMore(family) ?? this.openFor(request)
      this.use(socket, request)
      return
    }
    const error = this.outages.size === 0 ? undefined : this.currentOutage(family)
    if (error === undefined) this.use(this.sharedFor(family), request)
    else this.fail(request, error)
  }

  /**
   * The request no longer uses its socket, if it has one. `isOwed`: replies to it may still come, so no other request to that server may
   * use the socket. After a timeout, the socket therefore stays open until it is idle for long, and the next query gets a new one.
   */
  release(request: SocketUser, isOwed: boolean): void {
    const socket = this.uses.get(request)
    if (socket === undefined) return
    this.uses.delete(request)
    socket.opening.delete(request)
    if (isOwed) this.retire(socket)
    if (countUsers(socket) > 0 || !this.all.has(socket)) return
    if (socket.server !== undefined && this.count > this.limit) {
      this.closeSocket(socket)
      return
    }
    socket.idleSince = this.parts.timing.now()
    if (socket.cancelIdle === undefined) this.watch(socket, SOCKET_IDLE_MS)
  }

  /** How many requests the sockets of a client can serve without overrunning a receive queue; infinity unless sockets are scarce. */
  get room(): number {
    if (!this.isScarce) return Number.POSITIVE_INFINITY
    const shared = [...this.unconnected[4], ...this.unconnected[6]]
    return shared.reduce((sum, { room }) => sum + room, this.scarceLimit)
  }

  /** Datagrams that the system dropped because a receive queue was full, as far as it reports that. */
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

  /** Has the request use that socket, when it is open. `since`: when the request first wanted one (default: now). */
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

  /** A connected socket for the server of this request. */
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

  /** In a fiber of its own: other requests that wait for the socket must not lose it when the first is cancelled. */
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
      this.noteOutage(socket)
    } else if (!this.isClosed) {
      socket.engineSocket.attach(exit.value)
      socket.room = this.maxRequests(exit.value.receiveBufferBytes)
      this.outages.delete(socket.family)
    }
    for (const [request, since] of opening) {
      // It may have ended meanwhile, if only because of what became of the one before.
      if (request.isDone) continue
      if (socket.failure === undefined) this.parts.engine.submit(socket.engineSocket, request)
      else this.onOpenFailed(socket, socket.failure, request, since)
    }
  }

  /** The socket to use if the limit of connected sockets is reached; `undefined` if another one may be opened. */
  private insteadOfMore(family: Family): Socket | undefined {
    if (this.count >= this.limit && !this.evict()) return this.sharedFor(family)
    if (this.owned[family] >= RESERVE_FROM && this.unconnected[family].length === 0) this.openShared(family)
    return undefined
  }

  /** The socket of the request could not be opened: the request uses another one, perhaps after a while, or ends. */
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

  /** A scan has no socket of this family: decides when its targets stop waiting for one. */
  private noteOutage({ failure, family }: Socket): void {
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

  /** Why the targets of this family fail at once; `undefined` if they may have a socket. */
  private currentOutage(family: Family): SendFailed | undefined {
    const now = this.parts.timing.now()
    const outage = this.outages.get(family)
    return outage !== undefined && now >= outage.from && now < outage.until ? outage.error : undefined
  }

  private fail(request: SocketUser, error: SendFailed): void {
    // A copy, since it will name its server.
    this.parts.engine.fail(request, new SendFailed(error))
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

  /** Closes the connected socket that has been idle longest. Returns `false` if all are in use. */
  private evict(): boolean {
    for (const socket of this.all) {
      if (socket.server !== undefined && countUsers(socket) === 0) {
        this.closeSocket(socket)
        return true
      }
    }
    return false
  }

  /** The unconnected socket that fewest requests use, or a new one if that one has no room. */
  private sharedFor(family: Family): Socket {
    const sockets = this.unconnected[family]
    let fewest = sockets[0]
    if (fewest === undefined) return this.openShared(family)
    for (let i = 1; i < sockets.length; i++) if (countUsers(sockets[i]!) < countUsers(fewest)) fewest = sockets[i]!
    const mayOpen = sockets.length < this.mostShared && (this.isFixed || countUsers(fewest) >= fewest.room)
    return mayOpen && !this.isScarce ? this.openShared(family) : fewest
  }

  /** Requests that an unconnected socket can serve at once. */
  private maxRequests(receiveBufferBytes: number | undefined): number {
    const burstBytes = this.parts.shared?.burstBytes ?? BURST_BYTES.players
    return Math.floor(burstsThatFit(burstBytes, receiveBufferBytes))
  }

  /** Closes the socket once it has been idle for {@link SOCKET_IDLE_MS}. Its timer runs on through further uses: a new one for each costs Deno 1 µs. */
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

  /** Fails its requests and closes it. */
  private closeSocket(socket: Socket): void {
    this.abandon(socket)
    this.parts.fork(Scope.close(socket.scope, Exit.void))
  }

  /** Fails the requests that use it or wait for it. */
  private abandon(socket: Socket): void {
    this.unlist(socket)
    socket.engineSocket.detach(clientClosed)
    for (const request of socket.opening.keys()) this.parts.engine.fail(request, clientClosed())
  }

  /** Takes it out of all lists, so that no request gets it any more. */
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

  /** The next query to its server gets another one. */
  private retire(socket: Socket): void {
    const { server } = socket
    if (server !== undefined && this.connected.get(server) === socket) this.connected.delete(server)
  }
}
