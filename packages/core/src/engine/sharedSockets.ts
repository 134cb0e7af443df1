/**
 * What a pool does with many connected sockets, and where the system gives no more: queries share unconnected ones. One of these is
 * opened while there are few others, and kept as a reserve: once the file descriptors have run out it could not be had.
 *
 * @module
 */
import * as Effect from "effect/Effect"
import type { Family } from "./Datagrams.ts"
import {
  LOCAL_RETRY_MS,
  MAX_CONNECTED_SOCKETS,
  MAX_SHARED_SOCKETS,
  RESERVE_FROM,
  SCARCE_SHARE,
  SOCKET_IDLE_MS
} from "../Limits.ts"
import type { SendFailed } from "./QueryError.ts"
import { BURST_BYTES, burstsThatFit } from "./receiveQueue.ts"
import type { Kept, SocketPool } from "./socketPool.ts"
import * as SystemFault from "./SystemFault.ts"
import { sleep } from "./Timing.ts"

/** Queries that an unconnected socket can serve at once. */
const roomOf = ({ socket }: Kept): number =>
  Math.floor(burstsThatFit(BURST_BYTES.players, socket.handle?.receiveBufferBytes))

const keyOf = (family: Family, i: number): string => `shared ${family} ${i}`

/** The unconnected sockets of a pool, and how many connected ones there may be beside them. */
export class SharedSockets {
  private readonly pool: SocketPool
  /** Until when the system is not asked for many sockets, and how many may be connected meanwhile. */
  private scarceUntil = Number.NEGATIVE_INFINITY
  private scarceLimit = 0

  constructor(pool: SocketPool) {
    this.pool = pool
  }

  /** What to use in place of one more connected socket; `undefined` where that may be opened. */
  insteadOfMore(family: Family): Kept | undefined {
    const { kept, owned } = this.pool
    if (this.pool.connected >= this.limit && !this.evict()) return this.get(family)
    if (owned[family] >= RESERVE_FROM && !kept.has(keyOf(family, 0)))
      this.pool.opened(keyOf(family, 0), family, undefined)
    return undefined
  }

  /** What to use in place of a socket that could not be opened, perhaps after a while, but not later than `giveUpAt`. */
  afterFailure(error: SendFailed, { family, isOwn }: Kept, giveUpAt: number): Effect.Effect<Kept, SendFailed> {
    const { timing } = this.pool.parts
    if (error.local !== true || (!isOwn && timing.now() >= giveUpAt)) return Effect.fail(error)
    if (SystemFault.isExhausted(error.code)) this.becomeScarce()
    const share = Effect.sync(() => this.get(family))
    return isOwn ? share : Effect.andThen(sleep(timing, LOCAL_RETRY_MS), share)
  }

  /** See {@link SocketPool.room}. */
  get room(): number {
    if (!this.isScarce) return Number.POSITIVE_INFINITY
    let room = this.scarceLimit
    for (const kept of this.pool.kept.values()) if (!kept.isOwn) room += roomOf(kept)
    return room
  }

  private get isScarce(): boolean {
    return this.pool.parts.timing.now() < this.scarceUntil
  }

  /** How many may be connected. */
  get limit(): number {
    return this.isScarce ? this.scarceLimit : MAX_CONNECTED_SOCKETS
  }

  /** The system has no more: what is idle is closed, and what is in use not all replaced. */
  private becomeScarce(): void {
    while (this.evict());
    this.scarceLimit = Math.floor(SCARCE_SHARE * this.pool.connected)
    this.scarceUntil = this.pool.parts.timing.now() + SOCKET_IDLE_MS
  }

  /** Drops the connected socket that has been idle longest; `false` when all are in use. */
  private evict(): boolean {
    for (const kept of this.pool.kept.values()) {
      if (kept.users === 0 && kept.isOwn) {
        this.pool.drop(kept)
        return true
      }
    }
    return false
  }

  /** One with room, or a new one, or else the one that fewest use. */
  private get(family: Family): Kept {
    let fewest: Kept | undefined
    let free: string | undefined
    for (let i = 0; i < MAX_SHARED_SOCKETS; i++) {
      const kept = this.pool.kept.get(keyOf(family, i))
      if (kept === undefined) free ??= keyOf(family, i)
      else if (fewest === undefined || kept.users < fewest.users) fewest = kept
    }
    const mayOpen = free !== undefined && !this.isScarce
    if (fewest !== undefined && (fewest.users < roomOf(fewest) || !mayOpen)) return fewest
    return this.pool.opened(free!, family, undefined)
  }
}
