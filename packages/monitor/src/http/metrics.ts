/**
 * Metrics of the servers and of the monitor itself, for Prometheus. The player counts of a server that is down are omitted, because its
 * last known counts are probably wrong. Only the `_info` series contain texts that servers choose.
 */
import { SLICES } from "../store/slices.ts"
import { measureAges } from "../watch/ages.ts"
import { inAll, type Monitor } from "../watch/Monitor.ts"
import type { Answer, Watched } from "../watch/Watched.ts"
import { labelValue } from "./labels.ts"

/** The names and values of labels, encoded as in a line of the metrics. */
type Labels = string

export const formatLabels = (labels: Readonly<Record<string, string>>): Labels =>
  Object.entries(labels)
    .map(([name, value]) => `${name}="${labelValue(value)}"`)
    .join(",")

/**
 * A metric: its name, its help text, a function that returns the value of the metric for a row, and a function that returns additional
 * labels. If a row has no value, the first function returns `undefined`.
 */
export type Metric<A> = readonly [
  name: string,
  help: string,
  value: (one: A) => number | undefined,
  more?: (one: A) => Labels
]

/** The labels of the `_info` series, cached by reply, because a server usually sends the same reply again. */
const infoLabels = new WeakMap<Answer, { readonly names: boolean; readonly labels: Labels }>()

/**
 * Encodes the labels of the `_info` series. If `names` is `true`, the labels include the name and the map of the server. Names and maps
 * change often, and Prometheus creates a time series for each new value.
 */
const formatInfoLabels =
  (names: boolean) =>
  ({ known }: Watched): Labels => {
    const { answer, summary } = known.last!
    const written = infoLabels.get(answer)
    if (written?.names === names) return written.labels
    const labels = formatLabels({
      ...(names ? { name: summary.name, map: summary.map } : {}),
      game: summary.gameId ?? answer.info.folder,
      version: summary.version ?? ""
    })
    infoLabels.set(answer, { names, labels })
    return labels
  }

/** The last reply of a server, or `undefined` if the server is down. */
const current = ({ known }: Watched) => (known.state === "down" ? undefined : known.last)

const roundTrip = (target: Watched): number | undefined => {
  const last = current(target)
  return last === undefined || last.rttAmbiguous ? undefined : last.rttMs / 1000
}

const isUp = ({ known }: Watched): number | undefined =>
  known.state === "unknown" ? undefined : Number(known.state === "up")

const serverWith = (names: boolean): ReadonlyArray<Metric<Watched>> => [
  ["up", "1 if the server is up, 0 if it is down (after downAfter failed queries in a row).", isUp],
  ["players", "Players on the server, including bots.", (target) => current(target)?.summary.players],
  ["bots", "Bots on the server.", (target) => current(target)?.summary.bots],
  ["max_players", "Player slots of the server.", (target) => current(target)?.summary.maxPlayers],
  ["round_trip_seconds", "Round-trip time of the last reply.", roundTrip],
  ["answered_timestamp_seconds", "Time of the last reply.", ({ known: { last } }) => last && last.at / 1000],
  [
    "info",
    "Facts that the server reports, as labels; always 1.",
    (target) => current(target) && 1,
    formatInfoLabels(names)
  ]
]
/** The metrics of servers: with the key `true`, the labels include the names and maps of the servers; with `false`, they do not. */
const SERVER = { true: serverWith(true), false: serverWith(false) }

/**
 * The labels of targets, cached by {@link Watched} object. The labels never become outdated: if a target moves to another group, a new
 * {@link Watched} object represents the target.
 */
const writtenLabels = new WeakMap<Watched, Labels>()

const targetLabels = (target: Watched): Labels => {
  const written = writtenLabels.get(target)
  if (written !== undefined) return written
  const { address, group } = target
  const labels = formatLabels({ target: address, group: group.name, ...group.labels })
  writtenLabels.set(target, labels)
  return labels
}

/**
 * Maximum number of lines in a portion. Other work waits while a portion is formatted. With this limit, the wait is only a few
 * milliseconds.
 */
const PORTION = 1000

/** Yields the lines of the given metrics for all rows, in portions. */
function* splitPortions<A>(
  prefix: string,
  metrics: ReadonlyArray<Metric<A>>,
  having: ReadonlyArray<A>,
  labelsFor: (one: A) => Labels
): Generator<string> {
  for (const [name, help, value, more] of metrics) {
    const full = `sourcewire_${prefix}_${name}`
    let text = formatHead(full, "gauge", help)
    for (const [index, one] of having.entries()) {
      if (index % PORTION === 0 && index > 0) {
        yield text
        text = ""
      }
      const found = value(one)
      if (found === undefined) continue
      text += `${full}{${labelsFor(one)}${more === undefined ? "" : `,${more(one)}`}} ${found}\n`
    }
    yield text
  }
}

/** Returns the lines of the given metrics as a single text. Use this function only for a small number of rows. */
export const formatLines = <A>(
  prefix: string,
  metrics: ReadonlyArray<Metric<A>>,
  having: ReadonlyArray<A>,
  labelsFor: (one: A) => Labels
): string => [...splitPortions(prefix, metrics, having, labelsFor)].join("")

/** Yields the lines of servers, in portions. If `names` is `true`, the lines include the names and maps of the servers. */
export const serverMetrics = (targets: ReadonlyArray<Watched>, names: boolean): Generator<string> =>
  splitPortions("server", SERVER[names ? "true" : "false"], targets, targetLabels)

/**
 * The lines of a probed server. The names of these metrics begin with `sourcewire_probe_`. If a name began with `sourcewire_server_`, a sum
 * in Prometheus could include a server twice: once from `/metrics`, and once from `/probe`.
 */
