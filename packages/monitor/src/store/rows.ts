/** Rows of the store's tables, and what they mean. Postgres gives large numbers as bigints. */
import { summary } from "@sourcewire/games"
import { toHex } from "@sourcewire/protocol"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { HOUR_MS, HourSamples } from "../history/HourSamples.ts"
import { FIELDS, type Totals } from "../history/packedBucket.ts"
import type { Answer, Known, State, Trouble } from "../watch/Watched.ts"
import { unknown } from "../watch/Watched.ts"
import type { Change, StoredHour } from "./Store.ts"
import type { ChangedField } from "../watch/observe.ts"

/** A row as a driver gives it. */
export type Row = Readonly<Record<string, unknown>>

/** Bytes as a database takes them. */
export type BytesOf = (bytes: Uint8Array) => Uint8Array | string

/** For SQLite: as they are. */
export const plainBytes: BytesOf = (bytes) => bytes

/** For Postgres' JSON: as it writes them itself. */
export const hexBytes: BytesOf = (bytes) => `\\x${toHex(bytes)}`

const optional = (value: unknown): number | undefined =>
  value === null || value === undefined ? undefined : Number(value)

/** As `latest` has it, without the answer. */
export const rowOfKnown = (target: number, known: Known, bytesOf: BytesOf) => ({
  target,
  state: known.state,
  state_at: known.stateAt,
  failures: known.failures,
  asked_at: known.askedAt ?? null,
  answered_at: known.last?.at ?? null,
  rtt: known.last === undefined ? null : Math.round(known.last.rttMs * 1000),
  rtt_ambiguous: known.last?.rttAmbiguous === true ? 1 : 0,
  trouble: known.trouble === undefined ? null : JSON.stringify(known.trouble),
  hour: known.hour === undefined ? null : known.hour.hour / HOUR_MS,
  samples: known.hour === undefined ? null : bytesOf(known.hour.pack())
})

/** The answer, as `latest` has it. */
export const answerColumn = ({ last }: Known) => ({ answer: last === undefined ? null : JSON.stringify(last.answer) })

/** What a row of `latest`, perhaps one that was joined and is not there, says of a target. */
export const knownOf = (address: string, row: Row): Known => {
  if (row["state"] === null || row["state"] === undefined) return unknown()
  const hour = optional(row["hour"])
  const answer = typeof row["answer"] === "string" ? (JSON.parse(row["answer"]) as Answer) : undefined
  return {
    state: row["state"] as State,
    stateAt: Number(row["state_at"]),
    failures: Number(row["failures"]),
    askedAt: optional(row["asked_at"]),
    last:
      answer === undefined
        ? undefined
        : {
            at: Number(row["answered_at"]),
            rttMs: Number(row["rtt"]) / 1000,
            rttAmbiguous: Number(row["rtt_ambiguous"]) === 1,
            answer,
            summary: summary(address, answer)
          },
    trouble: typeof row["trouble"] === "string" ? (JSON.parse(row["trouble"]) as Trouble) : undefined,
    hour: hour === undefined ? undefined : HourSamples.unpack(hour * HOUR_MS, row["samples"] as Uint8Array)
  }
}

/** A null character, which Postgres takes in no text. */
const NULLS = /\0/g

/** As `change` has it. */
export const rowOfChange = ({ at, field, from, id, target, to }: Change) => ({
  id,
  target,
  at,
  field,
  was: from.replace(NULLS, ""),
  became: to.replace(NULLS, "")
})

/** What a row of `change` says. */
export const changeOf = ({ at, became, field, id, target, was }: Row): Change => ({
  id: Number(id),
  target: Number(target),
  at: Number(at),
  field: field as ChangedField,
  from: was as string,
  to: became as string
})

/** `playersMin` is `players_min` in the database. */
const columnOf = (field: string): string => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
const COLUMNS = FIELDS.map((field) => [field, columnOf(field)] as const)

/** As `sample` has it. */
export const rowOfHour = (target: number, samples: HourSamples, bytesOf: BytesOf) => {
  const total = samples.total()
  return {
    target,
    hour: samples.hour / HOUR_MS,
    ...Object.fromEntries(COLUMNS.map(([field, column]) => [column, total[field]])),
    fine: bytesOf(samples.pack())
  }
}

/** The hours of a target, from one time to another, of those rows of a table that `which` names. */
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

/** What a row of `sample` says. */
export const hourOfRow = (row: Row): StoredHour => {
  const hour = Number(row["hour"]) * HOUR_MS
  return {
    hour,
    total: Object.fromEntries(COLUMNS.map(([field, column]) => [field, Number(row[column])])) as Totals,
    fine: row["fine"] instanceof Uint8Array ? HourSamples.unpack(hour, row["fine"]) : undefined
  }
}
