/**
 * Lists the servers of a master server, page by page, as a stream. The caller must pass a master server. There is no default, because
 * Valve's master is offline.
 */
import { TaggedError } from "@sourcewire/protocol/wire"
import { encode } from "@sourcewire/protocol"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import * as Address from "../address/Address.ts"
import { makeClient } from "../client/makeClient.ts"
import type { AddressInput, ClientError, ClientShape } from "../client/ClientShape.ts"
import type { Datagrams } from "../engine/Datagrams.ts"
import { checkedOptions, readable, refuse } from "../edge.ts"
import * as MasterFilter from "./MasterFilter.ts"
import { MasterPageExchange } from "./MasterPageExchange.ts"
import { type MasterPage, FIRST_SEED, MasterPaging } from "./MasterPaging.ts"
import type { InvalidOption, QueryOptions } from "../client/Options.ts"
import { readSettings } from "../client/settings.ts"

/** The numbers of the regions in the protocol, by the name of the region. Each game server chooses its own region. */
export const REGIONS = {
  "us-east": 0,
  "us-west": 1,
  "south-america": 2,
  europe: 3,
  asia: 4,
  australia: 5,
  "middle-east": 6,
  africa: 7,
  world: 255
} as const

/** Name of a region; `world` means all regions. */
export type Region = keyof typeof REGIONS

/** Default port of a master: the usual port of masters for GoldSource games. It is used if the address contains no port. */
export const DEFAULT_MASTER_PORT = 27010

/** Default pause before the request for each page except the first, in ms. Valve's master allowed thirty requests per minute. */
export const DEFAULT_PAGE_INTERVAL_MS = 2000

/** Default maximum number of addresses in a list. Every known list is several times shorter than this maximum. */
export const DEFAULT_MAX_SERVERS = 200_000

/**
 * Default maximum number of pages. This number of pages suffices for {@link DEFAULT_MAX_SERVERS} addresses, even if a page contains only
 * ten addresses.
 */
export const DEFAULT_MAX_PAGES = 20_000

/** No master server was given, and there is no default. */
export class NoMaster extends /* @__PURE__ */ TaggedError("NoMaster")<{ readonly message: string }> {}

/** Options of a list. The query options apply to the request for each page. */
export interface MasterOptions extends QueryOptions {
  /** Region (default: `world`). If the region has no name in {@link REGIONS}, pass its number. */
  readonly region?: Region | number | undefined
  /**
   * The filter, in one of three forms: conditions by name (`{ gamedir: "cstrike", notEmpty: true }`), a text (`\gamedir\cstrike`), or the
   * terms of a `MasterFilter`.
   */
  readonly filter?: MasterFilter.Conditions | MasterFilter.MasterFilter | string | undefined
  /** Pause before the request for each page except the first, in ms (default: 2000). */
  readonly pageIntervalMs?: number | undefined
  readonly maxServers?: number | undefined
  readonly maxPages?: number | undefined
  /** An address of an earlier list, for example `192.0.2.1:27015`. The new list starts after this address. */
  readonly seed?: string | undefined
}

/** The errors that can end a list early. The pages that the stream returned before the error are valid. */
export type MasterError = ClientError | MasterFilter.InvalidFilter | NoMaster

const OPTIONS = /* @__PURE__ */ Object.keys({
  region: true,
  filter: true,
  pageIntervalMs: true,
  maxServers: true,
  maxPages: true,
  seed: true,
  timeoutMs: true,
  retries: true,
  encoding: true,
  family: true
} satisfies Readonly<Record<keyof MasterOptions, true>>)

interface Listing {
  readonly address: AddressInput
  readonly region: number
  readonly filter: string
  readonly intervalMs: number
  readonly paging: MasterPaging
  /**
   * Whether requests are padded. Some masters send at most as many bytes to an unverified address as they received from it. Such a master
   * sends a longer reply to a longer request.
   */
  padded: boolean
}

/** Size of a padded request, in bytes. A request of this size fits into one packet on all usual networks. */
const PADDED_BYTES = 1392

const isWithin = (value: unknown, least: number, most: number): value is number =>
  typeof value === "number" && value >= least && value <= most

const readFilter = (
  filter: NonNullable<MasterOptions["filter"]>
): Result.Result<MasterFilter.MasterFilter, MasterFilter.InvalidFilter | InvalidOption> => {
  if (typeof filter === "string") return MasterFilter.parse(filter)
  return isTerms(filter) ? Result.succeed(filter) : MasterFilter.toTerms(filter)
}

const isTerms = (filter: object): filter is MasterFilter.MasterFilter => Array.isArray(filter)

