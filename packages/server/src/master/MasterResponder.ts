/**
 * Replies of a master server: a list of game servers, page by page. The caller decides which servers are on the list.
 *
 * **It does not amplify.** The protocol allows a request of 13 bytes with a spoofed source to cause a reply of 1392, and has no challenge.
 * So a page is as large as its request, and contains at least one address. Clients that pad their requests, as `Master` of
 * `@sourcewire/core` does, get full pages, others many small ones. `answersStrangers` sends full pages to every address, with a rate limit;
 * the profile `xash3d` sends the whole list.
 */
import { TokenBucket } from "@sourcewire/core/engine"
import { MasterFilter } from "@sourcewire/core/master"
import { HEADER_BYTES, MasterReply, MasterRequest, MessageType, PrintReply, encodeAs } from "@sourcewire/protocol/wire"
import * as Result from "effect/Result"
import { type Entry, indexAfter, keyOf, type ListedServer, sorted } from "./listing.ts"
import { matching } from "./matching.ts"
import type { MasterProfileName } from "./profileNames.ts"
import { NOTHING } from "../query/prepare.ts"
import { current, type Live } from "../query/Profile.ts"
import type { RateLimiter } from "../limits/RateLimit.ts"
import type { Answering } from "../query/Responder.ts"

/** The largest page, in bytes: 231 addresses and the header. */
export const MAX_PAGE_BYTES = 1392

/** The list, and the way to reply. */
export interface MasterResponderOptions {
  /**
   * The list, or a function that returns it. Return the same array while nothing has changed: then it is sorted and filtered only once. If
   * the function throws, or returns no array, the last list stays in use.
   */
  readonly servers: Live<ReadonlyArray<ListedServer>>
  /**
   * Way to reply (default: `valve`). `xash3d` replies in full to unverified addresses, whatever {@link
   * MasterResponderOptions.answersStrangers} is.
   */
  readonly profile?: MasterProfileName
  /** Whether unverified addresses get full pages (default: false). */
  readonly answersStrangers?: boolean
  /** How often one address may get more than it sent (default: unlimited). */
  readonly limit?: RateLimiter
}

const PAGE_HEAD_BYTES = HEADER_BYTES + 2
const ADDRESS_BYTES = 6

/** Addresses in a datagram of a Xash3D master, as recorded: 83 and the end mark are 510 bytes. */
const XASH_ADDRESSES = 83

/** Requests are padded up to a page; larger ones are not requests. */
const MAX_REQUEST_BYTES = 1500

/** Filtered lists that are stored while the list stays the same: one per kind of client, and some more. */
const MAX_KEPT_SELECTIONS = 16

/**
 * Further filters that are applied per second, and at once after a pause: a request of a few bytes may cause a search of a long list.
 * Beyond this rate, clients get no reply and retry.
 */
const SELECTIONS_PER_SECOND = 50

/** Conditions in a filter. Clients use a handful. */
const MAX_CONDITIONS = 32

/** Replies of a master server. It receives and returns bytes, and has no socket and no clock. */
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
    const after = keyOf(seed)
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
    const room = this.options.answersStrangers === true ? MAX_PAGE_BYTES : Math.min(MAX_PAGE_BYTES, datagram.length)
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
    if (known === undefined && (conditionsIn(text) > MAX_CONDITIONS || this.work.take(now) > 0)) return undefined
    const kept = known ?? matching(this.entries, region, filter)
    this.selections.delete(key)
    this.selections.set(key, kept)
    if (this.selections.size > MAX_KEPT_SELECTIONS) this.selections.delete(this.selections.keys().next().value!)
    return kept
  }
}

/** Key and value have a backslash each, also in groups. */
const conditionsIn = (filter: string): number => (filter.split("\\").length - 1) / 2

const refusal = (message: string): Uint8Array =>
  Result.getOrThrow(encodeAs(PrintReply, { _tag: "PrintReply", text: `${message}\n` }))

const pageOf = (entries: ReadonlyArray<Entry>, complete: boolean): Uint8Array => {
  const servers = entries.map(({ server }) => server.address)
  return Result.getOrThrow(encodeAs(MasterReply, { _tag: "MasterReply", servers, complete }))
}

/** The whole list, as Xash3D masters send it: an empty list is one datagram, too. */
const wholeList = (matches: ReadonlyArray<Entry>): ReadonlyArray<Uint8Array> =>
  Array.from({ length: Math.max(1, Math.ceil(matches.length / XASH_ADDRESSES)) }, (_, i) =>
    pageOf(matches.slice(i * XASH_ADDRESSES, (i + 1) * XASH_ADDRESSES), true)
  )

/** The page after an address, of at most `room` bytes; with the end mark if it fits after the last address. */
const pageAfter = (matches: ReadonlyArray<Entry>, after: number, room: number): Uint8Array => {
  const slots = Math.floor((room - PAGE_HEAD_BYTES) / ADDRESS_BYTES)
  const first = indexAfter(matches, after)
  const entries = matches.slice(first, first + slots)
  return pageOf(entries, entries.length < slots)
}
