/**
 * What a source has given: the servers of its last list, and those of the lists before it for a while, since lists flap.
 */
import * as Schema from "effect/Schema"
import type { Source } from "./Source.ts"

/** What a list says. */
export interface Listed {
  /** Each once, as `host:port`. */
  readonly addresses: ReadonlySet<string>
  /** Entries that are no address, or one that cannot be asked. */
  readonly junk: number
  /** Of entries that name a game: the query ports that it may use, by address. */
  readonly ports?: ReadonlyMap<string, ReadonlyArray<number>>
}

/** How it went when a source was read. */
export type Reading =
  /** `partial` says why more may be missing than left the list. */
  | (Listed & { readonly _tag: "Listed"; readonly partial?: string | undefined })
  | { readonly _tag: "Unchanged" }
  | { readonly _tag: "Failed"; readonly message: string; readonly retryAfterMs?: number | undefined }

/** A list that is not used, because it lost too many servers. */
export const RejectedList = Schema.Struct({
  /** Servers in it. */
  servers: Schema.Int,
  /** Watched servers of the source that it does not have. */
  lost: Schema.Int,
  /** When the first one in a row was rejected, in ms since 1970. */
  since: Schema.Finite
}).annotate({ identifier: "RejectedList" })
type RejectedList = typeof RejectedList.Type

/** How a source does, for readers of the API too. */
export const sourceStatus = {
  /** Entries that were left out, since nobody can be asked there. */
  junk: Schema.Int,
  /** Servers for which there was no room. */
  surplus: Schema.Int,
  /** Readings in a row that failed, and why the last one did. */
  failures: Schema.Int,
  trouble: Schema.optionalKey(Schema.String),
  /** Why the last list was not whole. */
  partial: Schema.optionalKey(Schema.String),
  /** The last list, if it was rejected: the source keeps the servers of the list before. */
  rejected: Schema.optionalKey(RejectedList),
  /** When it was read with success, in ms since 1970. */
  succeededAt: Schema.optionalKey(Schema.Finite)
}

/** How a source does. */
export interface SourceStatus extends Schema.Struct.Type<typeof sourceStatus> {
  /** When it was read last; 0 where it never was. */
  readonly triedAt: number
}

/** What a source has given, as it is stored. */
export interface FoundList {
  /** Addresses, each with the number of lists in a row that have not had it. */
  readonly missing: ReadonlyMap<string, number>
  readonly status: SourceStatus
  /** Of entries that name a game: the query ports that it may use, by address. */
  readonly ports?: ReadonlyMap<string, ReadonlyArray<number>>
}

/** Of a source that was never read. */
export const NOTHING: FoundList = { missing: new Map(), status: { triedAt: 0, junk: 0, surplus: 0, failures: 0 } }

/** What is left of a list and comes to it. What is there already comes first when there is no room for all. */
const followed = (
  before: ReadonlyMap<string, number>,
  now: ReadonlySet<string>,
  isPartial: boolean,
  { keep, max }: Pick<Source, "keep" | "max">
): { readonly missing: ReadonlyMap<string, number>; readonly surplus: number } => {
  const missing = new Map<string, number>()
  for (const [address, lists] of before) {
    const count = now.has(address) ? 0 : isPartial ? lists : lists + 1
    if (count < keep) missing.set(address, count)
  }
  const fresh = [...now].filter((address) => !missing.has(address))
  const room = Math.max(0, max - missing.size)
  for (const address of fresh.slice(0, room)) missing.set(address, 0)
  return { missing, surplus: Math.max(0, fresh.length - room) }
}

/**
 * A list that has lost more servers than the source allows. Scripts that fail and services that are being repaired give short lists, and
 * from then on nobody would notice that a server is down.
 */
