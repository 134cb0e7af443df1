/** Converts targets, changes and samples to the rows of the API. */
import { type FindingKind, KINDS, type Strength } from "@sourcewire/verdict"
import { displayText, mergeRoster } from "@sourcewire/core/text"
import * as Schema from "effect/Schema"
import type { ConsoleReading } from "../consoles/Consoles.ts"
import { BUCKET_MS, HOUR_MS, startOfHour, type HourSamples } from "../history/HourSamples.ts"
import { nothing, type Totals } from "../history/packedBucket.ts"
import { computeAvailability, noTime, type StateTime } from "../history/StateTime.ts"
import { PERIODS, type Uptime as UptimeOfPeriod, type Uptimes as UptimesOfTarget } from "../history/uptime.ts"
import type { StoredFinding } from "../store/findings.ts"
import type { Change, StoredHour, StoredIncident } from "../store/Store.ts"
import type { Mute, Muted } from "../watch/Mutes.ts"
import { type Answer, type Known, type LastAnswer, findName, unknown, type Watched } from "../watch/Watched.ts"
import {
  ChangedField,
  type ChangeRow,
  type ConsoleDetail,
  type ConsolePlayer,
  type FindingRow,
  type IncidentRow,
  type MuteRow,
  type Sample,
  type TargetRow,
  type Uptime,
  type Uptimes
} from "./Api.ts"

/** Converts the overall state of a target, or its state at one location, to the fields that the API returns. */
export const toQueryState = ({ queriedAt, failures, last, state, stateAt, lastError }: Known) => ({
  state,
  ...(stateAt === 0 ? {} : { stateAt }),
  failures,
  ...(queriedAt === undefined ? {} : { askedAt: queriedAt }),
  ...(lastError === undefined ? {} : { error: { _tag: lastError._tag, message: displayText(lastError.message) } }),
  ...(last === undefined
    ? {}
    : { answeredAt: last.at, rttMs: last.rttMs, ...(last.rttAmbiguous ? { rttAmbiguous: true as const } : {}) })
})

const toMuted = ({ note, ...muted }: Muted): NonNullable<TargetRow["muted"]> => ({
  ...muted,
  ...(note === undefined ? {} : { note: displayText(note) })
})

/** Converts a target to a row of the list. */
export const toTargetRow = (
  { address, group, id, known }: Watched,
  muted: Muted | undefined,
  findings?: TargetRow["findings"]
): TargetRow => ({
  id,
  address,
  group: group.name,
  labels: group.labels,
  ...toQueryState(known),
  ...(muted === undefined ? {} : { muted: toMuted(muted) }),
  ...(known.last === undefined ? {} : toServerInfo(known.last)),
  ...shownName(findName({ address, group, known })),
  ...(findings === undefined ? {} : { findings })
})

const shownName = (name: string | undefined): { readonly name?: string } =>
  name === undefined ? {} : { name: displayText(name) }

const toServerInfo = ({ answer: { info }, summary }: LastAnswer) => ({
  map: displayText(summary.map),
  game: displayText(summary.game),
  ...(summary.gameId === null ? {} : { gameId: summary.gameId }),
  folder: displayText(info.folder),
  ...(summary.mode === null ? {} : { mode: displayText(summary.mode) }),
  ...(summary.version === null ? {} : { version: displayText(summary.version) }),
  ...(summary.queue === null ? {} : { queue: summary.queue }),
  players: summary.players,
  humans: summary.humans,
  bots: summary.bots,
  maxPlayers: summary.maxPlayers,
  password: summary.password,
  secure: summary.secure,
  connect: summary.connect
})

/**
 * Whether the API knows the changed field. During an upgrade, a newer program may write changes of fields that this program does not know.
 */
const isKnownField = Schema.is(ChangedField)
export const isKnown = ({ field }: Change): boolean => isKnownField(field)

