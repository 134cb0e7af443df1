/**
 * The servers of a client: their round-trip times, and the path of a call to a socket. A call enters the dispatcher. When its turn comes,
 * the call acquires a socket. When the socket is open, the call is submitted to the engine. When the call ends, the call releases the
 * socket and leaves the dispatcher.
 */
import * as Effect from "effect/Effect"
import { routeKey } from "../address/ip.ts"
import type { Endpoint, Family } from "../engine/Datagrams.ts"
import { type Dispatched, Dispatcher } from "../engine/Dispatcher.ts"
import { RoundTrip } from "../engine/Retry.ts"
import { type SocketParts, Sockets, type SocketUser } from "../engine/Sockets.ts"
import { MAX_IN_FLIGHT, MAX_REMEMBERED_ROUND_TRIPS, MAX_WINDOW } from "../Limits.ts"
import { OnePerServer } from "./onePerServer.ts"
import { QueryWindow } from "./queryWindow.ts"

/** A server that was queried recently. */
export interface Server {
  /** `routeKey` of address and port. */
  readonly key: number | string
  readonly remote: Endpoint
  readonly family: Family
  readonly roundTrip: RoundTrip
}

/** The part of a call that the dispatcher and the sockets use. */
export interface Queued extends SocketUser, Dispatched<Queued> {}

/** The servers of one client. */
export class Servers {
  readonly sockets: Sockets
  readonly dispatcher: Dispatcher<Queued>
  /** The servers, sorted by the time of their last use, with the earliest time first. */
  private readonly known = new Map<number | string, Server>()
  private readonly window = new QueryWindow(MAX_WINDOW)
  private readonly parts: SocketParts

  constructor(parts: SocketParts) {
    const { timing } = parts
    this.parts = parts
    this.sockets = new Sockets(parts)
    this.dispatcher = new Dispatcher({
      groups: new OnePerServer<Queued>(),
      room: {
        hasRoom: (counted, overdue) =>
          counted < Math.min(this.window.size, this.sockets.room) && counted + overdue < MAX_IN_FLIGHT
      },
      overdue: { timing, afterMs: () => this.window.deadMs, onOverdue: () => this.window.onDead(timing.now()) }
    })
  }

  /** Finds or adds the server at an address. */
  at(remote: Endpoint, family: Family): Server {
    const { known } = this
    const key = routeKey(remote.address, remote.port)
    const server = known.get(key) ?? { key, remote, family, roundTrip: new RoundTrip() }
    known.delete(key)
    known.set(key, server)
    if (known.size > MAX_REMEMBERED_ROUND_TRIPS) known.delete(known.keys().next().value!)
    return server
  }

  /**
   * Called when a server has replied to a query that started at `startedAt` (ms of the client's clock). `wasRetransmitted` is true if a
   * request of the query was retransmitted. The window is not adjusted until a call had to wait for the first time, because before then the
   * window does not limit any call.
   */
  onReply(startedAt: number, wasRetransmitted: boolean): void {
    if (!this.dispatcher.hasQueued) return
    this.window.onReply(startedAt, this.parts.timing.now(), wasRetransmitted)
    this.dispatcher.startAll()
  }

  /** Ends all calls and closes all sockets. */
  readonly close: Effect.Effect<void> = Effect.suspend(() => {
    this.dispatcher.close()
    return this.sockets.close
  })
}
