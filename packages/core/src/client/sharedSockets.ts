/**
 * What a client does with many connected sockets, and where the system gives no more: queries share unconnected ones. One of these is
 * opened while there are few others, and kept as a reserve: once the file descriptors have run out it could not be had.
 */
import * as Effect from "effect/Effect"
import type { Family } from "../engine/Datagrams.ts"
import type { SendFailed } from "../engine/QueryError.ts"
import { BURST_BYTES, burstsThatFit } from "../engine/receiveQueue.ts"
import * as SystemFault from "../engine/SystemFault.ts"
import { sleep } from "../engine/Timing.ts"
import {
  LOCAL_RETRY_MS,
  MAX_CONNECTED_SOCKETS,
  MAX_SHARED_SOCKETS,
  RESERVE_FROM,
  SCARCE_SHARE,
  SOCKET_IDLE_MS
} from "../Limits.ts"
import type { Kept, Servers } from "./servers.ts"

/** Queries that an unconnected socket can serve at once. */
const roomOf = ({ socket }: Kept): number =>
  Math.floor(burstsThatFit(BURST_BYTES.players, socket.handle?.receiveBufferBytes))

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
  insteadOfMore(family: Family): Kept | undefined {
    const { connected, owned } = this.servers
    if (connected >= this.limit && !this.evict()) return this.get(family)
    if (owned[family] >= RESERVE_FROM && this.of(family).length === 0) this.servers.opened(family, undefined)
    return undefined
  }

  /** What to use in place of a socket that could not be opened, perhaps after a while, but not later than `giveUpAt`. */
  afterFailure(error: SendFailed, { family, server }: Kept, giveUpAt: number): Effect.Effect<Kept, SendFailed> {
    const { timing } = this.servers.parts
    const isOwn = server !== undefined
    if (error.local !== true || (!isOwn && timing.now() >= giveUpAt)) return Effect.fail(error)
    if (SystemFault.isExhausted(error.code)) this.becomeScarce()
    const share = Effect.sync(() => this.get(family))
    return isOwn ? share : Effect.andThen(sleep(timing, LOCAL_RETRY_MS), share)
  }

  /** How many queries the sockets can serve at once without overrunning a receive queue. */
  get room(): number {
    if (!this.isScarce) return Number.POSITIVE_INFINITY
    let room = this.scarceLimit
    for (const kept of this.servers.kept) if (kept.server === undefined) room += roomOf(kept)
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
    for (const kept of this.servers.kept) {
      if (kept.users === 0 && kept.server !== undefined) {
        this.servers.drop(kept)
        return true
      }
    }
    return false
  }

  /** One with room, or a new one, or else the one that fewest use. */
  private get(family: Family): Kept {
    const all = this.of(family)
    const [first, ...others] = all
    const mayOpen = all.length < MAX_SHARED_SOCKETS && !this.isScarce
    if (first === undefined) return this.servers.opened(family, undefined)
    const fewest = others.reduce((least, kept) => (kept.users < least.users ? kept : least), first)
    return fewest.users < roomOf(fewest) || !mayOpen ? fewest : this.servers.opened(family, undefined)
  }

  private of(family: Family): ReadonlyArray<Kept> {
    return [...this.servers.kept].filter((kept) => kept.server === undefined && kept.family === family)
  }
}
