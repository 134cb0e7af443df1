/** Formats the proxy's counters for Prometheus. They are read when a page is requested. */
import type { ProxyStatus } from "@sourcewire/proxy"

type Labels = Readonly<Record<string, string>>

/** A value, or one for each set of labels; nothing where it is not known. */
type Value = number | undefined | ReadonlyArray<readonly [labels: Labels, value: number]>

/** What it is called, what it says, and its value; a total only grows. */
type Metric = readonly [name: string, help: string, value: (status: ProxyStatus) => Value]

const PREFIX = "sourcewire_proxy_"

const by = (label: string, record: Readonly<Record<string, number>>, more: Labels = {}) =>
  Object.entries(record).map(([key, value]) => [{ [label]: key, ...more }, value] as const)

const PARTS = ["info", "players", "rules"] as const

const STATES = ["starting", "fresh", "stale", "gone"] as const

const METRICS: ReadonlyArray<Metric> = [
  ["requests_total", "Datagrams that arrived, by what they ask for.", ({ front }) => by("kind", front.requests)],
  ["replies_total", "Datagrams sent to those who asked.", ({ front }) => front.replies],
  ["unanswered_total", "Datagrams that got no answer.", ({ front }) => front.unanswered],
  ["request_bytes_total", "Bytes of payload that arrived.", ({ front }) => front.bytesIn],
  ["reply_bytes_total", "Bytes of payload sent to those who asked.", ({ front }) => front.bytesOut],
  ["socket_faults_total", "Faults that the system reported of the socket in front.", ({ front }) => front.socketFaults],
  [
    "kernel_drops_total",
    "Datagrams that the system dropped because they came faster than they were read.",
    ({ front }) => front.dropped
  ],
  [
    "refreshes_total",
    "Questions to the game server, by what was asked and how it ended.",
    ({ back }) => [
      ...by("part", back.answered, { result: "answered" }),
      ...by("part", back.failed, { result: "failed" })
    ]
  ],
  [
    "upstream_datagrams_total",
    "Datagrams sent to the game server, challenges and repetitions included.",
    ({ back }) => back.sent
  ],
  [
    "state",
    "1 for the state that the answers are in: starting, fresh, stale or gone.",
    ({ state }) => STATES.map((one) => [{ state: one }, Number(one === state)])
  ],
  [
    "age_seconds",
    "Time since the game server last gave each answer.",
    ({ ageMs }) => by("part", ageMs).map(([labels, ms]) => [labels, Math.round(ms) / 1000])
  ],
  [
    "served",
    "1 if queries of this kind get a reply, otherwise 0.",
    ({ notServed }) => PARTS.map((part) => [{ part }, Number(!notServed.includes(part))])
  ],
  ["players", "Players as the last INFO counts them.", ({ info }) => info?.players],
  ["max_players", "Places as the last INFO counts them.", ({ info }) => info?.maxPlayers]
]

const escape = (text: string): string => text.replace(/[\\"\n]/g, (c) => (c === "\n" ? "\\n" : `\\${c}`))

/** A metric, by the labels that all its samples have. */
const formatMetric = (
  name: string,
  help: string,
  values: ReadonlyArray<readonly [Labels, Value]>
): ReadonlyArray<string> => [
  `# HELP ${PREFIX}${name} ${help}`,
  `# TYPE ${PREFIX}${name} ${name.endsWith("_total") ? "counter" : "gauge"}`,
  ...values.flatMap(([common, value = []]) =>
    (typeof value === "number" ? [[{}, value] as const] : value).map(([labels, sample]) => {
      const texts = Object.entries({ ...common, ...labels }).map(([key, label]) => `${key}="${escape(label)}"`)
      return `${PREFIX}${name}${texts.length === 0 ? "" : `{${texts.join(",")}}`} ${sample}`
    })
  )
]

/** Every metric of every server, and of the process how many lines its log has lost. */
export const metricsText = (statuses: ReadonlyArray<ProxyStatus>, logLinesLost: number): string => {
  const lines = METRICS.flatMap(([name, help, value]) =>
    formatMetric(
      name,
      help,
      statuses.map((status) => [{ listening: status.listening, upstream: status.upstream }, value(status)])
    )
  )
  const lost = formatMetric("log_lines_lost_total", "Lines of the log that could not be written.", [[{}, logLinesLost]])
  return `${[...lines, ...lost].join("\n")}\n`
}

/** Whether INFO of every game server is served, and how each server stands; the body of the health page. */
export const buildHealth = (statuses: ReadonlyArray<ProxyStatus>) => ({
  ok: statuses.every(({ notServed, state }) => (state === "fresh" || state === "stale") && !notServed.includes("info")),
  servers: statuses.map(({ ageMs, listening, notServed, state, upstream }) => ({
    listening,
    upstream,
    state,
    notServed,
    ageMs: Object.fromEntries(Object.entries(ageMs).map(([part, ms]) => [part, Math.round(ms)]))
  }))
})