/** Validates the address and the options. Throws `InvalidOption` if an option is invalid. Returns any other error. */
const checkedListing = (
  server: AddressInput | undefined,
  options: MasterOptions
): Result.Result<Listing, MasterError> => {
  if (server === undefined || server === "") {
    return Result.fail(
      new NoMaster({
        message: "No master server given. Valve's public master is offline: pass another one, as in host:27010."
      })
    )
  }
  const address = typeof server === "string" ? Address.parse(server, DEFAULT_MASTER_PORT) : Address.from(server)
  if (Result.isFailure(address)) return Result.fail(address.failure)
  const { filter = [], region = "world", seed = FIRST_SEED } = options
  const { maxPages = DEFAULT_MAX_PAGES, maxServers = DEFAULT_MAX_SERVERS, pageIntervalMs } = options
  const intervalMs = pageIntervalMs ?? DEFAULT_PAGE_INTERVAL_MS
  const code: unknown =
    typeof region === "number" ? region : Object.hasOwn(REGIONS, region) ? REGIONS[region] : undefined
  if (!isWithin(code, 0, 255) || !Number.isInteger(code)) {
    return refuse("region", `one of ${Object.keys(REGIONS).join(", ")}, or a number from 0 to 255`, region)
  }
  if (!isWithin(intervalMs, 0, 600_000)) return refuse("pageIntervalMs", "a number from 0 to 600000", intervalMs)
  if (!isWithin(maxServers, 1, Infinity)) return refuse("maxServers", "a number of 1 or more", maxServers)
  if (!isWithin(maxPages, 1, Infinity)) return refuse("maxPages", "a number of 1 or more", maxPages)
  if (typeof seed !== "string" || !/^\d{1,3}(\.\d{1,3}){3}:\d{1,5}$/.test(seed)) {
    return refuse("seed", "an IPv4 address with port", seed)
  }
  return Result.map(Result.flatMap(readFilter(filter), MasterFilter.format), (text) => ({
    address: address.success,
    region: code,
    filter: text,
    intervalMs,
    paging: new MasterPaging({ maxServers, maxPages }, seed),
    padded: false
  }))
}

const encodeRequest = ({ filter, padded, paging, region }: Listing): Uint8Array => {
  const message = { _tag: "MasterRequest", region, seed: paging.seed, filter } as const
  const plain = Result.getOrThrow(encode(message))
  if (!padded || plain.length >= PADDED_BYTES) return plain
  return Result.getOrThrow(encode({ ...message, trailing: "00".repeat(PADDED_BYTES - plain.length) }))
}

const requestPage = (
  client: Pick<ClientShape, "run">,
  listing: Listing,
  options: MasterOptions
): Effect.Effect<MasterPage, ClientError> => {
  const { paging } = listing
  const request = encodeRequest(listing)
  return Effect.flatMap(Effect.fromResult(readSettings(options, undefined)), (settings) =>
    client.run(listing.address, (roundTrip) => new MasterPageExchange(request, paging, settings, roundTrip), {
      timeoutMs: options.timeoutMs,
      family: options.family
    })
  ).pipe(
    Effect.map(({ isWhole, reply, replyBytes }) => {
      if (replyBytes <= request.length) listing.padded = true
      return paging.take(reply, isWhole)
    }),
    Effect.catchTag("Timeout", (error) =>
      paging.mayEndInSilence ? Effect.succeed(paging.silence()) : Effect.fail(error)
    )
  )
}

/** Requests the pages of a list with the client that the caller passes. */
export const pagesFrom = (
  client: Pick<ClientShape, "run">,
  server: AddressInput,
  options: MasterOptions = {}
): Stream.Stream<MasterPage, MasterError> =>
  Stream.unwrap(
    Effect.fromResult(readable(() => checkedListing(server, checkedOptions(OPTIONS, options)))).pipe(
      Effect.flatMap(Effect.fromResult),
      Effect.map((listing) =>
        Stream.paginate(false, (isLater: boolean) =>
          (isLater ? Effect.sleep(listing.intervalMs) : Effect.void).pipe(
            Effect.andThen(requestPage(client, listing, options)),
            Effect.map((page) => [[page], page.end === undefined ? Option.some(true) : Option.none()] as const)
          )
        )
      )
    )
  )

/** The addresses of all pages. */
export const flattenPages = <E, R>(pages: Stream.Stream<MasterPage, E, R>): Stream.Stream<string, E, R> =>
  Stream.flatMap(pages, (page) => Stream.fromIterable(page.servers))

/** The addresses of a list. A new client sends the requests over the transport. */
export const serversOver = (
  datagrams: Layer.Layer<Datagrams>,
  server: AddressInput,
  options?: MasterOptions
): Stream.Stream<string, MasterError> =>
  Effect.map(makeClient(), (client) => flattenPages(pagesFrom(client, server, options))).pipe(
    Stream.unwrap,
    Stream.provide(datagrams)
  )
