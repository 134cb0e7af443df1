/**
 * What is known of the servers, and of the monitor itself, as the text that Prometheus reads. Of a server that is down no counts are
 * told: yesterday's would be wrong. What servers call themselves stands in the `_info` series alone.
 *
 * @module
 */
import { SLICES } from "../store/slices.ts"
import { agesOf } from "../watch/ages.ts"
import { inAll, type Monitor } from "../watch/Monitor.ts"
import type { Watched } from "../watch/Watched.ts"
import { labelValue } from "./labels.ts"

/** Names and values, written and in order. */
type Labels = string

/** Labels as they are written. */
export const labelsOf = (labels: Readonly<Record<string, string>>): Labels =>
  Object.entries(labels)
    .map(([name, value]) => `${name}="${labelValue(value)}"`)
    .join(",")

interface Metric {
  readonly name: string
  readonly help: string
  /** `undefined` where there is nothing to tell. */
  readonly value: (target: Watched) => number | undefined
  /** Labels besides those of the target. */
  readonly more?: (target: Watched) => Labels
}

const infoOf = ({ known }: Watched): Labels => {
  const { answer, summary } = known.last!
  return labelsOf({
    name: summary.name,
    map: summary.map,
    game: summary.gameId ?? answer.info.folder,
    version: summary.version ?? ""
  })
}

/** The last answer of a server that is not down. */
const current = ({ known }: Watched) => (known.state === "down" ? undefined : known.last)

const roundTrip = (target: Watched): number | undefined => {
  const last = current(target)
  return last === undefined || last.rttAmbiguous ? undefined : last.rttMs / 1000
}

const SERVER: ReadonlyArray<Metric> = [
  {
    name: "sourcewire_server_up",
    help: "1 while the server answers, 0 when it has not answered as often in a row as its group says.",
    value: ({ known }) => (known.state === "unknown" ? undefined : Number(known.state === "up"))
  },
  {
    name: "sourcewire_server_players",
    help: "Players on the server, bots among them.",
    value: (target) => current(target)?.summary.players
  },
  {
    name: "sourcewire_server_bots",
    help: "Bots on the server.",
    value: (target) => current(target)?.summary.bots
  },
  {
    name: "sourcewire_server_max_players",
    help: "Places on the server.",
    value: (target) => current(target)?.summary.maxPlayers
  },
  {
    name: "sourcewire_server_round_trip_seconds",
    help: "Round trip of the last answer.",
    value: roundTrip
  },
  {
    name: "sourcewire_server_answered_timestamp_seconds",
    help: "When the server last answered.",
    value: ({ known }) => (known.last === undefined ? undefined : known.last.at / 1000)
  },
  {
    name: "sourcewire_server_info",
    help: "What the server says of itself; always 1.",
    value: (target) => (current(target) === undefined ? undefined : 1),
    more: infoOf
  }
]

const targetLabels = ({ address, group }: Watched): Labels =>
  labelsOf({ target: address, group: group.name, ...group.labels })

const linesOf = (metrics: ReadonlyArray<Metric>, targets: Iterable<Watched>, common?: Labels): string => {
  const labelsFor = (target: Watched): Labels =>
    common === undefined ? targetLabels(target) : `${targetLabels(target)},${common}`
  const all = Array.from(targets, (target) => [target, labelsFor(target)] as const)
  return metrics
    .map(({ help, more, name, value }) => {
      const samples = all.flatMap(([target, labels]) => {
        const found = value(target)
        return found === undefined ? [] : [[more === undefined ? labels : `${labels},${more(target)}`, found] as const]
      })
      return metric(name, "gauge", help, samples)
    })
    .join("")
}

/** The lines of some servers. */
export const serverMetrics = (targets: Iterable<Watched>): string => linesOf(SERVER, targets)

const LOCATION: ReadonlyArray<Metric> = [
  {
    name: "sourcewire_location_up",
    help: "1 while the server answers this location, 0 when it has not answered as often in a row as its group says.",
    value: ({ known }) => (known.state === "unknown" ? undefined : Number(known.state === "up"))
  },
  {
    name: "sourcewire_location_round_trip_seconds",
    help: "Round trip of the last answer to this location.",
    value: roundTrip
  }
]

