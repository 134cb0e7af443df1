/**
 * What is known of the servers, and of the monitor itself, as the text that Prometheus reads. Of a server that is down no counts are
 * told: yesterday's would be wrong. What servers call themselves stands in the `_info` series alone.
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

/** A metric of each of several: what it is called, what it says, its value where there is one, and labels besides those that all have. */
export type Metric<A> = readonly [
  name: string,
  help: string,
  value: (one: A) => number | undefined,
  more?: (one: A) => Labels
]

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

const isUp = ({ known }: Watched): number | undefined =>
  known.state === "unknown" ? undefined : Number(known.state === "up")

const SERVER: ReadonlyArray<Metric<Watched>> = [
  ["up", "1 while the server answers, 0 when it has not answered as often in a row as its group says.", isUp],
  ["players", "Players on the server, bots among them.", (target) => current(target)?.summary.players],
  ["bots", "Bots on the server.", (target) => current(target)?.summary.bots],
  ["max_players", "Places on the server.", (target) => current(target)?.summary.maxPlayers],
  ["round_trip_seconds", "Round trip of the last answer.", roundTrip],
  ["answered_timestamp_seconds", "When the server last answered.", ({ known: { last } }) => last && last.at / 1000],
  ["info", "What the server says of itself; always 1.", (target) => current(target) && 1, infoOf]
]

const targetLabels = ({ address, group }: Watched): Labels =>
  labelsOf({ target: address, group: group.name, ...group.labels })

/** The lines of some metrics, of all that have them. */
export const linesOf = <A>(
  prefix: string,
  metrics: ReadonlyArray<Metric<A>>,
  having: Iterable<A>,
  labelsFor: (one: A) => Labels
): string => {
  const all = Array.from(having, (one) => [one, labelsFor(one)] as const)
  return metrics
    .map(([name, help, value, more]) => {
      const samples = all.flatMap(([one, labels]) => {
        const found = value(one)
        return found === undefined ? [] : [[more === undefined ? labels : `${labels},${more(one)}`, found] as const]
      })
      return metric(`sourcewire_${prefix}_${name}`, "gauge", help, samples)
    })
    .join("")
}

export const serverMetrics = (targets: Iterable<Watched>): string => linesOf("server", SERVER, targets, targetLabels)

const LOCATION: ReadonlyArray<Metric<Watched>> = [
  [
    "up",
    "1 while the server answers this location, 0 when it has not answered as often in a row as its group says.",
    isUp
  ],
  ["round_trip_seconds", "Round trip of the last answer to this location.", roundTrip]
]

/** The lines of servers that several locations ask, of the location of this runner. */
export const locationMetrics = (location: string, targets: Iterable<Watched>): string =>
  linesOf("location", LOCATION, targets, (target) => `${targetLabels(target)},${labelsOf({ location })}`)

/** The value of a metric, or one for each set of labels. */
type Value = number | ReadonlyArray<readonly [labels: Labels, value: number]>

/** The lines of a metric. */
export const metric = (name: string, type: "counter" | "gauge", help: string, value: Value): string =>
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
  /** What it is called, what it says, and its value; in a total it only grows. */
  const all: ReadonlyArray<readonly [name: string, help: string, value: Value]> = [
    [
      "targets",
      "Targets that are watched, by state.",
      Object.entries(states).map(([state, n]) => [`state="${state}"`, n])
    ],
    ["turns_total", "Turns of targets that have ended.", counted("asked")],
    ["answers_total", "Turns that brought an answer.", counted("answered")],
    ["unsent_total", "Turns that a fault of this machine prevented.", counted("unsent")],
    ["waiting", "Targets whose turn has come and that wait to be asked.", waiting()],
    [
      "turn_lag_seconds",
      "How late turns are given: how long the one of those has waited that has waited longest.",
      lateMs() / 1000
    ],
    ["slices", `Slices of the targets that this monitor asks, of ${SLICES} that there are.`, monitor.slices()],
    [
      "turn_age_seconds",
      "How long ago this share of the targets was asked at most, those that are down left out.",
      ages(targets, nowMs)
    ],
    ["store_up", "Whether the store could be written last.", Number(keeper.trouble === undefined)],
    ["store_writes_total", "Transactions of the store.", keeper.writes],
    ["store_write_seconds", "How long the last transaction took.", keeper.lastWriteMs / 1000],
    [
      "store_written_timestamp_seconds",
      "When the store was last written.",
      keeper.wroteAt === undefined ? [] : [["", keeper.wroteAt / 1000]]
    ],
    ["store_waiting", "Changes and hours that are not stored yet.", keeper.waiting],
    ["store_lost_total", "Changes and hours that could not be stored.", keeper.lost]
  ]
  return [
    ...all.map(([name, help, value]) =>
      metric(`sourcewire_monitor_${name}`, name.endsWith("_total") ? "counter" : "gauge", help, value)
    ),
    metric("process_cpu_seconds_total", "counter", "Processor time, in seconds.", (user + system) / 1e6),
    metric("process_resident_memory_bytes", "gauge", "Memory in use.", process.memoryUsage.rss())
  ].join("")
}
