/**
 * What a client does with many connected sockets, and where the system gives no more: queries share unconnected ones. One of these is
 * opened while there are few others, and kept as a reserve: once the file descriptors have run out it could not be had.
 */
import * as Cause from "effect/Cause"
import * as Option from "effect/Option"
import type { Family } from "../engine/Datagrams.ts"
import { clientClosed, SendFailed } from "../engine/QueryError.ts"
import { BURST_BYTES, burstsThatFit } from "../engine/receiveQueue.ts"
import * as SystemFault from "../engine/SystemFault.ts"
import {
  LOCAL_RETRY_MS,
  MAX_CONNECTED_SOCKETS,
  MAX_SHARED_SOCKETS,
  RESERVE_FROM,
  SCARCE_SHARE,
  SOCKET_IDLE_MS
} from "../Limits.ts"
import type { Asker, Socket } from "./Server.ts"
import type { Servers } from "./servers.ts"

/** Queries that an unconnected socket can serve at once. */
const roomOf = ({ engineSocket }: Socket): number =>
  Math.floor(burstsThatFit(BURST_BYTES.players, engineSocket.handle?.receiveBufferBytes))

/** The unconnected sockets of a client, and how many connected ones there may be beside them. */
export class SharedSockets {
  private readonly servers: Servers
  /** Until when the system is not asked for many sockets, and how many may be connected meanwhile. */
  private scarceUntil = Number.NEGATIVE_INFINITY
  private scarceLimit = 0

  constructor(servers: Servers) {
    this.servers = servers
  }

  /** What to use in place of one more connected socket; `undefined` where that may be opened. */
  insteadOfMore(family: Family): Socket | undefined {
    const { connected, owned } = this.servers
    if (connected >= this.limit && !this.evict()) return this.get(family)
    if (owned[family] >= RESERVE_FROM && this.of(family).length === 0) this.servers.opened(family, undefined)
    return undefined
  }

  /** Has it ask through another socket than its own that could not be opened, perhaps after a while, or ends it. */
  insteadOf(failure: Cause.Cause<SendFailed>, asker: Asker): void {
    const { engine, timing } = this.servers.parts
    const error = Option.getOrUndefined(Cause.findErrorOption(failure))
    if (error === undefined) {
      asker.defect = { error: Cause.squash(failure) }
      engine.cancel(asker)
      asker.onDone()
      return
    }
    const isOwn = asker.through!.server !== undefined
    if (error.local !== true || (!isOwn && timing.now() >= asker.turnAt! + asker.maxLostMs)) {
      // Of its own, since it says who was asked.
      engine.fail(asker, new SendFailed(error))
      return
    }
    if (SystemFault.isExhausted(error.code)) this.becomeScarce()
    const { family } = asker.server
    const share = (): void => {
      if (this.servers.isClosed) engine.fail(asker, clientClosed())
      else if (!asker.isDone) this.servers.use(this.get(family), asker)
    }
    if (isOwn) share()
    else timing.schedule(LOCAL_RETRY_MS, share)
  }

  /** How many queries the sockets can serve at once without overrunning a receive queue. */
  get room(): number {
    if (!this.isScarce) return Number.POSITIVE_INFINITY
    let room = this.scarceLimit
    for (const socket of this.servers.sockets) if (socket.server === undefined) room += roomOf(socket)
    return room
  }

  private get isScarce(): boolean {
    return this.servers.parts.timing.now() < this.scarceUntil
  }

  /** How many may be connected. */
  get limit(): number {
    return this.isScarce ? this.scarceLimit : MAX_CONNECTED_SOCKETS
  }

  /** The system has no more: what is idle is closed, and what is in use not all replaced. */
  private becomeScarce(): void {
    while (this.evict());
    this.scarceLimit = Math.floor(SCARCE_SHARE * this.servers.connected)
    this.scarceUntil = this.servers.parts.timing.now() + SOCKET_IDLE_MS
  }

  /** Drops the connected socket that has been idle longest; `false` when all are in use. */
  private evict(): boolean {
    for (const socket of this.servers.sockets) {
      if (socket.users === 0 && socket.server !== undefined) {
        this.servers.drop(socket)
        return true
      }
    }
    return false
  }

  /** One with room, or a new one, or else the one that fewest use. */
  private get(family: Family): Socket {
    const all = this.of(family)
    const [first, ...others] = all
    const mayOpen = all.length < MAX_SHARED_SOCKETS && !this.isScarce
    if (first === undefined) return this.servers.opened(family, undefined)
    const fewest = others.reduce((least, socket) => (socket.users < least.users ? socket : least), first)
    return fewest.users < roomOf(fewest) || !mayOpen ? fewest : this.servers.opened(family, undefined)
  }

  private of(family: Family): ReadonlyArray<Socket> {
    return [...this.servers.sockets].filter((socket) => socket.server === undefined && socket.family === family)
  }
}