/** The lines of servers that several locations ask, of the location of this runner. */
export const locationMetrics = (location: string, targets: Iterable<Watched>): string =>
  linesOf(LOCATION, targets, labelsOf({ location }))

/** The lines of a metric: of one value, or of one for each set of labels. */
export const metric = (
  name: string,
  type: "counter" | "gauge",
  help: string,
  value: number | ReadonlyArray<readonly [labels: Labels, value: number]>
): string =>
  `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${(typeof value === "number" ? [["", value] as const] : value)
    .map(([labels, value]) => `${name}${labels === "" ? "" : `{${labels}}`} ${value}\n`)
    .join("")}`

/** By share of the targets. */
const ages = (targets: ReadonlyArray<Watched>, nowMs: number): ReadonlyArray<readonly [Labels, number]> => {
  const found = agesOf(targets, nowMs)
  if (found === undefined) return []
  const shares = [0.5, 0.99, 1].map((share) => `share="${share}"`)
  return [found.p50Ms, found.p99Ms, found.maxMs].map((age, i) => [shares[i]!, age / 1000])
}

/** The lines about the monitor, and about what asks from its location, where that is something of its own. */
export const monitorMetrics = (
  monitor: typeof Monitor.Service,
  apart: typeof Monitor.Service | undefined,
  nowMs: number
): string => {
  const { keeper } = monitor
  const { counted, lateMs, waiting } = inAll([monitor, apart ?? []].flat())
  const targets = monitor.ours()
  const states = { up: 0, down: 0, unknown: 0 }
  for (const { known } of targets) states[known.state]++
  const { user, system } = process.cpuUsage()
  return [
    metric(
      "sourcewire_monitor_targets",
      "gauge",
      "Targets that are watched, by state.",
      Object.entries(states).map(([state, count]) => [`state="${state}"`, count] as const)
    ),
    metric("sourcewire_monitor_turns_total", "counter", "Turns of targets that have ended.", counted("asked")),
    metric("sourcewire_monitor_answers_total", "counter", "Turns that brought an answer.", counted("answered")),
    metric(
      "sourcewire_monitor_unsent_total",
      "counter",
      "Turns that a fault of this machine prevented.",
      counted("unsent")
    ),
    metric("sourcewire_monitor_waiting", "gauge", "Targets whose turn has come and that wait to be asked.", waiting()),
    metric(
      "sourcewire_monitor_turn_lag_seconds",
      "gauge",
      "How late turns are given: how long the one of those has waited that has waited longest.",
      lateMs() / 1000
    ),
    metric(
      "sourcewire_monitor_slices",
      "gauge",
      `Slices of the targets that this monitor asks, of ${SLICES} that there are.`,
      monitor.slices()
    ),
    metric(
      "sourcewire_monitor_turn_age_seconds",
      "gauge",
      "How long ago this share of the targets was asked at most, those that are down left out.",
      ages(targets, nowMs)
    ),
    metric(
      "sourcewire_monitor_store_up",
      "gauge",
      "Whether the store could be written last.",
      Number(keeper.trouble === undefined)
    ),
    metric("sourcewire_monitor_store_writes_total", "counter", "Transactions of the store.", keeper.writes),
    metric(
      "sourcewire_monitor_store_write_seconds",
      "gauge",
      "How long the last transaction took.",
      keeper.lastWriteMs / 1000
    ),
    metric(
      "sourcewire_monitor_store_written_timestamp_seconds",
      "gauge",
      "When the store was last written.",
      keeper.wroteAt === undefined ? [] : [["", keeper.wroteAt / 1000]]
    ),
    metric("sourcewire_monitor_store_waiting", "gauge", "Changes and hours that are not stored yet.", keeper.waiting),
    metric(
      "sourcewire_monitor_store_lost_total",
      "counter",
      "Changes and hours that could not be stored.",
      keeper.lost
    ),
    metric("process_cpu_seconds_total", "counter", "Processor time, in seconds.", (user + system) / 1e6),
    metric("process_resident_memory_bytes", "gauge", "Memory in use.", process.memoryUsage.rss())
  ].join("")
}
