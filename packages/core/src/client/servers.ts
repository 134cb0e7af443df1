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
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import { routeKey } from "../address/ip.ts"
import type { DatagramHandle, Datagrams, Endpoint, Family } from "../engine/Datagrams.ts"
import type { Engine } from "../engine/Engine.ts"
import type { SendFailed } from "../engine/QueryError.ts"
import { clientClosed } from "../engine/QueryError.ts"
import { RoundTrip } from "../engine/retransmission.ts"
import type { Timing } from "../engine/Timing.ts"
import {
  FIRST_WINDOW,
  MAX_REMEMBERED_ROUND_TRIPS,
  RESERVE_FROM,
  SCAN_RECEIVE_BUFFER_BYTES,
  SOCKET_IDLE_MS
} from "../Limits.ts"
import type { Asker, Server, Socket, Turn } from "./Server.ts"
import { SharedSockets } from "./sharedSockets.ts"
import { WaitingLine } from "./waitingLine.ts"

/** What asking takes. */
interface Parts {
  readonly open: (typeof Datagrams.Service)["open"]
  readonly engine: Engine
  readonly timing: Timing
  readonly fork: <A, E>(effect: Effect.Effect<A, E>) => Fiber.Fiber<A, E>
}

/** The servers of one client. */
export class Servers {
  /** All sockets, in order of last use. */
  readonly sockets = new Set<Socket>()
  /** Connected ones among them. */
  readonly owned = { 4: 0, 6: 0 }
  readonly parts: Parts
  /** In order of last use. */
  private readonly known = new Map<number | string, Server>()
  /** Those who ask, while nobody had to wait. */
  private readonly asking = new Map<number | string, Turn>()
  /** Calls that may be joined, by what they ask. */
  readonly underWay = new Map<string | undefined, Asker>()
  private line: WaitingLine | undefined = undefined
  /** From when there are many sockets, or the system gave none. */
  private shared: SharedSockets | undefined = undefined
  isClosed = false

  constructor(parts: Parts) {
    this.parts = parts
  }

  /** The server there. */
  at(remote: Endpoint, family: Family): Server {
    const { known } = this
    const key = routeKey(remote.address, remote.port)
    const server = known.get(key) ?? { key, remote, family, roundTrip: new RoundTrip(), own: undefined }
    known.delete(key)
    known.set(key, server)
    if (known.size > MAX_REMEMBERED_ROUND_TRIPS) known.delete(known.keys().next().value!)
    return server
  }

  /** Wants a turn, which may come at once. */
  enter(asker: Asker): void {
    const { asking } = this
    if (asker.name !== undefined) this.underWay.set(asker.name, asker)
    if (this.isClosed) asker.onTurn(false)
    else if (this.line === undefined && !asking.has(asker.key) && asking.size < Math.min(FIRST_WINDOW, this.room())) {
      asker.turnAt = this.parts.timing.now()
      asking.set(asker.key, asker)
      asker.onTurn(true)
    } else (this.line ??= new WaitingLine(this.parts.timing, this.room, asking.values())).enter(asker)
  }

  /** Has asked, or no longer wants to. Its socket is kept, but takes no further query while replies are outstanding. */
  leave(asker: Asker): void {
    if (this.underWay.get(asker.name) === asker) this.underWay.delete(asker.name)
    if (asker.through !== undefined) this.release(asker.through, asker.outstanding > 0)
    if (this.line !== undefined) this.line.leave(asker)
    else if (this.asking.get(asker.key) === asker) this.asking.delete(asker.key)
  }

  /** A server answered what it was asked at `startedAt`. `wasRepeated`: not to the first transmission of the question. */
  onAnswer(startedAt: number, wasRepeated: boolean): void {
    this.line?.onAnswer(startedAt, wasRepeated)
  }

  /** Ends all queries and closes all sockets; nobody gets a turn any more. */
  readonly close: Effect.Effect<void> = Effect.suspend(() => {
    this.isClosed = true
    this.line?.close()
    const all = [...this.sockets]
    for (const socket of all) this.forget(socket)
    return Effect.forEach(all, ({ scope }) => Scope.close(scope, Exit.void), { discard: true })
  })