/** Converts a change to a row of the API. If the target is no longer monitored, the row contains neither its address nor its name. */
export const toChangeRow = ({ at, field, from, id, target, to }: Change, watched: Watched | undefined): ChangeRow => ({
  id,
  target,
  ...(watched === undefined ? {} : { address: watched.address }),
  ...(watched === undefined ? {} : shownName(findName(watched))),
  at,
  field,
  from: displayText(from),
  to: displayText(to)
})

const isKind = (kind: string): kind is FindingKind => Object.hasOwn(KINDS, kind)

/**
 * Converts findings to rows of the API. Each row contains the texts about the kind of the finding. During an upgrade, the store may contain
 * kinds that only a newer program knows. Findings of such kinds are omitted.
 */
export const toFindingRows = (findings: ReadonlyArray<StoredFinding>): ReadonlyArray<FindingRow> =>
  findings.flatMap(({ from, kind, observed, seenAt, strength, to }) =>
    isKind(kind)
      ? [
          {
            kind,
            strength,
            observed: displayText(observed),
            ...KINDS[kind],
            from,
            seenAt,
            ...(to === undefined ? {} : { to })
          }
        ]
      : []
  )

const STRENGTHS: ReadonlyArray<Strength> = ["strong", "medium", "weak"]

/** Sorts findings, the strongest first. */
export const byStrength = (findings: ReadonlyArray<FindingRow>): ReadonlyArray<FindingRow> =>
  findings.toSorted((a, b) => STRENGTHS.indexOf(a.strength) - STRENGTHS.indexOf(b.strength))

const CONSOLE_VALUES = ["name", "isBot", "steamId", "ping", "score", "connectedSeconds"] as const

/** Returns a copy of `from` that contains only the properties `keys`. Properties whose value is `undefined` are omitted. */
const picked = <A extends object>(from: A, keys: ReadonlyArray<keyof A>): Partial<A> =>
  Object.fromEntries(keys.flatMap((key) => (from[key] === undefined ? [] : [[key, from[key]]]))) as Partial<A>

/** Merges two lists of the players on a server: the list from the server's console, and the list in the server's last reply. */
export const toConsoleDetail = (reading: ConsoleReading, players: Answer["players"]): ConsoleDetail => {
  if ("error" in reading) {
    const { _tag, message } = reading.error
    return { readAt: reading.at, error: { _tag, message: displayText(message) } }
  }
  const roster = mergeRoster(players, { players: reading.players, fields: {}, unread: [] })
  const rows = roster.map(
    (one) => ({ ...picked(one, CONSOLE_VALUES), sources: picked(one.sources, CONSOLE_VALUES) }) as ConsolePlayer
  )
  return { readAt: reading.at, players: rows, unread: reading.unread }
}

/** Returns the strongest finding and the number of all findings, or `undefined` if there are no findings. */
export const findStrongest = (findings: ReadonlyArray<StoredFinding>): TargetRow["findings"] => {
  const [strongest, ...others] = byStrength(toFindingRows(findings))
  return strongest && { kind: strongest.kind, strength: strongest.strength, count: 1 + others.length }
}

export const toTimes = ({ down, muted, up }: Readonly<StateTime>) => ({ upMs: up, downMs: down, mutedMs: muted })

export const toUptime = ({ from, to, ...time }: UptimeOfPeriod): Uptime => {
  const share = computeAvailability(time)
  return { from, to, ...toTimes(time), ...(share === undefined ? {} : { share }) }
}

export const toUptimes = (uptimes: UptimesOfTarget): Uptimes =>
  Object.fromEntries(PERIODS.map((period) => [period, toUptime(uptimes[period])])) as Uptimes

/**
 * Converts an incident to a row of the API. An incident is ongoing if the server is still monitored, and has been down since the start of
 * the incident.
 */
