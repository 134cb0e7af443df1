/** What the API shows of targets, changes and samples. */
import { displayText } from "@sourcewire/core/text"
import { BUCKET_MS, HOUR_MS, hourOf, type HourSamples } from "../history/HourSamples.ts"
import type { Totals } from "../history/packedBucket.ts"
import type { Change, StoredHour } from "../store/Store.ts"
import type { Known, LastAnswer, Watched } from "../watch/Watched.ts"
import type { ChangeRow, Sample, TargetRow } from "./Api.ts"

/** What came of the turns of a target, here or in a location. */
export const turnsOf = ({ askedAt, failures, last, state, stateAt, trouble }: Known) => ({
  state,
  ...(stateAt === 0 ? {} : { stateAt }),
  failures,
  ...(askedAt === undefined ? {} : { askedAt }),
  ...(trouble === undefined ? {} : { error: { _tag: trouble._tag, message: displayText(trouble.message) } }),
  ...(last === undefined ? {} : { answeredAt: last.at, rttMs: last.rttMs })
})

/** A target at a glance. */
export const rowOf = ({ address, group, id, known }: Watched): TargetRow => ({
  id,
  address,
  group: group.name,
  labels: group.labels,
  ...turnsOf(known),
  ...(known.last === undefined ? {} : shownOf(known.last))
})

const shownOf = ({ answer: { info }, summary }: LastAnswer) => ({
  name: displayText(summary.name),
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

/** A change; with address and name of its target while that is watched. */
export const changeRowOf = ({ at, field, from, id, target, to }: Change, watched: Watched | undefined): ChangeRow => ({
  id,
  target,
  ...(watched === undefined ? {} : { address: watched.address }),
  ...(watched?.known.last === undefined ? {} : { name: displayText(watched.known.last.summary.name) }),
  at,
  field,
  from: displayText(from),
  to: displayText(to)
})

/** Sums as means. */
const sampleOf = (at: number, totals: Totals): Sample => {
  const { answered, asked, botsSum, playersMax, playersMin, playersSum, rttCount, rttMax, rttMin, rttSum } = totals
  return {
    at,
    asked,
    answered,
    ...(answered === 0
      ? {}
      : { players: { min: playersMin, mean: playersSum / answered, max: playersMax }, bots: botsSum / answered }),
    ...(rttCount === 0 ? {} : { rttMs: { min: rttMin / 1000, mean: rttSum / rttCount / 1000, max: rttMax / 1000 } })
  }
}

/** Every step in which something was asked. */
const bucketsOf = (samples: HourSamples): ReadonlyArray<Sample> =>
  Array.from({ length: HOUR_MS / BUCKET_MS }, (_, index) => {
    const totals = samples.bucket(index)
    return totals === undefined ? [] : [sampleOf(samples.hour + index * BUCKET_MS, totals)]
  }).flat()

/** Steps of stored hours, and of the one that is not over. */
export const samplesOf = (
  hours: ReadonlyArray<StoredHour>,
  current: HourSamples | undefined,
  stepMs: number
): ReadonlyArray<Sample> => {
  const all = hours.filter(({ hour }) => hour !== current?.hour)
  if (current !== undefined) all.push({ hour: current.hour, total: current.total(), fine: current })
  return stepMs === HOUR_MS
    ? all.map(({ hour, total }) => sampleOf(hour, total))
    : all.flatMap(({ fine }) => (fine === undefined ? [] : bucketsOf(fine)))
}

const HOURS_OF_DAY = 24

/** Players of the last day, hour by hour, from the hours that are over and the one under way. */
export const dayOf = (
  hours: ReadonlyArray<StoredHour>,
  { known }: Watched,
  nowMs: number
): ReadonlyArray<number | null> => {
  const first = hourOf(nowMs) - (HOURS_OF_DAY - 1) * HOUR_MS
  const day = Array.from({ length: HOURS_OF_DAY }, (): number | null => null)
  for (const { at, players } of samplesOf(hours, known.hour, HOUR_MS)) {
    const index = (at - first) / HOUR_MS
    if (index in day && players !== undefined) day[index] = Number(players.mean.toFixed(1))
  }
  return day
}
