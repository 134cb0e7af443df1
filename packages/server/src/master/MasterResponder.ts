/**
 * Creates the replies of a master server: pages of a list of game servers. The caller provides the list.
 *
 * **By default, a master does not amplify spoofed requests.** The protocol has no challenge: a request of 13 bytes with a spoofed source
 * could cause a reply of 1392 bytes. Therefore a page is no larger than its request, but contains at least one address. A client that pads
 * its requests to the size of a page gets full pages. `Master` of `@sourcewire/core` is such a client. A client without padding gets many
 * small pages. With `repliesToUnverified`, every address gets full pages, up to the rate limit. The profile `xash3d` sends the whole list.
 */
import { TokenBucket } from "@sourcewire/core/engine"
import { MasterFilter } from "@sourcewire/core/master"
import { HEADER_BYTES, MasterReply, MasterRequest, MessageType, PrintReply, encodeAs } from "@sourcewire/protocol/wire"
import * as Result from "effect/Result"
import { type Entry, indexAfter, parseKey, type ListedServer, sorted } from "./listing.ts"
import { matching } from "./matching.ts"
import type { MasterProfileName } from "./profileNames.ts"
import { NOTHING } from "../query/prepare.ts"
import { current, type Live } from "../query/Profile.ts"
import type { RateLimiter } from "../limits/RateLimit.ts"
import type { Answering } from "../query/Responder.ts"

/** Maximum size of a page, in bytes: the header and 231 addresses. */
export const MAX_PAGE_BYTES = 1392

/** Options of a master. */
export interface MasterResponderOptions {
  /**
   * The list, or a function that returns the list. The function should return the same array until the list changes, because the master
   * sorts and filters every new array. If the function throws or does not return an array, the master continues to use the last list.
   */
  readonly servers: Live<ReadonlyArray<ListedServer>>
  /**
   * How the master replies (default: `valve`). `xash3d` sends full replies to unverified addresses, even without {@link
   * MasterResponderOptions.repliesToUnverified}.
   */
  readonly profile?: MasterProfileName
  /** Whether unverified addresses get full pages (default: false). */
  readonly repliesToUnverified?: boolean
  /** Limits, for each address, the number of replies that are larger than their requests (default: unlimited). */
  readonly limit?: RateLimiter
}

const PAGE_HEAD_BYTES = HEADER_BYTES + 2
const ADDRESS_BYTES = 6

/** Number of addresses per datagram, as in recorded datagrams of a Xash3D master. With the end mark, such a datagram has 510 bytes. */
const XASH_ADDRESSES = 83

/** Maximum size of a request, in bytes. Requests may be padded to the size of a page. */
const MAX_REQUEST_BYTES = 1500

/** Maximum number of filtered lists in the cache. The master stores one list for each different filter that clients send. */
const MAX_CACHED_SELECTIONS = 16

/**
 * Maximum number of new filters per second. After a pause, the master also accepts this number of new filters at once. Requests with more
 * new filters get no reply, and their clients must retry. The limit is necessary because even a short request can make the master apply a
 * filter to a long list.
 */
const SELECTIONS_PER_SECOND = 50

/** Maximum number of conditions in a filter. Real clients use only a few conditions. */
const MAX_CONDITIONS = 32

/** Computes the replies of a master server. It receives and returns bytes, without a socket or a clock. */
export class MasterResponder implements Answering {
  private readonly options: MasterResponderOptions
  private servers: ReadonlyArray<ListedServer> = []
  private entries: ReadonlyArray<Entry> = []
  private readonly selections = new Map<string, ReadonlyArray<Entry>>()
  private readonly work = new TokenBucket(SELECTIONS_PER_SECOND, SELECTIONS_PER_SECOND)

  constructor(options: MasterResponderOptions) {
    this.options = options
  }