export const toIncidentRow = (
  {
    address,
    from,
    group,
    isMuted,
    isWatched,
    locations,
    map,
    message,
    noticedAt,
    players,
    reason,
    target,
    to
  }: StoredIncident,
  watched: Watched | undefined,
  nowMs: number
): IncidentRow => {
  const { state, stateAt } = watched?.known ?? unknown()
  const isOngoing = to === undefined && isWatched && state === "down" && stateAt === from
  // Earlier releases did not store the end of an incident. If the end is missing, the time of the server's last change of state is used.
  const end = to ?? (!isOngoing && state !== "unknown" && stateAt > from ? stateAt : undefined)
  return {
    target,
    address,
    group,
    ...(watched === undefined ? {} : shownName(findName(watched))),
    from,
    noticedAt,
    ...(end === undefined ? {} : { to: end }),
    isOngoing,
    ...(end !== undefined ? { durationMs: end - from } : isOngoing ? { durationMs: Math.max(0, nowMs - from) } : {}),
    reason,
    message: displayText(message),
    ...(players === undefined ? {} : { players }),
    ...(map === undefined ? {} : { map: displayText(map) }),
    isMuted,
    ...(locations === undefined ? {} : { locations })
  }
}

export const toMuteRow = ({ from, id, kind, note, until, what }: Mute): MuteRow => ({
  id,
  kind,
  what,
  from,
  ...(until === undefined ? {} : { until }),
  ...(note === "" ? {} : { note: displayText(note) })
})

const toSample = (at: number, totals: Totals, time: Readonly<StateTime> = noTime()): Sample => {
  const { answered, asked, botsSum, playersMax, playersMin, playersSum, rttCount, rttMax, rttMin, rttSum } = totals
  return {
    at,
    asked,
    answered,
    ...toTimes(time),
    ...(answered === 0
      ? {}
      : { players: { min: playersMin, mean: playersSum / answered, max: playersMax }, bots: botsSum / answered }),
    ...(rttCount === 0 ? {} : { rttMs: { min: rttMin / 1000, mean: rttSum / rttCount / 1000, max: rttMax / 1000 } })
  }
}

/** Returns a sample for each bucket of an hour. A bucket is omitted if it contains neither queries nor time in a state. */
const listBuckets = (samples: HourSamples): ReadonlyArray<Sample> =>
  Array.from({ length: HOUR_MS / BUCKET_MS }, (_, index) => {
    const [totals, time] = [samples.bucket(index), samples.timeOf(index)]
    if (totals === undefined && time === undefined) return []
    return [toSample(samples.hour + index * BUCKET_MS, totals ?? nothing(), time)]
  }).flat()

/** The samples of stored hours and of the current hour, in steps of `stepMs`. */
export const listSamples = (
  hours: ReadonlyArray<StoredHour>,
  current: HourSamples | undefined,
  stepMs: number
): ReadonlyArray<Sample> => {
  const all = hours.filter(({ hour }) => hour !== current?.hour)
  if (current !== undefined) {
    all.push({ hour: current.hour, total: current.total(), time: current.totalTime(), fine: current })
  }
  return stepMs === HOUR_MS
    ? all.map(({ hour, time, total }) => toSample(hour, total, time))
    : all.flatMap(({ fine }) => (fine === undefined ? [] : listBuckets(fine)))
}

const HOURS_OF_DAY = 24

/**
 * Computes the mean player count and the time in each state for each of the last 24 hours. The values come from the stored hours and the
 * current hour.
 */
export const summarizeDay = (hours: ReadonlyArray<StoredHour>, { known }: Watched, nowMs: number) => {
  const first = startOfHour(nowMs) - (HOURS_OF_DAY - 1) * HOUR_MS
  const players = Array.from({ length: HOURS_OF_DAY }, (): number | null => null)
  const times = Array.from({ length: HOURS_OF_DAY }, (): readonly [number, number, number] => [0, 0, 0])
  for (const sample of listSamples(hours, known.hour, HOUR_MS)) {
    const index = (sample.at - first) / HOUR_MS
    if (!(index in times)) continue
    times[index] = [sample.upMs, sample.downMs, sample.mutedMs]
    if (sample.players !== undefined) players[index] = Number(sample.players.mean.toFixed(1))
  }
  return { players, times }
}
