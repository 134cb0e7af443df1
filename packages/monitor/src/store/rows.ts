/**
 * Encodes and decodes rows of the store's tables. The Postgres driver returns 64-bit integers as `bigint`, so each number is converted with
 * `Number`.
 */
import { toHex } from "@sourcewire/protocol"
import type { Strength } from "@sourcewire/verdict"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { HOUR_MS, HourSamples } from "../history/HourSamples.ts"
import { FIELDS, type Totals } from "../history/packedBucket.ts"
import { makeSummary } from "../watch/candidates.ts"
import type { Answer, Known, LastAnswer, State, ErrorSummary } from "../watch/Watched.ts"
import { unknown } from "../watch/Watched.ts"
import type { UnreadableRows } from "./UnreadableRows.ts"
import type { StoredFinding } from "./findings.ts"
import type { Batch, Change, StoredHour, StoredIncident } from "./Store.ts"
import { TIMED_STATES, noTime, type StateTime } from "../history/StateTime.ts"
import type { Incident } from "../watch/incidents.ts"
import type { Mute } from "../watch/Mutes.ts"
import type { ChangedField } from "../watch/observe.ts"

/** A row as the database driver returns it. */
export type Row = Readonly<Record<string, unknown>>

/** The type of functions that convert bytes to the form that the database accepts in a statement. */
export type BytesOf = (bytes: Uint8Array) => Uint8Array | string

/** Returns bytes unchanged, because SQLite accepts them. */
export const plainBytes: BytesOf = (bytes) => bytes

/** Converts bytes to Postgres' hexadecimal notation, for values in JSON. */
export const hexBytes: BytesOf = (bytes) => `\\x${toHex(bytes)}`

const optional = (value: unknown): number | undefined =>
  value === null || value === undefined ? undefined : Number(value)

/** Encodes the state of a target as a row of `latest`, without the column `answer`. */
export const encodeKnownRow = (target: number, known: Known, bytesOf: BytesOf) => ({
  target,
  state: known.state,
  state_at: known.stateAt,
  failures: known.failures,
  failing_at: known.failingAt ?? null,
  asked_at: known.queriedAt ?? null,
  answered_at: known.last?.at ?? null,
  rtt: known.last === undefined ? null : Math.round(known.last.rttMs * 1000),
  rtt_ambiguous: known.last?.rttAmbiguous === true ? 1 : 0,
  trouble: known.lastError === undefined ? null : JSON.stringify(known.lastError),
  hour: known.hour === undefined ? null : known.hour.hour / HOUR_MS,
  samples: known.hour === undefined ? null : bytesOf(known.hour.pack())
})

/** Encodes the last reply of a target as the column `answer` of `latest`. */
export const answerColumn = ({ last }: Known) => ({ answer: last === undefined ? null : JSON.stringify(last.answer) })

/**
 * The time of the first failure of a target since its last reply. Programs of earlier releases do not update the column `failing_at`, so
 * the stored time can be outdated. If the stored time is earlier than the last reply of the target or later than its last query, the stored
 * time is ignored.
 */
const decodeFailingAt = (row: Row): number | undefined => {
  const failingAt = optional(row["failing_at"])
  if (failingAt === undefined || Number(row["failures"]) === 0) return undefined
  const isOld = failingAt < (optional(row["answered_at"]) ?? 0) || failingAt > (optional(row["asked_at"]) ?? 0)
  return isOld ? undefined : failingAt
}

const STATES: ReadonlySet<unknown> = new Set(["unknown", "up", "down"] satisfies ReadonlyArray<State>)

const decodeState = (value: unknown): State => {
  if (STATES.has(value)) return value as State
  throw new TypeError(`unknown state ${JSON.stringify(value)}`)
}

