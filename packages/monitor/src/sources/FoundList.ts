/**
 * The state of a source, with its servers. A master server can omit a server from one list and include the server in a later list.
 * Therefore a server is removed only after it was missing from `keep` consecutive lists.
 */
import { SteamCounts } from "@sourcewire/verdict"
import * as Schema from "effect/Schema"
import type { Source } from "./Source.ts"

/** The contents of a list. */
export interface Listed {
  /** The addresses as `host:port`, without duplicates. */
  readonly addresses: ReadonlySet<string>
  /** Number of entries that are not addresses, or whose address cannot be queried. */
  readonly junk: number
  /** The query ports to try, for each address whose entry in the list names a game. */
  readonly ports?: ReadonlyMap<string, ReadonlyArray<number>>
  /** The number of players that Steam reports for each server. Present if the list is from Steam and the group has `verdicts`. */
  readonly counts?: SteamCounts
}

/** The result of reading a source. */
export type Reading =
  /** `partial` is the reason why the list may be incomplete; `undefined` if the list is complete. */
  | (Listed & { readonly _tag: "Listed"; readonly partial?: string | undefined })
  | { readonly _tag: "Unchanged" }
  | { readonly _tag: "Failed"; readonly message: string; readonly retryAfterMs?: number | undefined }

/** A list that the monitor does not use, because too many servers are missing from the list. */
export const RejectedList = Schema.Struct({
  servers: Schema.Int,
  /** Number of monitored servers of the source that are missing from the list. */
  lost: Schema.Int,
  /** The time of the first rejection since the last accepted list, in milliseconds since 1970. */
  since: Schema.Finite
}).annotate({ identifier: "RejectedList" })
type RejectedList = typeof RejectedList.Type

/** The fields of a source's status that the API returns. */
export const sourceStatus = {
  /** Number of entries that were skipped because they cannot be queried. */
  junk: Schema.Int,
  /** Number of servers that were not added because the source already had `max` servers. */
  surplus: Schema.Int,
  /** Number of readings that have failed since the last successful reading. */
  failures: Schema.Int,
  /** Why the last reading failed. Absent if the last reading was successful. */
  trouble: Schema.optionalKey(Schema.String),
  /** Why the last accepted list may be incomplete. Absent if this list is complete. */
  partial: Schema.optionalKey(Schema.String),
  /** Present if the last list was rejected. In this case, the servers of the source do not change. */
  rejected: Schema.optionalKey(RejectedList),
  /** When the source was last read successfully, in milliseconds since 1970. */
  succeededAt: Schema.optionalKey(Schema.Finite)
}

/** The status of a source, without its servers. */
export interface SourceStatus extends Schema.Struct.Type<typeof sourceStatus> {
  /** The time of the last reading, including failed readings, in milliseconds since 1970. 0 if the source was never read. */
  readonly triedAt: number
}

/**
 * The player counts that Steam reports in a list. `from` and `to` are the times when the reading of the list began and ended, in
 * milliseconds since 1970.
 */
export interface CountedList {
  readonly from: number
  readonly to: number
  readonly counts: SteamCounts
}

/** The stored state of a source: its servers and its status. */
export interface FoundList {
  /**
   * For each address: the number of complete lists that the monitor has accepted since the last accepted list with this address. The list
   * with the address may be incomplete.
   */
  readonly missing: ReadonlyMap<string, number>
  readonly status: SourceStatus
  /** The query ports to try, for each address whose entry in the list names a game. */
  readonly ports?: ReadonlyMap<string, ReadonlyArray<number>>
  /** Steam's player counts from the last list that was not rejected. */
  readonly counted?: CountedList
}

/** The state of a source that was never read. */
export const NOTHING: FoundList = { missing: new Map(), status: { triedAt: 0, junk: 0, surplus: 0, failures: 0 } }

/** Merges a new list into the known servers. Known servers are never removed to make room: a new server is added only while there are fewer
 * than `max` servers. */