const rejectionOf = (
  { missing, status }: FoundList,
  { addresses, partial }: Listed & { readonly partial?: string | undefined },
  { maxLossPercent }: Pick<Source, "maxLossPercent">,
  nowMs: number
): RejectedList | undefined => {
  // A partial list removes no server.
  if (partial !== undefined) return undefined
  let lost = 0
  for (const address of missing.keys()) if (!addresses.has(address)) lost++
  if (lost * 100 <= missing.size * maxLossPercent) return undefined
  return { servers: addresses.size, lost, since: status.rejected?.since ?? nowMs }
}

/** The query ports of a list's addresses. One that is missing from the new list, and is kept for a while, keeps its ports. */
const portsAfter = (before: FoundList, now: Listed, missing: ReadonlyMap<string, number>): FoundList["ports"] => {
  const ports = new Map<string, ReadonlyArray<number>>()
  for (const [address, candidates] of before.ports ?? []) {
    if (missing.has(address) && !now.addresses.has(address)) ports.set(address, candidates)
  }
  for (const [address, candidates] of now.ports ?? []) if (missing.has(address)) ports.set(address, candidates)
  return ports
}

/** The list after a reading. A source that fails, or gives a list that is rejected, keeps what it gave before. */
export const afterReading = (
  found: FoundList,
  reading: Reading,
  source: Pick<Source, "keep" | "max" | "maxLossPercent">,
  nowMs: number
): FoundList => {
  const { missing, status } = found
  if (reading._tag === "Failed") {
    const failures = status.failures + 1
    return { ...found, status: { ...status, triedAt: nowMs, failures, trouble: reading.message } }
  }
  const { trouble: _, ...before } = status
  const tried = { ...before, triedAt: nowMs, succeededAt: nowMs, failures: 0 }
  // The list that has not changed is the one that was rejected.
  if (reading._tag === "Unchanged" && status.rejected !== undefined) return { ...found, status: tried }
  const rejected = reading._tag === "Listed" ? rejectionOf(found, reading, source, nowMs) : undefined
  if (rejected !== undefined) return { ...found, status: { ...tried, rejected } }
  const known = new Set([...missing].flatMap(([address, lists]) => (lists === 0 ? [address] : [])))
  const { addresses, junk, partial } = reading._tag === "Listed" ? reading : { ...status, addresses: known }
  const next = followed(missing, addresses, partial !== undefined, source)
  const surplus = reading._tag === "Listed" ? next.surplus : status.surplus
  const ports = reading._tag === "Listed" ? portsAfter(found, reading, next.missing) : found.ports
  return {
    missing: next.missing,
    ...(ports === undefined || ports.size === 0 ? {} : { ports }),
    status: {
      triedAt: nowMs,
      succeededAt: nowMs,
      junk,
      surplus,
      failures: 0,
      ...(partial === undefined ? {} : { partial })
    }
  }
}

/** As it is stored. */
export const toText = ({ missing, ports, status }: FoundList): string =>
  JSON.stringify({ missing: [...missing], status, ...(ports === undefined ? {} : { ports: [...ports] }) })

const decodeStatus = Schema.decodeUnknownSync(Schema.Struct({ ...sourceStatus, triedAt: Schema.Finite }))

const Port = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 65_535 }))
const decodePorts = Schema.decodeUnknownSync(Schema.Array(Schema.Tuple([Schema.String, Schema.NonEmptyArray(Port)])))

const isEntry = (entry: unknown): entry is readonly [string, number] =>
  Array.isArray(entry) && typeof entry[0] === "string" && Number.isInteger(entry[1])

/** As it was stored. Fields that a newer program added are left out; throws if the text cannot be read. */
export const fromText = (text: string): FoundList => {
  const { missing, ports, status } = JSON.parse(text) as {
    readonly missing: ReadonlyArray<unknown>
    readonly status: unknown
    readonly ports?: unknown
  }
  // Not by a schema: a list has a hundred thousand entries, and is read on every machine.
  if (!missing.every(isEntry)) throw new TypeError("an entry is no address with a number")
  return {
    missing: new Map(missing),
    status: decodeStatus(status),
    ...(ports === undefined ? {} : { ports: new Map(decodePorts(ports)) })
  }
}