const lastAnswerIn = (address: string, row: Row): LastAnswer | undefined => {
  if (typeof row["answer"] !== "string") return undefined
  const answer = JSON.parse(row["answer"]) as Answer
  return {
    at: Number(row["answered_at"]),
    rttMs: Number(row["rtt"]) / 1000,
    rttAmbiguous: Number(row["rtt_ambiguous"]) === 1,
    answer,
    summary: makeSummary(address, answer)
  }
}

const parseError = ({ trouble }: Row): ErrorSummary | undefined => {
  if (typeof trouble !== "string") return undefined
  const { _tag, message } = JSON.parse(trouble) as ErrorSummary
  return { _tag: String(_tag), message: String(message) }
}

const hourIn = (row: Row): HourSamples | undefined => {
  const hour = optional(row["hour"])
  return hour === undefined ? undefined : HourSamples.unpack(hour * HOUR_MS, row["samples"] as Uint8Array)
}

/**
 * Decodes the state of a target from a row of `latest`. If a join found no row of the target, the columns are `null`, and the state is
 * unknown. If a value is damaged, or only a newer program can decode it, the value is ignored. The next check of the target replaces the
 * value.
 */
export const decodeKnown = (address: string, row: Row, unreadable: UnreadableRows, table = "latest"): Known => {
  if (row["state"] === null || row["state"] === undefined) return unknown()
  const state = unreadable.guard(table, () => decodeState(row["state"]), undefined)
  if (state === undefined) return unknown()
  const part = <A>(read: () => A): A | undefined => unreadable.guard(table, read, undefined)
  return {
    state,
    stateAt: Number(row["state_at"]),
    failures: Number(row["failures"]),
    failingAt: decodeFailingAt(row),
    queriedAt: optional(row["asked_at"]),
    last: part(() => lastAnswerIn(address, row)),
    lastError: part(() => parseError(row)),
    hour: part(() => hourIn(row)),
    earlier: undefined
  }
}

/** Decodes the numbers of the targets in a row of `under_way`. */
export const targetsInFlight = ({ targets }: Row): ReadonlyArray<number> => {
  const numbers = JSON.parse(targets as string) as ReadonlyArray<number>
  if (!Array.isArray(numbers) || !numbers.every(Number.isInteger)) throw new TypeError("it is not a list of numbers")
  return numbers
}

/** The null character, which Postgres does not accept in text. */
const NULLS = /\0/g

export const changeToRow = ({ at, field, from, id, target, to }: Change) => ({
  id,
  target,
  at,
  field,
  was: from.replace(NULLS, ""),
  became: to.replace(NULLS, "")
})

/**
 * Decodes a row of `change`. If a newer program has written the row, `field` may be unknown to this program. Readers skip changes of
 * unknown fields.
 */
export const decodeChange = ({ at, became, field, id, target, was }: Row): Change => {
  for (const text of [field, was, became]) {
    if (typeof text !== "string") throw new TypeError(`change ${String(id)} lacks a text`)
  }
  return {
    id: Number(id),
    target: Number(target),
    at: Number(at),
    field: field as ChangedField,
    from: was as string,
    to: became as string
  }
}

/** Converts the name of a field to the name of its column, for example `playersMin` to `players_min`. */
const columnName = (field: string): string => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
const COLUMNS = FIELDS.map((field) => [field, columnName(field)] as const)

const timeColumns = ({ down, muted, up }: StateTime) => ({ up_ms: up, down_ms: down, muted_ms: muted })

/** Decodes the time in each state from a row of `sample`, or from a sum of such rows. */
export const rowToTime = (row: Row): StateTime =>
  Object.assign(noTime(), Object.fromEntries(TIMED_STATES.map((state) => [state, Number(row[`${state}_ms`])])))

/** Encodes the samples of one hour as a row of `sample`. */
export const encodeHourRow = (target: number, samples: HourSamples, bytesOf: BytesOf) => {
  const total = samples.total()
  return {
    target,
    hour: samples.hour / HOUR_MS,
    ...Object.fromEntries(COLUMNS.map(([field, column]) => [column, total[field]])),
    ...timeColumns(samples.totalTime()),
    fine: bytesOf(samples.pack())
  }
}

