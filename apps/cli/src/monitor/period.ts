/** Parses the flags for the period of a report or an export. All times are in UTC. */
import * as Effect from "effect/Effect"
import { UsageError } from "../exitCode.ts"

/** The beginning (`from`) and the end (`to`) of a period, in ms since 1970. The time `to` is not part of the period. */
export interface Period {
  readonly from: number
  readonly to: number
}

const DATE = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d)?)?Z?$/

const parseTime = (flag: string, text: string): Effect.Effect<number, UsageError> => {
  // `Z` is added to a time without `Z`, because JavaScript reads a time without `Z` in the local time zone.
  const at = DATE.test(text) ? Date.parse(text.includes("T") && !text.endsWith("Z") ? `${text}Z` : text) : Number.NaN
  if (!Number.isNaN(at)) return Effect.succeed(at)
  return new UsageError(`${flag} ${JSON.stringify(text)} is not a date. Write it as in 2026-10-01 or 2026-10-01T12:00.`)
}

/**
 * Parses the two dates of a period. If the date `from` is absent, the period begins at `otherwise.from`. If the date `to` is absent, the
 * period ends at `otherwise.to`.
 */
export const parsePeriod = Effect.fnUntraced(function* (
  { from, to }: { readonly from: string | undefined; readonly to: string | undefined },
  otherwise: Period
) {
  const period = {
    from: from === undefined ? otherwise.from : yield* parseTime("--from", from),
    to: to === undefined ? otherwise.to : yield* parseTime("--to", to)
  }
  if (period.from < period.to) return period
  return yield* new UsageError("The period is empty: --from must be earlier than --to.")
})

/** Parses a month such as `2026-10`. If `month` is absent, the result is the last month that was complete at the time `nowMs`. */
export const parseMonth = Effect.fnUntraced(function* (month: string | undefined, nowMs: number) {
  const now = new Date(nowMs)
  const [, year, number] = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(month ?? "") ?? []
  if (month !== undefined && year === undefined) {
    return yield* new UsageError(`--month ${JSON.stringify(month)} is not a month. Write it as in 2026-10.`)
  }
  const [y, m] = year === undefined ? [now.getUTCFullYear(), now.getUTCMonth() - 1] : [Number(year), Number(number) - 1]
  return { from: Date.UTC(y, m, 1), to: Date.UTC(y, m + 1, 1) }
})
