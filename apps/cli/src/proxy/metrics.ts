/**
 * What a proxy knows about itself, as the text that Prometheus reads. The counters are the proxy's own plain numbers: nothing is
 * measured twice, and nothing is done for a metric that nobody reads.
 *
 * @module
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

const METRICS: ReadonlyArray<Metric> = [
  {
    name: "requests_total",
    type: "counter",
    help: "Datagrams that arrived, by what they ask for.",
    samples: ({ front }) => byKind(front.requests)
  },
  {
    name: "replies_total",
    type: "counter",
    help: "Datagrams sent to those who asked.",
    samples: ({ front }) => plain(front.replies)
  },
  {
    name: "unanswered_total",
    type: "counter",
    help: "Datagrams that got no answer.",
    samples: ({ front }) => plain(front.unanswered)
  },
  {
    name: "request_bytes_total",
    type: "counter",
    help: "Bytes of payload that arrived.",
    samples: ({ front }) => plain(front.bytesIn)
  },
  {
    name: "reply_bytes_total",
    type: "counter",
    help: "Bytes of payload sent to those who asked.",
    samples: ({ front }) => plain(front.bytesOut)
  },
  {
    name: "socket_faults_total",
    type: "counter",
    help: "Faults that the system reported of the socket in front.",
    samples: ({ front }) => plain(front.socketFaults)
  },
  {
    name: "kernel_drops_total",
    type: "counter",
    help: "Datagrams that the system dropped because they came faster than they were read.",
    samples: ({ front }) => (front.dropped === undefined ? [] : plain(front.dropped))
  },
  {
    name: "refreshes_total",
    type: "counter",
    help: "Questions to the game server, by what was asked and how it ended.",
    samples: ({ back }) => [
      ...byPart(back.answered, { result: "answered" }),
      ...byPart(back.failed, { result: "failed" })
    ]
  },
  {
    name: "upstream_datagrams_total",
    type: "counter",
    help: "Datagrams sent to the game server, challenges and repetitions included.",
    samples: ({ back }) => plain(back.sent)
  },
  {
    name: "state",
    type: "gauge",
    help: "1 for the state that the answers are in: starting, fresh, stale or gone.",
    samples: ({ state }) => STATES.map((one) => [{ state: one }, one === state ? 1 : 0])
  },
  {
    name: "age_seconds",
    type: "gauge",
    help: "Time since the game server last gave each answer.",
    samples: ({ ageMs }) => byPart(ageMs).map(([labels, ms]) => [labels, Math.round(ms) / 1000])
  },
  {
    name: "players",
    type: "gauge",
    help: "Players as the last INFO counts them.",
    samples: ({ info }) => (info === undefined ? [] : plain(info.players))
  },
  {
    name: "max_players",
    type: "gauge",
    help: "Places as the last INFO counts them.",
    samples: ({ info }) => (info === undefined ? [] : plain(info.maxPlayers))
  }
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
