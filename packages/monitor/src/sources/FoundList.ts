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
}

/** How it went when a source was read. */
export type Reading =
  /** `partial` says why more may be missing than left the list. */
  | (Listed & { readonly _tag: "Listed"; readonly partial?: string | undefined })
  | { readonly _tag: "Unchanged" }
  | { readonly _tag: "Failed"; readonly message: string; readonly retryAfterMs?: number | undefined }

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

/** The list after a reading. A source that fails keeps what it gave last. */
export const afterReading = (
  { missing, status }: FoundList,
  reading: Reading,
  source: Pick<Source, "keep" | "max">,
  nowMs: number
): FoundList => {
  if (reading._tag === "Failed") {
    return { missing, status: { ...status, triedAt: nowMs, failures: status.failures + 1, trouble: reading.message } }
  }
  const before = new Set([...missing].flatMap(([address, lists]) => (lists === 0 ? [address] : [])))
  const { addresses, junk, partial } = reading._tag === "Listed" ? reading : { ...status, addresses: before }
  const next = followed(missing, addresses, partial !== undefined, source)
  const surplus = reading._tag === "Listed" ? next.surplus : status.surplus
  return {
    missing: next.missing,
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
export const toText = ({ missing, status }: FoundList): string => JSON.stringify({ missing: [...missing], status })

/** As it was stored. */
export const fromText = (text: string): FoundList => {
  const { missing, status } = JSON.parse(text) as {
    readonly missing: ReadonlyArray<readonly [string, number]>
    readonly status: SourceStatus
  }
  return { missing: new Map(missing), status }
}
