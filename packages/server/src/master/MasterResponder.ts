/**
 * What a master server answers: which game servers there are, page by page. How servers get onto its list is the business of whoever
 * runs it.
 *
 * **It does not amplify.** The protocol lets a request of 13 bytes with a forged sender ask for 1392, and has no challenge. So a page
 * is as large as its request, which holds one address at least: clients that pad their requests, as `Master` of `@sourcewire/core`
 * does by itself, get full pages, others many small ones. `answersStrangers` gives full pages to everybody, rationed per address; the
 * profile `xash3d` the whole list.
 */
import { MasterFilter, TokenBucket } from "@sourcewire/core/machines"
import {
  HEADER_BYTES,
  MasterReply,
  MasterRequest,
  MessageType,
  PrintReply,
  encodeAs
} from "@sourcewire/protocol/machines"
import * as Result from "effect/Result"
import { type Entry, indexAfter, keyOf, type ListedServer, sorted } from "./listing.ts"
import { matching } from "./matching.ts"
import { NOTHING } from "../query/prepare.ts"
import { current, type Live } from "../query/Profile.ts"
import type { RateLimiter } from "../limits/RateLimit.ts"
import type { Answering } from "../query/Responder.ts"

/**
 * How masters answer, in the order in which help lists it. Valve's: a page at a time, behind the address that was last on the page
 * before; the end mark on the last page. Xash3D's: the whole list at once to anyone, in many datagrams, each with the end mark.
 */
export const masterProfileNames = ["valve", "xash3d"] as const

/** Name of a way to answer. */
export type MasterProfileName = (typeof masterProfileNames)[number]

/** The largest page, in bytes: 231 addresses and the header. */
export const MAX_PAGE_BYTES = 1392

/** What a master answers from, and how. */
export interface MasterResponderOptions {
  /**
   * The list, or a function that gives it. Give the same array while nothing has changed: sorting and filtering are then done once.
   * Where the function throws, or gives no array, the list stays as it was.
   */
  readonly servers: Live<ReadonlyArray<ListedServer>>
  /** Default `valve`. `xash3d` answers strangers in full, whatever {@link MasterResponderOptions.answersStrangers} says. */
  readonly profile?: MasterProfileName
  /** Whether everybody gets full pages. Default no. */
  readonly answersStrangers?: boolean
  /** How often one address may get more than it sent. Unlimited unless given. */
  readonly limit?: RateLimiter
}

const PAGE_HEAD_BYTES = HEADER_BYTES + 2
const ADDRESS_BYTES = 6

/** Addresses in a datagram of a master of Xash3D, as recorded: 83 and the end mark are 510 bytes. */
const XASH_ADDRESSES = 83

/** Requests are padded up to a page; larger ones are nobody's. */
const MAX_REQUEST_BYTES = 1500

/** Filtered lists that are kept while the list stays the same: one per kind of client, and some for passers-by. */
const MAX_KEPT_SELECTIONS = 16

/**
 * Filters beyond the kept ones that are worked out per second, and at once after a while of none: a request of a few bytes may have a
 * long list gone through. Who comes too late gets no answer and asks again.
 */
const SELECTIONS_PER_SECOND = 50

/** Conditions in a filter. Clients use a handful. */
const MAX_CONDITIONS = 32

/** Answers for a master server. Bytes in, bytes out: no socket, no clock. */
export class MasterResponder implements Answering {
  readonly #options: MasterResponderOptions
  #servers: ReadonlyArray<ListedServer> = []
  #entries: ReadonlyArray<Entry> = []
  readonly #selections = new Map<string, ReadonlyArray<Entry>>()
  readonly #work = new TokenBucket(SELECTIONS_PER_SECOND, SELECTIONS_PER_SECOND)

  constructor(options: MasterResponderOptions) {
    this.#options = options
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
    const matches = this.#select(region, filter, terms.success, now)
    if (matches === undefined) return NOTHING
    if (this.#options.profile === "xash3d") {
      const list = wholeList(matches)
      const bytes = list.reduce((sum, { length }) => sum + length, 0)
      return bytes <= datagram.length || this.#options.limit?.allows(address, now, bytes) !== false ? list : NOTHING
    }
    const room = this.#options.answersStrangers === true ? MAX_PAGE_BYTES : Math.min(MAX_PAGE_BYTES, datagram.length)
    const page = pageAfter(matches, after, room)
    if (page.length <= datagram.length || this.#options.limit?.allows(address, now, page.length) !== false)
      return [page]
    return [pageAfter(matches, after, datagram.length)]
  }

  #list(): ReadonlyArray<ListedServer> {
    const before = this.#servers
    try {
      const servers = current(this.#options.servers)
      return Array.isArray(servers) ? servers : before
    } catch {
      return before
    }
  }

  #select(
    region: number,
    text: string,
    filter: MasterFilter.MasterFilter,
    now: number
  ): ReadonlyArray<Entry> | undefined {
    const servers = this.#list()
    if (servers !== this.#servers) {
      this.#servers = servers
      this.#entries = sorted(servers)
      this.#selections.clear()
    }
    const key = `${region} ${text}`
    const known = this.#selections.get(key)
    if (known === undefined && (conditionsIn(text) > MAX_CONDITIONS || this.#work.take(now) > 0)) return undefined
    const kept = known ?? matching(this.#entries, region, filter)
    this.#selections.delete(key)
    this.#selections.set(key, kept)
    if (this.#selections.size > MAX_KEPT_SELECTIONS) this.#selections.delete(this.#selections.keys().next().value!)
    return kept
  }
}

/** Key and value have a backslash each, those in groups too. */
const conditionsIn = (filter: string): number => (filter.split("\\").length - 1) / 2

const refusal = (message: string): Uint8Array =>
  Result.getOrThrow(encodeAs(PrintReply, { _tag: "PrintReply", text: `${message}\n` }))

const pageOf = (entries: ReadonlyArray<Entry>, complete: boolean): Uint8Array => {
  const servers = entries.map(({ server }) => server.address)
  return Result.getOrThrow(encodeAs(MasterReply, { _tag: "MasterReply", servers, complete }))
}

/** All of it, as masters of Xash3D send it: an empty list is one datagram too. */
const wholeList = (matches: ReadonlyArray<Entry>): ReadonlyArray<Uint8Array> =>
  Array.from({ length: Math.max(1, Math.ceil(matches.length / XASH_ADDRESSES)) }, (_, i) =>
    pageOf(matches.slice(i * XASH_ADDRESSES, (i + 1) * XASH_ADDRESSES), true)
  )

/** The page behind an address, of `room` bytes at most; with the end mark when it fits behind the last address. */
const pageAfter = (matches: ReadonlyArray<Entry>, after: number, room: number): Uint8Array => {
  const slots = Math.floor((room - PAGE_HEAD_BYTES) / ADDRESS_BYTES)
  const first = indexAfter(matches, after)
  const entries = matches.slice(first, first + slots)
  return pageOf(entries, entries.length < slots)
}
