/**
 * What the thread that was asked for a scan and those that do it say to each other, and how results become plain data and results
 * again: a structured clone keeps fields, but no class.
 *
 * @module
 */
import type { Encoding } from "@sourcewire/protocol"
import { ChecksumMismatch, LimitExceeded, Malformed, revive } from "@sourcewire/protocol"
import { InvalidAddress } from "../../Address.ts"
import type { IpRange } from "../../IpRanges.ts"
import * as QueryErrors from "../../QueryError.ts"
import type { ScanProgress } from "../../ScanProgress.ts"
import type { Answered, Failed, ScanQuery, ScanResult } from "../../ScanResult.ts"
import { Excluded } from "../../ScanResult.ts"

/** Targets that a thread may be sent before it has begun with them. */
export const TARGETS_AHEAD = 512
/** Targets in a message. */
export const FULL_MESSAGE = 128
/** Results that a thread may send before it hears that they were taken; what is above waits in its own scan, which stops. */
export const RESULTS_AHEAD = 512

/** What was given otherwise than as a numeric IPv4 text keeps its original here and goes by number; its host is numeric. */
export interface NumberedTarget {
  readonly id: number
  readonly host: string
  readonly port: number
}

/** A target on its way to a thread. */
export type SentTarget = string | NumberedTarget

/** Whatever of a scan's options a thread gets: its share of what is divided. */
export interface ThreadOptions {
  readonly timeoutMs: number
  readonly retries: number
  readonly encoding: Encoding
  readonly concurrency: number
  readonly rate: number | undefined
  readonly perHost: number
  readonly perNetwork: number
  readonly exclude: ReadonlyArray<IpRange>
  readonly sockets: number | undefined
}

/** To a thread. */
export type Order =
  | { readonly _tag: "Begin"; readonly query: ScanQuery; readonly options: ThreadOptions }
  | { readonly _tag: "Targets"; readonly targets: ReadonlyArray<SentTarget> }
  /** There are no more. */
  | { readonly _tag: "End" }
  /** So many results have reached the reader. */
  | { readonly _tag: "Taken"; readonly count: number }
  /** End in good order: give what is there. */
  | { readonly _tag: "Stop" }

const COUNTED = [
  "duplicates",
  "inFlight",
  "parked",
  "window",
  "sent",
  "received",
  "unsolicited",
  "resent",
  "dropped"
] as const

/** The numbers of a scan's progress that only those know who do it. */
export type Counts = Readonly<Record<(typeof COUNTED)[number], number>>

/** From a thread. */
export type Report =
  | {
      readonly _tag: "Progress"
      /** Targets begun since the last report. */
      readonly read: number
      /** As they were sent: text or number. */
      readonly duplicates: ReadonlyArray<string | number>
      /** Plain; see {@link unpack}. */
      readonly results: ReadonlyArray<unknown>
      readonly counts: Counts
      /** There will be no other. */
      readonly isLast: boolean
    }
  | { readonly _tag: "Broken"; readonly message: string }

/** A thread's numbers, to be sent. */
export const countsOf = (progress: ScanProgress): Counts =>
  Object.fromEntries(COUNTED.map((name) => [name, progress[name]])) as Counts

/** The numbers of all threads together. */
export const addUp = (all: Iterable<Counts>, into: ScanProgress): void => {
  for (const name of COUNTED) into[name] = 0
  for (const counts of all) for (const name of COUNTED) into[name] += counts[name]
}

type AnyResult = ScanResult<ScanQuery>
type Failure = Failed["error"]
type PartErrors = NonNullable<Answered<"all">["errors"]>

const FAILURES = {
  ...QueryErrors,
  ChecksumMismatch,
  Excluded,
  InvalidAddress,
  LimitExceeded,
  Malformed
} satisfies Record<Failure["_tag"], new (...args: ReadonlyArray<never>) => unknown>

/** An error as plain fields: a clone would keep its message alone. */
const fieldsOf = (error: Failure): object => Object.assign({ message: error.message }, error)

const failureOf = (fields: Failure): Failure =>
  new (FAILURES[fields._tag] as unknown as new (fields: object) => Failure)(fields)

const mapErrors = <B>(errors: PartErrors, map: (error: Failure) => B): Record<string, B> =>
  Object.fromEntries(Object.entries(errors).map(([part, error]) => [part, map(error)]))

/** Makes a result fit to be sent; its target becomes what it was sent as. */
export const pack = (result: AnyResult, target: string | number): object => {
  if (result._tag === "Failed") return { ...result, target, error: fieldsOf(result.error) }
  const errors = (result as Answered<"all">).errors
  return errors === undefined ? { ...result, target } : { ...result, target, errors: mapErrors(errors, fieldsOf) }
}

/** Makes a result again of what {@link pack} made; `given` finds a target by what it was sent as. */
export const unpack = (packed: unknown, given: (target: string | number) => AnyResult["target"]): AnyResult => {
  // It is a copy that nobody else has.
  const result = packed as { -readonly [K in keyof Answered<"all">]: Answered<"all">[K] } | Failed
  const target = given(result.target as string | number)
  if (result._tag === "Failed") return { ...result, target, error: failureOf(result.error) }
  result.target = target
  // Absent where only PLAYER or RULES were asked.
  if (result.info !== undefined) result.info = revive(result.info)
  if (result.errors !== undefined) result.errors = mapErrors(result.errors, failureOf) as PartErrors
  return result
}
