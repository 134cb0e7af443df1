/**
 * What is known of the servers, and of the monitor itself, as the text that Prometheus reads. Of a server that is down no counts are
 * told: yesterday's would be wrong. What servers call themselves stands in the `_info` series alone.
 */
import { SLICES } from "../store/slices.ts"
import { agesOf } from "../watch/ages.ts"
import { inAll, type Monitor } from "../watch/Monitor.ts"
import type { Answer, Watched } from "../watch/Watched.ts"
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

/** What a server said last rarely changes, so its labels are written once. */
const infoLabels = new WeakMap<Answer, { readonly names: boolean; readonly labels: Labels }>()

/** What a server says of itself; without what it calls itself and its map, which change often, unless `names` are wanted. */
const infoOf =
  (names: boolean) =>
  ({ known }: Watched): Labels => {
    const { answer, summary } = known.last!
    const written = infoLabels.get(answer)
    if (written?.names === names) return written.labels
    const labels = labelsOf({
      ...(names ? { name: summary.name, map: summary.map } : {}),
      game: summary.gameId ?? answer.info.folder,
      version: summary.version ?? ""
    })
    infoLabels.set(answer, { names, labels })
    return labels
  }

/** The last answer of a server that is not down. */
const current = ({ known }: Watched) => (known.state === "down" ? undefined : known.last)

const roundTrip = (target: Watched): number | undefined => {
  const last = current(target)
  return last === undefined || last.rttAmbiguous ? undefined : last.rttMs / 1000
}

const isUp = ({ known }: Watched): number | undefined =>
  known.state === "unknown" ? undefined : Number(known.state === "up")

const serverWith = (names: boolean): ReadonlyArray<Metric<Watched>> => [
  ["up", "1 while the server answers, 0 when it has not answered as often in a row as its group says.", isUp],
  ["players", "Players on the server, bots among them.", (target) => current(target)?.summary.players],
  ["bots", "Bots on the server.", (target) => current(target)?.summary.bots],
  ["max_players", "Places on the server.", (target) => current(target)?.summary.maxPlayers],
  ["round_trip_seconds", "Round trip of the last answer.", roundTrip],
  ["answered_timestamp_seconds", "When the server last answered.", ({ known: { last } }) => last && last.at / 1000],
  ["info", "What the server says of itself; always 1.", (target) => current(target) && 1, infoOf(names)]
]
/** The metrics of servers, with and without names and maps. */
const SERVER = { true: serverWith(true), false: serverWith(false) }

/** The labels of a target are those of its group, and a target of another group is another one. */
const writtenLabels = new WeakMap<Watched, Labels>()

const targetLabels = (target: Watched): Labels => {
  const written = writtenLabels.get(target)
  if (written !== undefined) return written
  const { address, group } = target
  const labels = labelsOf({ target: address, group: group.name, ...group.labels })
  writtenLabels.set(target, labels)
  return labels
}

/** So many lines are written at a time: what else the process has to do waits a few milliseconds at most. */
const PORTION = 1000

/** The lines of some metrics, of all that have them, in portions. */
function* portionsOf<A>(
  prefix: string,
  metrics: ReadonlyArray<Metric<A>>,
  having: ReadonlyArray<A>,
  labelsFor: (one: A) => Labels
): Generator<string> {
  for (const [name, help, value, more] of metrics) {
    const full = `sourcewire_${prefix}_${name}`
    let text = headOf(full, "gauge", help)
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

/** The same at once, for a few. */
export const linesOf = <A>(
  prefix: string,
  metrics: ReadonlyArray<Metric<A>>,
  having: ReadonlyArray<A>,
  labelsFor: (one: A) => Labels
): string => [...portionsOf(prefix, metrics, having, labelsFor)].join("")

/** The lines of servers, in portions; their names and maps are left out unless `names` are wanted. */
export const serverMetrics = (targets: ReadonlyArray<Watched>, names: boolean): Generator<string> =>
  portionsOf("server", SERVER[names ? "true" : "false"], targets, targetLabels)

/** The lines of a server that was probed. They have names of their own: sums over those of `/metrics` would count it twice. */
export const probeMetrics = (target: Watched): string => linesOf("probe", SERVER.true, [target], targetLabels)

const LOCATION: ReadonlyArray<Metric<Watched>> = [
  [
    "up",
    "1 while the server answers this location, 0 when it has not answered as often in a row as its group says.",
    isUp
  ],
  ["round_trip_seconds", "Round trip of the last answer to this location.", roundTrip]
]

/** The lines of servers that several locations ask, of the location of this runner. */
export const locationMetrics = (location: string, targets: ReadonlyArray<Watched>): Generator<string> =>
  portionsOf("location", LOCATION, targets, (target) => `${targetLabels(target)},${labelsOf({ location })}`)

/** The value of a metric, or one for each set of labels. */
type Value = number | ReadonlyArray<readonly [labels: Labels, value: number]>

const headOf = (name: string, type: "counter" | "gauge", help: string): string =>
  `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`

/** The lines of a metric. */
export const metric = (name: string, type: "counter" | "gauge", help: string, value: Value): string =>
  `${headOf(name, type, help)}${(typeof value === "number" ? [["", value] as const] : value)
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
  const { writer } = monitor
  const { counted, lateMs, unqueried, waiting } = inAll([monitor, apart ?? []].flat())
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
      "slices_unqueried",
      "Slices that this monitor has locked and does not query; above 0, something is wrong.",
      unqueried()
    ],
    [
      "turn_age_seconds",
      "How long ago this share of the targets was asked at most, those that are down left out.",
      ages(targets, nowMs)
    ],
    ["store_up", "Whether the store could be written last.", Number(writer.trouble === undefined)],
    ["store_writes_total", "Transactions of the store.", writer.writes],
    ["store_write_seconds", "How long the last transaction took.", writer.lastWriteMs / 1000],
    [
      "store_written_timestamp_seconds",
      "When the store was last written.",
      writer.wroteAt === undefined ? [] : [["", writer.wroteAt / 1000]]
    ],
    ["store_waiting", "Changes and hours that are not stored yet.", writer.waiting],
    ["store_lost_total", "Changes and hours that could not be stored.", writer.lost],
    [
      "store_unreadable_total",
      "Rows of the store that could not be decoded when they were read, and count as unknown, by table.",
      monitor.unreadable().map(([table, rows]) => [labelsOf({ table }), rows])
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
