/** Formats the metrics of the proxy for Prometheus, and the states of its game servers for the health page. */
import type { ProxyStatus } from "@sourcewire/proxy"

type Labels = Readonly<Record<string, string>>

/** The value of a metric for one server: a single number, or a number for each set of labels. `undefined` if the value is unknown. */
type Value = number | undefined | ReadonlyArray<readonly [labels: Labels, value: number]>

/** Name, help text and value of a metric. Names of counters end with `_total`. */
type Metric = readonly [name: string, help: string, value: (status: ProxyStatus) => Value]

const PREFIX = "sourcewire_proxy_"

const by = (label: string, record: Readonly<Record<string, number>>, more: Labels = {}) =>
  Object.entries(record).map(([key, value]) => [{ [label]: key, ...more }, value] as const)

const PARTS = ["info", "players", "rules"] as const

const STATES = ["starting", "fresh", "stale", "gone"] as const

const METRICS: ReadonlyArray<Metric> = [
  ["requests_total", "Datagrams received, by kind of request.", ({ front }) => by("kind", front.requests)],
  ["replies_total", "Datagrams sent to clients.", ({ front }) => front.replies],
  ["unanswered_total", "Received datagrams to which the proxy did not reply.", ({ front }) => front.unanswered],
  ["request_bytes_total", "Payload bytes received from clients.", ({ front }) => front.bytesIn],
  ["reply_bytes_total", "Payload bytes sent to clients.", ({ front }) => front.bytesOut],
  [
    "socket_faults_total",
    "Errors that the system reported for the listening socket.",
    ({ front }) => front.socketFaults
  ],
  [
    "kernel_drops_total",
    "Datagrams that the system dropped because the receive queue was full.",
    ({ front }) => front.dropped
  ],
  [
    "refreshes_total",
    "Queries to the game server, by kind and result.",
    ({ back }) => [
      ...by("part", back.answered, { result: "answered" }),
      ...by("part", back.failed, { result: "failed" })
    ]
  ],
  [
    "upstream_datagrams_total",
    "Datagrams sent to the game server, including challenge requests and retransmissions.",
    ({ back }) => back.sent
  ],
  [
    "state",
    "1 for the current state of the cached replies (starting, fresh, stale or gone), 0 for the others.",
    ({ state }) => STATES.map((one) => [{ state: one }, Number(one === state)])
  ],
  [
    "age_seconds",
    "Time since the last reply of the game server, by kind.",
    ({ ageMs }) => by("part", ageMs).map(([labels, ms]) => [labels, Math.round(ms) / 1000])
  ],
  [
    "served",
    "1 if queries of this kind get a reply, otherwise 0.",
    ({ notServed }) => PARTS.map((part) => [{ part }, Number(!notServed.includes(part))])
  ],
  ["players", "Players according to the game server's last INFO reply.", ({ info }) => info?.players],
  ["max_players", "Player slots according to the game server's last INFO reply.", ({ info }) => info?.maxPlayers]
]

const escape = (text: string): string => text.replace(/[\\"\n]/g, (c) => (c === "\n" ? "\\n" : `\\${c}`))

/**
 * Formats a metric with all its samples. `values` contains an entry for each server. The entry contains the labels that identify the
 * server, and the server's value of the metric.
 */
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

/** Returns the text of the page `/metrics`: the metrics of all servers, and the number of log lines that the process has lost. */
export const metricsText = (statuses: ReadonlyArray<ProxyStatus>, logLinesLost: number): string => {
  const lines = METRICS.flatMap(([name, help, value]) =>
    formatMetric(
      name,
      help,
      statuses.map((status) => [{ listening: status.listening, upstream: status.upstream }, value(status)])
    )
  )
  const lost = formatMetric("log_lines_lost_total", "Log lines that could not be written.", [[{}, logLinesLost]])
  return `${[...lines, ...lost].join("\n")}\n`
}

/** The body of the health page: whether INFO is served for every game server, and the state of each game server. */
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
