/** Formats the status of a fleet: a table of its instances, and sentences about problems. */
import type { Api } from "@sourcewire/monitor"
import type { Health } from "./askStatus.ts"
import { type Palette, safe } from "../output/text.ts"
import type { Canvas } from "../output/output.ts"
import { type Cell, type Column, left, right, table } from "../output/table.ts"
import { counted, plural, some } from "../view/quantities.ts"

export type Fleet = typeof Api.FleetStatus.Type
type Runner = typeof Api.Runner.Type

const UNITS = [
  [86_400, "d"],
  [3600, "h"],
  [60, "min"]
] as const

/** Formats a duration in the largest unit that fits, and omits smaller units. For example, 3 hours and 50 minutes become `3 h`. */
const length = (ms: number | undefined): string => {
  if (ms === undefined) return "–"
  const seconds = ms / 1000
  const unit = UNITS.find(([size]) => seconds >= size)
  if (unit === undefined) return `${seconds < 10 ? seconds.toFixed(1) : Math.floor(seconds)} s`
  return `${Math.floor(seconds / unit[0])} ${unit[1]}`
}

const number = (count: number | undefined): string => (count === undefined ? "–" : counted(count))

const condition = ({ alive, report, silentMs }: Runner, { bad, faint, good }: Palette): Cell => {
  if (!alive) return { text: silentMs === undefined ? "no report" : `gone for ${length(silentMs)}`, paint: bad }
  if (report?.storeTrouble !== undefined) return { text: "cannot write", paint: bad }
  if ((report?.unqueried ?? 0) > 0) return { text: "does not query", paint: bad }
  return { text: `up ${length(report?.upMs)}`, paint: report === undefined ? faint : good }
}

const COLUMNS: ReadonlyArray<Column<Runner>> = [
  left("instance", ({ name, self }, { strong }) => (self ? { text: safe(name), paint: strong } : safe(name)), {
    flexible: true
  }),
  left("location", ({ report }) => safe(report?.location ?? "–")),
  left("version", ({ report }) => safe(report?.version ?? "–")),
  right("slices", ({ slices }) => String(slices)),
  right("servers", ({ report }) => number(report?.targets)),
  right("per second", ({ report }) => number(report?.perSecond)),
  right("age 50 %", ({ report }) => length(report?.ages?.p50Ms)),
  right("99 %", ({ report }) => length(report?.ages?.p99Ms)),
  right("late", ({ report }) => length(report?.lagMs)),
  right("wrote", ({ report, silentMs = 0 }) =>
    length(report?.wroteMs === undefined ? undefined : report.wroteMs + silentMs)
  ),
  left("", condition)
]

export const listTroubles = ({ orphaned, runners, trouble }: Fleet): ReadonlyArray<string> => [
  ...some(
    trouble !== undefined && `The state of other instances is unknown: ${safe(trouble)}`,
    orphaned > 0 && `${plural(orphaned, "slice belongs", "slices belong")} to instances that are gone.`
  ),
  ...runners.flatMap(({ name, report: { lost = 0, storeTrouble, unqueried = 0 } = {} }) =>
    some(
      unqueried > 0 &&
        `${safe(name)} has locked ${plural(unqueried, "slice")} and does not query ${unqueried === 1 ? "its" : "their"} servers; see its log.`,
      storeTrouble !== undefined && `${safe(name)} cannot write: ${safe(storeTrouble)}`,
      lost > 0 && `${safe(name)} lost ${plural(lost, "record", "records")} of history.`
    )
  )
]

/**
 * Whether an instance is healthy, which means that it queries all slices that it has locked. An instance that cannot write to its store is
 * still healthy, because a restart would not solve this problem. A restart would even lose the data that the instance has not yet written.
 */
export const isHealthy = ({ unqueriedSlices = 0 }: Health): boolean => unqueriedSlices === 0

/** Formats the problems that an instance reports about itself as sentences. */
export const listOwnTroubles = ({ store, unqueriedSlices = 0 }: Health): ReadonlyArray<string> =>
  some(
    unqueriedSlices > 0 &&
      `${plural(unqueriedSlices, "locked slice is", "locked slices are")} not queried; see the monitor's log.`,
    store !== undefined && `The store cannot be written: ${safe(store)}`
  )

export const healthLine = ({ targets, waiting }: Health): string =>
  `${plural(targets, "server")}, ${counted(waiting)} waiting to be queried`

/** Whether an instance is running, can write to its store, and queries the slices that it has locked. */
export const isRunnerWell = ({ alive, report }: Runner): boolean =>
  alive && report?.storeTrouble === undefined && (report?.unqueried ?? 0) === 0

export const isWell = ({ orphaned, runners, trouble }: Fleet): boolean =>
  trouble === undefined && orphaned === 0 && runners.every(isRunnerWell)

export const formatSummary = ({ runners, shared, slices }: Fleet): string => {
  const alive = runners.filter((runner) => runner.alive)
  const sum = (of: (runner: Runner) => number): number => alive.reduce((all, runner) => all + of(runner), 0)
  const rate = Math.round(sum(({ report }) => report?.perSecond ?? 0))
  const machines = shared ? `${alive.length} of ${plural(runners.length, "instance")}` : "one instance"
  const targets = sum(({ report }) => report?.targets ?? 0)
  return `${machines}, ${plural(targets, "server")}, ${counted(rate)} queries per second, ${slices} slices`
}

/** Returns the columns of the table of instances. The table has the column `location` only if at least one instance reports a location. */
export const columnsFor = ({ runners }: Fleet): ReadonlyArray<Column<Runner>> => {
  const hasLocations = runners.some(({ report }) => report?.location !== undefined)
  return COLUMNS.filter(({ title }) => hasLocations || title !== "location")
}

export const statusLines = (fleet: Fleet, canvas: Canvas): ReadonlyArray<string> =>
  table(columnsFor(fleet), fleet.runners, canvas)