export const probeMetrics = (target: Watched): string => formatLines("probe", SERVER.true, [target], targetLabels)

const LOCATION: ReadonlyArray<Metric<Watched>> = [
  ["up", "1 if the server is up from this location, 0 if it is down (after downAfter failed queries in a row).", isUp],
  ["round_trip_seconds", "Round-trip time of the last reply to this location.", roundTrip]
]

/** Yields the lines with the results of this instance's location, in portions. */
export const locationMetrics = (location: string, targets: ReadonlyArray<Watched>): Generator<string> =>
  splitPortions("location", LOCATION, targets, (target) => `${targetLabels(target)},${formatLabels({ location })}`)

/** The value of a metric: one number, or several numbers with different labels. */
type Value = number | ReadonlyArray<readonly [labels: Labels, value: number]>

const formatHead = (name: string, type: "counter" | "gauge", help: string): string =>
  `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`

/** Formats the lines of one metric. */
export const metric = (name: string, type: "counter" | "gauge", help: string, value: Value): string =>
  `${formatHead(name, type, help)}${(typeof value === "number" ? [["", value] as const] : value)
    .map(([labels, value]) => `${name}${labels === "" ? "" : `{${labels}}`} ${value}\n`)
    .join("")}`

/**
 * The time since the last query of a target, in seconds: the median, the 99th percentile and the maximum. Targets that are down, or that
 * were never queried, are not counted.
 */
const ages = (targets: ReadonlyArray<Watched>, nowMs: number): ReadonlyArray<readonly [Labels, number]> => {
  const found = measureAges(targets, nowMs)
  if (found === undefined) return []
  const shares = [0.5, 0.99, 1].map((share) => `share="${share}"`)
  return [found.p50Ms, found.p99Ms, found.maxMs].map((age, i) => [shares[i]!, age / 1000])
}

const findingCounts = (
  monitor: typeof Monitor.Service,
  targets: ReadonlyArray<Watched>
): ReadonlyArray<readonly [Labels, number]> => {
  const counts = new Map<Labels, number>()
  for (const { group, id } of targets) {
    for (const { kind, strength } of monitor.findings(id)) {
      const labels = formatLabels({ group: group.name, kind, strength })
      counts.set(labels, (counts.get(labels) ?? 0) + 1)
    }
  }
  return [...counts]
}

/**
 * Formats the metrics of the monitor itself. If this instance has a location, `apart` is the monitor of this location. In this case, the
 * metrics about queries include the queries of both monitors.
 */
export const monitorMetrics = (
  monitor: typeof Monitor.Service,
  apart: typeof Monitor.Service | undefined,
  nowMs: number
): string => {
  const { writer } = monitor
  const { counted, lateMs, unqueried, waiting } = inAll([monitor, apart ?? []].flat())
  const targets = monitor.ownTargets()
  const states = { up: 0, down: 0, unknown: 0 }
  for (const { known } of targets) states[known.state]++
  const { user, system } = process.cpuUsage()
  /** The metrics of the monitor. A metric whose name ends with `_total` is a counter. */
  const all: ReadonlyArray<readonly [name: string, help: string, value: Value]> = [
    ["targets", "Monitored targets, by state.", Object.entries(states).map(([state, n]) => [`state="${state}"`, n])],
    ["turns_total", "Completed queries of targets.", counted("queried")],
    ["answers_total", "Queries of targets that got a reply.", counted("answered")],
    ["unsent_total", "Queries of targets that this host could not send.", counted("unsent")],
    ["waiting", "Targets that are due and wait to be queried.", waiting()],
    ["turn_lag_seconds", "Time for which the oldest due target has waited.", lateMs() / 1000],
    ["slices", `Slices whose targets this instance queries, out of ${SLICES}.`, monitor.slices()],
    [
      "slices_unqueried",
      "Slices that this instance has locked but does not query. A value above 0 is an error.",
      unqueried()
    ],
    [
      "turn_age_seconds",
      "Quantiles of the time since the last query of a target (label `share`). Targets that are down are not included.",
      ages(targets, nowMs)
    ],
    [
      "findings",
      "Findings that currently apply to servers, by group, kind and strength. Only for groups with verdicts.",
      findingCounts(monitor, targets)
    ],
    ["store_up", "1 if the last write to the store succeeded, otherwise 0.", Number(writer.error === undefined)],
    ["store_writes_total", "Successful transactions of the store.", writer.writes],
    ["store_write_seconds", "Duration of the last transaction.", writer.lastWriteMs / 1000],
    [
      "store_written_timestamp_seconds",
      "Time of the last successful write to the store.",
      writer.wroteAt === undefined ? [] : [["", writer.wroteAt / 1000]]
    ],
    ["store_waiting", "Changes, incidents and hours of history that are not stored yet.", writer.waiting],
    ["store_lost_total", "Changes, incidents and hours of history that could not be stored.", writer.lost],
    [
      "store_unreadable_total",
      "Rows of the store that could not be decoded and are treated as unknown, by table.",
      monitor.unreadable().map(([table, rows]) => [formatLabels({ table }), rows])
    ]
  ]
  return [
    ...all.map(([name, help, value]) =>
      metric(`sourcewire_monitor_${name}`, name.endsWith("_total") ? "counter" : "gauge", help, value)
    ),
    metric("process_cpu_seconds_total", "counter", "Processor time, in seconds.", (user + system) / 1e6),
    metric("process_resident_memory_bytes", "gauge", "Memory in use.", process.memoryUsage.rss())
  ].join("")
}