  /** Has it ask through a socket for its server, when that is open. */
  connect(asker: Asker): void {
    const { server } = asker
    if (server.own === undefined && this.connected >= RESERVE_FROM) this.shared ??= new SharedSockets(this)
    this.use(server.own ?? this.shared?.insteadOfMore(server.family) ?? this.opened(server.family, server), asker)
  }

  /** Has it ask through that socket, when it is open. */
  use(socket: Socket, asker: Asker): void {
    asker.through = socket
    socket.users++
    if (this.sockets.delete(socket)) this.sockets.add(socket)
    if (socket.failure !== undefined) (this.shared ??= new SharedSockets(this)).insteadOf(socket.failure, asker)
    else if (socket.engineSocket.handle === undefined) socket.opening.push(asker)
    else this.parts.engine.submit(socket.engineSocket, asker)
  }

  get connected(): number {
    return this.owned[4] + this.owned[6]
  }

  /** How many can be asked at once without overrunning a receive queue; no number that matters while sockets can be had. */
  private readonly room = (): number => this.shared?.room ?? Number.POSITIVE_INFINITY

  /** A socket that is about to be open; unconnected without a server. */
  opened(family: Family, server: Server | undefined): Socket {
    const { engine, fork, open } = this.parts
    const engineSocket = engine.socket()
    const scope = Scope.makeUnsafe()
    const state = { opening: [], failure: undefined, users: 0, idleSince: 0, cancelIdle: undefined }
    const socket: Socket = { engineSocket, scope, family, server, ...state }
    this.sockets.add(socket)
    if (server === undefined) this.watch(socket, SOCKET_IDLE_MS)
    else {
      server.own = socket
      this.owned[family]++
    }
    const kind = server === undefined ? { receiveBufferBytes: SCAN_RECEIVE_BUFFER_BYTES } : { connect: server.remote }
    // In a fiber of its own: whoever else waits for the socket must not lose it when the first gives up.
    fork(Effect.provideService(open({ family, ...kind }, engineSocket), Scope.Scope, scope)).addObserver((exit) =>
      this.onOpened(socket, exit)
    )
    return socket
  }

  private onOpened(socket: Socket, exit: Exit.Exit<DatagramHandle, SendFailed>): void {
    const { opening } = socket
    socket.opening = []
    if (Exit.isFailure(exit)) {
      socket.failure = exit.cause
      this.remove(socket)
    } else if (!this.isClosed) socket.engineSocket.attach(exit.value)
    for (const asker of opening) {
      // It may have given up meanwhile, if only because of what became of the one before.
      if (asker.isDone) continue
      if (socket.failure === undefined) this.parts.engine.submit(socket.engineSocket, asker)
      else this.use(socket, asker)
    }
  }

  private release(socket: Socket, isOwed: boolean): void {
    const { server } = socket
    socket.users--
    if (isOwed && server?.own === socket) server.own = undefined
    if (socket.users > 0 || !this.sockets.has(socket)) return
    if (server !== undefined && this.shared !== undefined && this.connected > this.shared.limit) {
      this.drop(socket)
      return
    }
    socket.idleSince = this.parts.timing.now()
    if (socket.cancelIdle === undefined) this.watch(socket, SOCKET_IDLE_MS)
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
  drop(socket: Socket): void {
    this.forget(socket)
    this.parts.fork(Scope.close(socket.scope, Exit.void))
  }

  private forget(socket: Socket): void {
    this.remove(socket)
    socket.engineSocket.detach(clientClosed)
    for (const asker of socket.opening) this.parts.engine.fail(asker, clientClosed())
  }

  private remove(socket: Socket): void {
    if (!this.sockets.delete(socket)) return
    socket.cancelIdle?.()
    const { family, server } = socket
    if (server === undefined) return
    this.owned[family]--
    if (server.own === socket) server.own = undefined
  }
}
