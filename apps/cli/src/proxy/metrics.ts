/**
 * What a proxy knows about itself, as the text that Prometheus reads. The counters are the proxy's own plain numbers: nothing is
 * measured twice, and nothing is done for a metric that nobody reads.
 */
import type { ProxyStatus } from "@sourcewire/proxy"

type Labels = Readonly<Record<string, string>>
type Sample = readonly [labels: Labels, value: number]

/** A metric of a server: its name without the prefix, and its samples. */
interface Metric {
  readonly name: string
  readonly type: "counter" | "gauge"
  readonly help: string
  readonly samples: (status: ProxyStatus) => ReadonlyArray<Sample>
}

const PREFIX = "sourcewire_proxy_"

const plain = (value: number): ReadonlyArray<Sample> => [[{}, value]]

const by =
  (label: string) =>
  (record: Readonly<Record<string, number>>, more: Labels = {}): ReadonlyArray<Sample> =>
    Object.entries(record).map(([key, value]) => [{ [label]: key, ...more }, value])

const byKind = by("kind")
const byPart = by("part")

const STATES = ["starting", "fresh", "stale", "gone"] as const

const metric =
  (type: Metric["type"]) =>
  (name: string, help: string, samples: Metric["samples"]): Metric => ({ name, type, help, samples })

const counter = metric("counter")
const gauge = metric("gauge")

const METRICS: ReadonlyArray<Metric> = [
  counter("requests_total", "Datagrams that arrived, by what they ask for.", ({ front }) => byKind(front.requests)),
  counter("replies_total", "Datagrams sent to those who asked.", ({ front }) => plain(front.replies)),
  counter("unanswered_total", "Datagrams that got no answer.", ({ front }) => plain(front.unanswered)),
  counter("request_bytes_total", "Bytes of payload that arrived.", ({ front }) => plain(front.bytesIn)),
  counter("reply_bytes_total", "Bytes of payload sent to those who asked.", ({ front }) => plain(front.bytesOut)),
  counter("socket_faults_total", "Faults that the system reported of the socket in front.", ({ front }) =>
    plain(front.socketFaults)
  ),
  counter(
    "kernel_drops_total",
    "Datagrams that the system dropped because they came faster than they were read.",
    ({ front }) => (front.dropped === undefined ? [] : plain(front.dropped))
  ),
  counter("refreshes_total", "Questions to the game server, by what was asked and how it ended.", ({ back }) => [
    ...byPart(back.answered, { result: "answered" }),
    ...byPart(back.failed, { result: "failed" })
  ]),
  counter(
    "upstream_datagrams_total",
    "Datagrams sent to the game server, challenges and repetitions included.",
    ({ back }) => plain(back.sent)
  ),
  gauge("state", "1 for the state that the answers are in: starting, fresh, stale or gone.", ({ state }) =>
    STATES.map((one) => [{ state: one }, one === state ? 1 : 0])
  ),
  gauge("age_seconds", "Time since the game server last gave each answer.", ({ ageMs }) =>
    byPart(ageMs).map(([labels, ms]) => [labels, Math.round(ms) / 1000])
  ),
  gauge("players", "Players as the last INFO counts them.", ({ info }) =>
    info === undefined ? [] : plain(info.players)
  ),
  gauge("max_players", "Places as the last INFO counts them.", ({ info }) =>
    info === undefined ? [] : plain(info.maxPlayers)
  )
]

const escape = (text: string): string => text.replace(/[\\"\n]/g, (c) => (c === "\n" ? "\\n" : `\\${c}`))

const line = (name: string, labels: Labels, value: number): string => {
  const text = Object.entries(labels).map(([key, value]) => `${key}="${escape(value)}"`)
  return `${PREFIX}${name}{${text.join(",")}} ${value}`
}

/** Every metric of every server, and of the process how many lines its log has lost. */
export const metricsText = (statuses: ReadonlyArray<ProxyStatus>, logLinesLost: number): string => {
  const lines = METRICS.flatMap(({ help, name, samples, type }) => [
    `# HELP ${PREFIX}${name} ${help}`,
    `# TYPE ${PREFIX}${name} ${type}`,
    ...statuses.flatMap((status) => {
      const { listening, upstream } = status
      return samples(status).map(([labels, value]) => line(name, { listening, upstream, ...labels }, value))
    })
  ])
  const lost = `${PREFIX}log_lines_lost_total`
  lines.push(
    `# HELP ${lost} Lines of the log that could not be written.`,
    `# TYPE ${lost} counter`,
    `${lost} ${logLinesLost}`
  )
  return `${lines.join("\n")}\n`
}

/** Whether every game server has answers that are given out, and how each stands; the body of the health page. */
export const healthOf = (statuses: ReadonlyArray<ProxyStatus>) => ({
  ok: statuses.every(({ state }) => state === "fresh" || state === "stale"),
  servers: statuses.map(({ ageMs, listening, state, upstream }) => ({
    listening,
    upstream,
    state,
    ageMs: Object.fromEntries(Object.entries(ageMs).map(([part, ms]) => [part, Math.round(ms)]))
  }))
})
