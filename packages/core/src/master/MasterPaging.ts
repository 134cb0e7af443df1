/**
 * Assembles a list from pages: determines the next page to request, the new addresses of a page, and the end of the list. The request for a
 * page contains a seed, which is the last address of the previous page.
 */
import type { MasterReply } from "@sourcewire/protocol/wire"

/** The seed of the first page, and the address that ends a list. */
export const FIRST_SEED = "0.0.0.0:0"

/**
 * Why a list ends.
 *
 * - `complete`: the master sent the end mark 0.0.0.0:0, and no datagram was lost.
 * - `unconfirmed`: the master sent the end mark, but repeated requests returned different lists or no reply. Some addresses may be missing.
 * - `empty`: a page without addresses and without the end mark.
 * - `loop`: a page whose last address was a seed before, or a page without new addresses. The lists of masters without an end mark (WON2)
 *   end like this.
 * - `silence`: a master without an end mark sent no further page.
 * - `limit`: the caller's maximum number of addresses or pages was reached.
 */
export type PagingEnd = "complete" | "unconfirmed" | "empty" | "loop" | "silence" | "limit"

/** A page, with the addresses that were not on earlier pages. */
export interface MasterPage {
  /** Number of the page, from 1. */
  readonly number: number
  /** The seed of its request. */
  readonly seed: string
  /** New addresses, as `1.2.3.4:27015`, in the master's order. */
  readonly servers: ReadonlyArray<string>
  /** Number of addresses that were on earlier pages, or twice on this page. */
  readonly duplicates: number
  /** The reason for the end; only on the last page. */
  readonly end?: PagingEnd
}

/** Limits of a list. */
export interface PagingLimits {
  /** Maximum number of different addresses. */
  readonly maxServers: number
  readonly maxPages: number
}

/** The pages of one list. */
export class MasterPaging {
  private readonly limits: PagingLimits
  private readonly known = new Set<string>()
  private readonly seeds: Set<string>
  /** The seed of the next page. Only this class changes this field and the next two. */
  seed: string
  /** Whether this master sends its list page by page. It is known after a page that is not the last one. */
  isPaged = false
  /** Whether a missing reply means the end of the list: masters that pad their header send no end mark. */
  mayEndInSilence = false
  private pages = 0

  /** `seed` continues an earlier list after this address. */
  constructor(limits: PagingLimits, seed: string = FIRST_SEED) {
    this.limits = limits
    this.seed = seed
    this.seeds = new Set([seed])
  }

  /** Number of further addresses before the limit. */
  get room(): number {
    return this.limits.maxServers - this.known.size
  }

  /** Whether a reply is a duplicate of an earlier page. Replies do not identify their request. */
  isRepeat(reply: MasterReply): boolean {
    const last = reply.servers.at(-1)
    return last !== undefined && !reply.complete && this.seeds.has(last)
  }

  /** Adds a page. For `isWhole`, see `MasterAnswer`. */
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

  /** The page for a missing reply, see {@link MasterPaging.mayEndInSilence}. */
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
