/**
 * Assembles a list from pages. This module determines which page to request next, which addresses of a page are new, and when the list
 * ends. The request for a page contains a seed: the last address of the previous page.
 */
import type { MasterReply } from "@sourcewire/protocol/wire"

/** The seed in the request for the first page. The same address is the end mark of a list. */
export const FIRST_SEED = "0.0.0.0:0"

/**
 * The reason why a list ends:
 *
 * - `complete`: the master sent the end mark `0.0.0.0:0`, and no datagram seems to be lost.
 * - `unconfirmed`: the master sent the end mark, but it replied to repeated requests with different lists, or not at all. Some addresses
 *   may be missing.
 * - `empty`: the master sent a page without addresses and without the end mark.
 * - `loop`: the master sent a page without new addresses, or a page whose last address was the seed of an earlier page. If a master sends
 *   no end mark (WON2), its lists end for this reason.
 * - `silence`: the master did not reply to the request for a further page, and its earlier pages show that it sends no end mark.
 * - `limit`: the caller's maximum number of addresses or pages was reached.
 */
export type PagingEnd = "complete" | "unconfirmed" | "empty" | "loop" | "silence" | "limit"

/** A page of a list, without the addresses that were on earlier pages. */
export interface MasterPage {
  /** Number of the page, from 1. */
  readonly number: number
  /** The seed in the request for this page. */
  readonly seed: string
  /** New addresses, for example `1.2.3.4:27015`, in the order in which the master sent them. */
  readonly servers: ReadonlyArray<string>
  /** Number of addresses that are not new: they were on an earlier page, or earlier on this page. */
  readonly duplicates: number
  /** Why the list ends. Only present for the last page. */
  readonly end?: PagingEnd
}

/** Limits of a list. */
export interface PagingLimits {
  /** Maximum number of different addresses. */
  readonly maxServers: number
  readonly maxPages: number
}

/** Assembles one list from its pages. */
export class MasterPaging {
  private readonly limits: PagingLimits
  private readonly known = new Set<string>()
  private readonly seeds: Set<string>
  /** The seed in the request for the next page. Only this class changes `seed`, `isPaged` and `mayEndInSilence`. */
  seed: string
  /** Whether this master sends its list page by page. This field is `true` after a page without the end mark. */
  isPaged = false
  /**
   * Whether a missing reply means the end of the list. This field is `true` if the master pads the header of its replies, because such
   * masters send no end mark.
   */
  mayEndInSilence = false
  private pages = 0

  /** If `seed` is not `0.0.0.0:0`, the list starts after the address `seed`. */
  constructor(limits: PagingLimits, seed: string = FIRST_SEED) {
    this.limits = limits
    this.seed = seed
    this.seeds = new Set([seed])
  }

  /** Number of further addresses that the list can contain. */
  get room(): number {
    return this.limits.maxServers - this.known.size
  }

  /**
   * Whether a reply repeats an earlier page. A reply does not identify its request, so the last address of the reply is compared with the
   * seeds, which are the last addresses of the earlier pages.
   */
  isRepeat(reply: MasterReply): boolean {
    const last = reply.servers.at(-1)
    return last !== undefined && !reply.complete && this.seeds.has(last)
  }

  /** Adds a reply of the master, and returns the page. For `isWhole`, see `MasterAnswer`. */
  take(reply: MasterReply, isWhole = true): MasterPage {
    const { seed } = this
    this.pages++
    if (!reply.complete) this.isPaged = true
    if (reply.padding !== undefined) this.mayEndInSilence = true
    const fresh = [...new Set(reply.servers)].filter((address) => !this.known.has(address))
    const servers = fresh.slice(0, Math.ceil(this.room))
    for (const address of servers) this.known.add(address)
    const surplus = fresh.length - servers.length
    const end = this.findEnd(reply, isWhole, servers, surplus)
    const last = reply.servers.at(-1)
    if (last !== undefined) {
      this.seeds.add(last)
      this.seed = last
    }
    return {
      number: this.pages,
      seed,
      servers,
      duplicates: reply.servers.length - fresh.length,
      ...(end === undefined ? {} : { end })
    }
  }

  /** Returns an empty last page. Called if the master does not reply and {@link MasterPaging.mayEndInSilence} is `true`. */
  silence(): MasterPage {
    return { number: ++this.pages, seed: this.seed, servers: [], duplicates: 0, end: "silence" }
  }

  private findEnd(
    reply: MasterReply,
    isWhole: boolean,
    servers: ReadonlyArray<string>,
    surplus: number
  ): PagingEnd | undefined {
    if (surplus > 0) return "limit"
    if (reply.complete) return isWhole ? "complete" : "unconfirmed"
    if (reply.servers.length === 0) return "empty"
    if (servers.length === 0 || this.isRepeat(reply)) return "loop"
    return this.known.size >= this.limits.maxServers || this.pages >= this.limits.maxPages ? "limit" : undefined
  }
}