  respond(datagram: Uint8Array, address: string, _port: number, now: number): ReadonlyArray<Uint8Array> {
    if (datagram[0] !== MessageType.A2M_GET_SERVERS_BATCH2 || datagram.length > MAX_REQUEST_BYTES) return NOTHING
    const request = MasterRequest.decode(datagram)
    if (Result.isFailure(request)) return NOTHING
    const { filter, region, seed } = request.success
    const after = parseKey(seed)
    if (after === undefined) return NOTHING
    const terms = MasterFilter.parse(filter)
    if (Result.isFailure(terms)) {
      const reply = refusal(terms.failure.message)
      return reply.length <= datagram.length ? [reply] : NOTHING
    }
    const matches = this.select(region, filter, terms.success, now)
    if (matches === undefined) return NOTHING
    if (this.options.profile === "xash3d") {
      const list = wholeList(matches)
      const bytes = list.reduce((sum, { length }) => sum + length, 0)
      return bytes <= datagram.length || this.options.limit?.allows(address, now, bytes) !== false ? list : NOTHING
    }
    const room = this.options.repliesToUnverified === true ? MAX_PAGE_BYTES : Math.min(MAX_PAGE_BYTES, datagram.length)
    const page = pageAfter(matches, after, room)
    if (page.length <= datagram.length || this.options.limit?.allows(address, now, page.length) !== false) return [page]
    return [pageAfter(matches, after, datagram.length)]
  }

  private list(): ReadonlyArray<ListedServer> {
    const before = this.servers
    try {
      const servers = current(this.options.servers)
      return Array.isArray(servers) ? servers : before
    } catch {
      return before
    }
  }

  private select(
    region: number,
    text: string,
    filter: MasterFilter.MasterFilter,
    now: number
  ): ReadonlyArray<Entry> | undefined {
    const servers = this.list()
    if (servers !== this.servers) {
      this.servers = servers
      this.entries = sorted(servers)
      this.selections.clear()
    }
    const key = `${region} ${text}`
    const known = this.selections.get(key)
    if (known === undefined && (countConditions(text) > MAX_CONDITIONS || this.work.take(now) > 0)) return undefined
    const cached = known ?? matching(this.entries, region, filter)
    this.selections.delete(key)
    this.selections.set(key, cached)
    if (this.selections.size > MAX_CACHED_SELECTIONS) this.selections.delete(this.selections.keys().next().value!)
    return cached
  }
}

/** Counts conditions, including the conditions in groups. Each condition has two backslashes: before its key and before its value. */
const countConditions = (filter: string): number => (filter.split("\\").length - 1) / 2

const refusal = (message: string): Uint8Array =>
  Result.getOrThrow(encodeAs(PrintReply, { _tag: "PrintReply", text: `${message}\n` }))

const encodePage = (entries: ReadonlyArray<Entry>, complete: boolean): Uint8Array => {
  const servers = entries.map(({ server }) => server.address)
  return Result.getOrThrow(encodeAs(MasterReply, { _tag: "MasterReply", servers, complete }))
}

/** Encodes the whole list in the form that Xash3D masters use. Even an empty list becomes one datagram. */
const wholeList = (matches: ReadonlyArray<Entry>): ReadonlyArray<Uint8Array> =>
  Array.from({ length: Math.max(1, Math.ceil(matches.length / XASH_ADDRESSES)) }, (_, i) =>
    encodePage(matches.slice(i * XASH_ADDRESSES, (i + 1) * XASH_ADDRESSES), true)
  )

/**
 * Encodes the page after an address, in at most `room` bytes. If the end mark fits after the last address of the list, the page includes
 * it.
 */
const pageAfter = (matches: ReadonlyArray<Entry>, after: number, room: number): Uint8Array => {
  const slots = Math.floor((room - PAGE_HEAD_BYTES) / ADDRESS_BYTES)
  const first = indexAfter(matches, after)
  const entries = matches.slice(first, first + slots)
  return encodePage(entries, entries.length < slots)
}
