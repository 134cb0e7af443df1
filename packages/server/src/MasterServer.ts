/**
 * A master server: tells clients which game servers there are, page by page. How servers get onto its list is the business of whoever
 * runs it.
 *
 * **It does not amplify.** The protocol lets a request of 13 bytes with a forged sender ask for 1392, and has no challenge. So a page
 * is as large as its request, which holds one address at least: clients that pad their requests, as `Master` of `@sourcewire/core`
 * does by itself, get full pages, others many small ones. `answersStrangers` gives full pages to everybody, rationed per address.
 *
 * @example
 * import { MasterResponder, MasterServer } from "@sourcewire/server"
 * import { NodeDatagrams } from "@sourcewire/transport-node"
 * import * as Effect from "effect/Effect"
 * const servers = [{ address: "192.0.2.1:27015", map: "de_dust2" }]
 * const responder = new MasterResponder({ servers }) // bytes in, bytes out; a page has at most MAX_PAGE_BYTES
 * console.log(responder.respond(new Uint8Array(4), "192.0.2.9", 50_000, 0), MasterServer.MAX_PAGE_BYTES)
 * const port = Effect.map(MasterServer.make({ servers }), (master) => master.port)
 * console.log(await Effect.runPromise(Effect.scoped(port).pipe(Effect.provide(NodeDatagrams.layer))))
 *
 * @module
 */
import { Datagrams, type Endpoint, MasterFilter, type SendFailed, Timing, TokenBucket } from "@sourcewire/core"
import { MasterReply, MasterRequest, PrintReply } from "@sourcewire/protocol"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import type * as Scope from "effect/Scope"
import { checked } from "./internal/edge.ts"
import { isLoopback } from "./internal/loopback.ts"
import { start } from "./internal/running.ts"
import { masterShape, transportShape } from "./internal/serverShape.ts"
import { InvalidServer } from "./InvalidServer.ts"
import { type Entry, indexAfter, keyOf, type ListedServer, sorted } from "./master/listing.ts"
import { matching } from "./master/matching.ts"
import { current, type Live } from "./Profile.ts"
import { RateLimiter, type RateLimitOptions } from "./RateLimit.ts"
import type { Answering } from "./Responder.ts"

export type { ListedServer } from "./master/listing.ts"

/** The largest page, in bytes: 231 addresses and the header. */
export const MAX_PAGE_BYTES = 1392

/** What a master answers from, and how. */
export interface MasterResponderOptions {
  /**
   * The list, or a function that gives it. Give the same array while nothing has changed: sorting and filtering are then done once.
   * Where the function throws, or gives no array, the list stays as it was.
   */
  readonly servers: Live<ReadonlyArray<ListedServer>>
  /** Whether everybody gets full pages. Default no. */
  readonly answersStrangers?: boolean
  /** How often one address may get more than it sent. Unlimited unless given. */
  readonly limit?: RateLimiter
}

const NOTHING: ReadonlyArray<Uint8Array> = []
const MASTER_REQUEST = 0x31
const HEADER_BYTES = 6
const ADDRESS_BYTES = 6

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

/** See the module. Bytes in, bytes out: no socket, no clock. */
export class MasterResponder implements Answering {
  readonly #options: MasterResponderOptions
  #servers: ReadonlyArray<ListedServer> | undefined = undefined
  #entries: ReadonlyArray<Entry> = []
  readonly #selections = new Map<string, ReadonlyArray<Entry>>()
  readonly #work = new TokenBucket(SELECTIONS_PER_SECOND, SELECTIONS_PER_SECOND)

  constructor(options: MasterResponderOptions) {
    this.#options = options
  }