const mergeList = (
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
 * Rejects a list if more known servers are missing from it than `maxLossPercent` allows. Failing scripts and services under maintenance can
 * return lists that are too short. If the monitor accepted these lists, it would stop monitoring the missing servers.
 */
const checkLoss = (
  { missing, status }: FoundList,
  { addresses, partial }: Listed & { readonly partial?: string | undefined },
  { maxLossPercent }: Pick<Source, "maxLossPercent">,
  nowMs: number
): RejectedList | undefined => {
  // A partial list is never rejected, because the servers that are missing from it are not removed.
  if (partial !== undefined) return undefined
  let lost = 0
  for (const address of missing.keys()) if (!addresses.has(address)) lost++
  if (lost * 100 <= missing.size * maxLossPercent) return undefined
  return { servers: addresses.size, lost, since: status.rejected?.since ?? nowMs }
}

/**
 * Merges the query ports of a new list into the query ports of the source. If an address is missing from the new list but is still
 * monitored, its query ports do not change.
 */
const portsAfter = (before: FoundList, now: Listed, missing: ReadonlyMap<string, number>): FoundList["ports"] => {
  const ports = new Map<string, ReadonlyArray<number>>()
  for (const [address, candidates] of before.ports ?? []) {
    if (missing.has(address) && !now.addresses.has(address)) ports.set(address, candidates)
  }
  for (const [address, candidates] of now.ports ?? []) if (missing.has(address)) ports.set(address, candidates)
  return ports
}

/**
 * Returns the new state of a source, after a reading. If the reading fails or the list is rejected, the servers of the source do not
 * change.
 */
export const afterReading = (
  found: FoundList,
  reading: Reading,
  source: Pick<Source, "keep" | "max" | "maxLossPercent">,
  nowMs: number,
  beganMs = nowMs
): FoundList => {
  const { missing, status } = found
  if (reading._tag === "Failed") {
    const failures = status.failures + 1
    return { ...found, status: { ...status, triedAt: nowMs, failures, trouble: reading.message } }
  }
  const { trouble: _, ...before } = status
  const tried = { ...before, triedAt: nowMs, succeededAt: nowMs, failures: 0 }
  // The list has not changed since it was rejected, so it stays rejected.
  if (reading._tag === "Unchanged" && status.rejected !== undefined) return { ...found, status: tried }
  const rejected = reading._tag === "Listed" ? checkLoss(found, reading, source, nowMs) : undefined
  if (rejected !== undefined) return { ...found, status: { ...tried, rejected } }
  const known = new Set([...missing].flatMap(([address, lists]) => (lists === 0 ? [address] : [])))
  const { addresses, junk, partial } = reading._tag === "Listed" ? reading : { ...status, addresses: known }
  const next = mergeList(missing, addresses, partial !== undefined, source)
  const surplus = reading._tag === "Listed" ? next.surplus : status.surplus
  const ports = reading._tag === "Listed" ? portsAfter(found, reading, next.missing) : found.ports
  const counts = reading._tag === "Listed" ? reading.counts : undefined
  return {
    missing: next.missing,
    ...(ports === undefined || ports.size === 0 ? {} : { ports }),
    ...(counts === undefined ? {} : { counted: { from: beganMs, to: nowMs, counts } }),
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

/** Encodes the state of a source for the store. */
export const toText = ({ counted, missing, ports, status }: FoundList): string =>
  JSON.stringify({
    missing: [...missing],
    status,
    ...(ports === undefined ? {} : { ports: [...ports] }),
    ...(counted === undefined ? {} : { counted: { ...counted, counts: [...counted.counts.entries()] } })
  })

const decodeStatus = Schema.decodeUnknownSync(Schema.Struct({ ...sourceStatus, triedAt: Schema.Finite }))

const Port = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 65_535 }))
const decodePorts = Schema.decodeUnknownSync(Schema.Array(Schema.Tuple([Schema.String, Schema.NonEmptyArray(Port)])))

const isEntry = (entry: unknown): entry is readonly [string, number] =>
  Array.isArray(entry) && typeof entry[0] === "string" && Number.isInteger(entry[1])

const decodeCounted = (value: unknown): CountedList => {
  const { counts, from, to } = value as Readonly<Record<string, unknown>>
  if (typeof from !== "number" || typeof to !== "number" || !Array.isArray(counts) || !counts.every(isEntry)) {
    throw new TypeError("the counts are not a list of pairs of address and number")
  }
  return { from, to, counts: new SteamCounts(counts) }
}

/**
 * Decodes the state of a source from the store. Fields that a newer version of the program added are ignored. Throws an error if the text
 * cannot be decoded.
 */
export const fromText = (text: string): FoundList => {
  const { counted, missing, ports, status } = JSON.parse(text) as {
    readonly missing: ReadonlyArray<unknown>
    readonly status: unknown
    readonly ports?: unknown
    readonly counted?: unknown
  }
  // The entries are checked without a schema, because a schema would be slow: a list may have 100,000 entries, and every instance decodes
  // it.
  if (!missing.every(isEntry)) throw new TypeError("an entry is not an address with a number")
  return {
    missing: new Map(missing),
    status: decodeStatus(status),
    ...(ports === undefined ? {} : { ports: new Map(decodePorts(ports)) }),
    ...(counted === undefined ? {} : { counted: decodeCounted(counted) })
  }
}
