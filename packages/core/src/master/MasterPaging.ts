/**
 * How a list that comes in pages is put together: which page to ask for next, what of a page is new, and when the list ends. Pure.
 * A request for a page names the last address of the page before, its seed.
 */
import type { MasterReply } from "@sourcewire/protocol/wire"

/** The seed of the first page, and the address that ends a list. */
export const FIRST_SEED = "0.0.0.0:0"

/**
 * Why a list ends.
 *
 * - `complete`: the master ended it with 0.0.0.0:0, and nothing of it was lost.
 * - `unconfirmed`: it ended it so, yet asked again it sent something else each time, or nothing: some may be missing.
 * - `empty`: a page without any address and without the end mark.
 * - `loop`: a page that leads back, or has nothing new. Masters without an end mark (WON2) end like this.
 * - `silence`: a master that sends no end mark gave no further page.
 * - `limit`: as many addresses or pages came as the caller wanted at most.
 */
export type PagingEnd = "complete" | "unconfirmed" | "empty" | "loop" | "silence" | "limit"

/** One page, merged into what came before. */
export interface MasterPage {
  /** From 1. */
  readonly number: number
  /** What it was asked with. */
  readonly seed: string
  /** Addresses that are on no earlier page, `1.2.3.4:27015`, in the master's order. */
  readonly servers: ReadonlyArray<string>
  /** Addresses that came before, or twice on this page. */
  readonly duplicates: number
  /** Set on the last page. */
  readonly end?: PagingEnd
}

/** Where a list may stop. */
export interface PagingLimits {
  /** Addresses, duplicates not counted. */
  readonly maxServers: number
  readonly maxPages: number
}

/** The pages of one list. */
export class MasterPaging {
  private readonly limits: PagingLimits
  private readonly known = new Set<string>()
  private readonly seeds: Set<string>
  /** What to ask the next page with. This and the two below are written here only. */
  seed: string
  /** Whether this master was seen to send its list a page at a time: a page came that is not the last. */
  isPaged = false
  /** Whether silence after a page is how this master ends its list: those that pad their header send no end mark. */
  mayEndInSilence = false
  private pages = 0

  /** `seed` other than the first continues a list that was broken off. */
  constructor(limits: PagingLimits, seed: string = FIRST_SEED) {
    this.limits = limits
    this.seed = seed
    this.seeds = new Set([seed])
  }

  /** Addresses that there is room for. */
  get room(): number {
    return this.limits.maxServers - this.known.size
  }

  /** Whether a reply is a page that came before, repeated by the network: replies do not say what they answer. */
  isRepeat(reply: MasterReply): boolean {
    const last = reply.servers.at(-1)
    return last !== undefined && !reply.complete && this.seeds.has(last)
  }

  /** Merges a page; `isWhole` as in `MasterAnswer`. */
  take(reply: MasterReply, isWhole = true): MasterPage {
    const { seed } = this
    this.pages++
    if (!reply.complete) this.isPaged = true
    if (reply.padding !== undefined) this.mayEndInSilence = true
    const fresh = [...new Set(reply.servers)].filter((address) => !this.known.has(address))
    const servers = fresh.slice(0, Math.ceil(this.room))
    for (const address of servers) this.known.add(address)
    const surplus = fresh.length - servers.length
    const end = this.endOf(reply, isWhole, servers, surplus)
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

  /** The page that stands for silence, see {@link MasterPaging.mayEndInSilence}. */
  silence(): MasterPage {
    return { number: ++this.pages, seed: this.seed, servers: [], duplicates: 0, end: "silence" }
  }

  private endOf(
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