/**
 * Selects the hours of a target, from the hour that contains `fromMs` to the hour that contains `toMs`, both included. The rows must also
 * meet the condition `which`.
 */
export const hoursFrom = (
  sql: SqlClient,
  table: string,
  target: number,
  fromMs: number,
  toMs: number,
  which: Fragment
) =>
  sql<Row>`select * from ${sql(table)} where target = ${target} and ${which}
    and hour >= ${Math.floor(fromMs / HOUR_MS)} and hour <= ${Math.floor(toMs / HOUR_MS)} order by hour`

/** Decodes a row of `sample`. */
export const rowToHour = (row: Row): StoredHour => {
  const hour = Number(row["hour"]) * HOUR_MS
  return {
    hour,
    total: Object.fromEntries(COLUMNS.map(([field, column]) => [field, Number(row[column])])) as Totals,
    time: rowToTime(row),
    fine: row["fine"] instanceof Uint8Array ? HourSamples.unpack(hour, row["fine"]) : undefined
  }
}

export const incidentToRow = (incident: Batch["incidents"][number]) => ({
  target: incident.target,
  from_at: incident.from,
  noticed_at: incident.noticedAt,
  to_at: incident.to ?? null,
  players: incident.players ?? null,
  muted: incident.isMuted ? 1 : 0,
  reason: incident.reason,
  message: incident.message.replace(NULLS, ""),
  map: incident.map?.replace(NULLS, "") ?? null,
  locations: incident.locations === undefined ? null : JSON.stringify(incident.locations)
})

/** Decodes a row of `incident` that is joined with the row of its target. */
export const decodeIncident = (row: Row): StoredIncident => {
  const [to, players] = [optional(row["to_at"]), optional(row["players"])]
  return {
    target: Number(row["target"]),
    address: row["address"] as string,
    group: row["group"] as string,
    isWatched: Number(row["watched"]) === 1,
    from: Number(row["from_at"]),
    noticedAt: Number(row["noticed_at"]),
    ...(to === undefined ? {} : { to }),
    reason: row["reason"] as string,
    message: row["message"] as string,
    ...(players === undefined ? {} : { players }),
    ...(typeof row["map"] === "string" ? { map: row["map"] } : {}),
    isMuted: Number(row["muted"]) === 1,
    ...(typeof row["locations"] === "string"
      ? { locations: JSON.parse(row["locations"]) as NonNullable<Incident["locations"]> }
      : {})
  }
}

export const decodeMute = (row: Row): Mute => ({
  id: Number(row["id"]),
  kind: row["kind"] as Mute["kind"],
  what: row["what"] as string,
  from: Number(row["from_at"]),
  until: optional(row["until_at"]),
  note: row["note"] as string
})

const STRENGTHS: ReadonlySet<unknown> = new Set(["strong", "medium", "weak"] satisfies ReadonlyArray<Strength>)

export const findingToRow = ({ from, kind, observed, seenAt, strength, target, to }: StoredFinding) => ({
  target,
  kind,
  from_at: from,
  seen_at: seenAt,
  to_at: to ?? null,
  strength,
  observed: observed.replace(NULLS, "")
})

/**
 * Decodes a row of `finding`. If a newer program has written the row, `kind` may be unknown to this program. Readers omit findings of
 * unknown kinds.
 */
export const decodeFinding = (row: Row): StoredFinding => {
  const to = optional(row["to_at"])
  if (!STRENGTHS.has(row["strength"])) throw new TypeError(`unknown strength ${JSON.stringify(row["strength"])}`)
  return {
    target: Number(row["target"]),
    kind: row["kind"] as string,
    from: Number(row["from_at"]),
    seenAt: Number(row["seen_at"]),
    ...(to === undefined ? {} : { to }),
    strength: row["strength"] as Strength,
    observed: row["observed"] as string
  }
}