  respond(datagram: Uint8Array, address: string, _port: number, now: number): ReadonlyArray<Uint8Array> {
    if (datagram[0] !== MASTER_REQUEST || datagram.length > MAX_REQUEST_BYTES) return NOTHING
    const request = MasterRequest.decode(datagram)
    if (Result.isFailure(request)) return NOTHING
    const { filter, region, seed } = request.success
    const after = keyOf(seed)
    if (after === undefined) return NOTHING
    const terms = MasterFilter.parse(filter)
    if (Result.isFailure(terms)) return fitting(refusal(terms.failure.message), datagram.length)
    const matches = this.#select(region, filter, terms.success, now)
    if (matches === undefined) return NOTHING
    const page = pageAfter(matches, after, this.#room(datagram.length))
    if (page.length <= datagram.length || this.#options.limit?.allows(address, now, page.length) !== false)
      return [page]
    return [pageAfter(matches, after, datagram.length)]
  }

  #room(requestBytes: number): number {
    return this.#options.answersStrangers === true ? MAX_PAGE_BYTES : Math.min(MAX_PAGE_BYTES, requestBytes)
  }

  #list(): ReadonlyArray<ListedServer> {
    const before = this.#servers ?? []
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
  Result.getOrThrow(PrintReply.encode({ _tag: "PrintReply", text: `${message}\n` }))

const fitting = (reply: Uint8Array, bytes: number): ReadonlyArray<Uint8Array> =>
  reply.length <= bytes ? [reply] : NOTHING

/** The page behind an address, of `room` bytes at most; with the end mark when it fits behind the last address. */
const pageAfter = (matches: ReadonlyArray<Entry>, after: number, room: number): Uint8Array => {
  const slots = Math.floor((room - HEADER_BYTES) / ADDRESS_BYTES)
  const first = indexAfter(matches, after)
  const servers = matches.slice(first, first + slots).map(({ server }) => server.address)
  const complete = first + servers.length === matches.length && servers.length < slots
  return Result.getOrThrow(MasterReply.encode({ _tag: "MasterReply", servers, complete }))
}

/** What to list, and where to listen. */
export interface MasterServerOptions extends Omit<MasterResponderOptions, "limit"> {
  /** Numeric IPv4 or IPv6 address to listen on. Default `127.0.0.1`. */
  readonly host?: string
  /** UDP port; 0, the default, lets the system choose. */
  readonly port?: number
  /** How much one address may get beyond what it sent. Default: 5 pages a second; on a loopback address unlimited. */
  readonly limit?: RateLimitOptions
  /**
   * Lets a master that `answersStrangers` listen where others can reach it. **Whoever forges a sender's address then has it send a
   * hundred times what it was sent to a victim**, within `limit`. Default false.
   */
  readonly allowAmplification?: boolean
}

/** What has come and gone since the master started. */
export interface MasterCounters {
  readonly requests: number
  readonly replies: number
  readonly bytesIn: number
  readonly bytesOut: number
  /** What the socket reported as gone wrong. */
  readonly socketFaults: number
}

/** A running master. */
export interface MasterServer extends Endpoint {
  /** A snapshot. */
  readonly counters: () => MasterCounters
}

const DEFAULT_LIMIT: RateLimitOptions = { perSecond: 5 }

/** Why a master does not start. */
export type MasterServerError = InvalidServer | SendFailed

const harmless = (options: MasterServerOptions): Result.Result<MasterServerOptions, InvalidServer> => {
  const { allowAmplification = false, answersStrangers = false, host = "127.0.0.1" } = options
  if (!answersStrangers || allowAmplification || isLoopback(host)) return Result.succeed(options)
  const message = `A master that answers strangers sends them a hundred times what it got, to a victim whose address is forged. So it may listen on a loopback address only, not on ${host}, unless allowAmplification is true.`
  return Result.fail(new InvalidServer({ message, option: "allowAmplification" }))
}

/** Runs a master until its scope closes. */
export const make = Effect.fnUntraced(function* (
  options: MasterServerOptions
): Effect.fn.Return<MasterServer, MasterServerError, Datagrams | Scope.Scope> {
  yield* Effect.fromResult(Result.flatMap(checked(masterShape, options), harmless))
  const { host = "127.0.0.1", port = 0, limit = isLoopback(host) ? undefined : DEFAULT_LIMIT, ...rest } = options
  const responder = new MasterResponder({ ...rest, ...(limit === undefined ? {} : { limit: new RateLimiter(limit) }) })
  const timing = yield* Timing.timing
  const datagrams = yield* Datagrams
  const counters = { requests: 0, replies: 0, bytesIn: 0, bytesOut: 0, socketFaults: 0 }
  const socket = yield* datagrams.open(
    { family: host.includes(":") ? 6 : 4, bind: { address: host, port }, keepsProcess: true },
    {
      onDatagram: (bytes, address, port) => {
        counters.requests++
        counters.bytesIn += bytes.length
        for (const reply of responder.respond(bytes, address, port, timing.now())) {
          counters.replies++
          counters.bytesOut += reply.length
          socket.send(reply, address, port)
        }
      },
      onFault: () => void counters.socketFaults++
    }
  )
  return { ...socket.local, counters: () => ({ ...counters }) }
})

/** A running master for people who don't use Effect. */
export interface RunningMasterServer extends MasterServer, AsyncDisposable {
  /** Closes the socket. */
  readonly close: () => Promise<void>
}

/**
 * Starts a master over the UDP of a transport. Rejects with `InvalidServer`, which names the option, or `SendFailed` (address in use).
 *
 * @example
 * import { startMaster } from "@sourcewire/server"
 * import { NodeDatagrams } from "@sourcewire/transport-node"
 * await using master = await startMaster({ transport: NodeDatagrams.layer, servers: [{ address: "192.0.2.1:27015" }] })
 */
export const startMaster = async (
  options: MasterServerOptions & { readonly transport: Layer.Layer<Datagrams> }
): Promise<RunningMasterServer> => {
  const { transport } = Result.getOrThrow(checked(transportShape, options))
  const { end, value } = await start(transport, make(options))
  return { ...value, ...end }
}
