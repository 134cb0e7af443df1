/**
 * Builds the text of alerts, and the content of requests in the format that the receiver expects. Servers choose their own names. Therefore
 * names in messages are escaped: a name cannot mention users of a chat, and cannot format text.
 */
import type { QueryError } from "@sourcewire/core"
import { displayText } from "@sourcewire/core/text"
import { EVENTS, type Plan, WEBHOOK_DEFAULTS, type WebhookConfig } from "../config/Config.ts"
import type { Change } from "../store/Store.ts"
import { findName, type Watched } from "../watch/Watched.ts"
import { FORMATS, isDeclared, type Values } from "./formats.ts"
import { type Alert, type AlertEvent, listAlerts, isSummary, type Message, type Summary } from "./grouping.ts"

const findEvent = ({ field, to }: Change): AlertEvent | undefined => {
  if (field === "state") return to === "up" ? "up" : "down"
  if (field === "full") return to === "true" ? "full" : undefined
  return EVENTS.find((event) => event === field)
}

/**
 * Creates the alert about a change. If the webhook does not report changes of this kind, the result is usually `undefined`. However, a
 * webhook that reports `up` or `down` needs all changes of state, to detect that a server is flapping.
 */
export const makeAlert = (
  { events = WEBHOOK_DEFAULTS.events, groups }: WebhookConfig,
  change: Change,
  target: Watched | undefined
): Alert | undefined => {
  const event = findEvent(change)
  if (event === undefined || target === undefined) return undefined
  const isWanted = events.includes(event)
  const wantsState = change.field === "state" && (events.includes("up") || events.includes("down"))
  if (!isWanted && !wantsState) return undefined
  return groups === undefined || groups.includes(target.group.name) ? { event, change, target, isWanted } : undefined
}

/** Reasons why a server is down, by the tag of the error. */
const REASONS: Readonly<Record<QueryError["_tag"], string>> = {
  Timeout: "no reply",
  PortClosed: "the port is closed",
  Unresolved: "the name cannot be resolved",
  Refused: "the server rejects queries",
  AuthenticationFailed: "the server rejects the password",
  ConnectionClosed: "the connection was closed",
  SendFailed: "the query cannot be sent",
  Malformed: "the reply cannot be decoded",
  ChecksumMismatch: "the reply cannot be decoded",
  UnexpectedReply: "the reply has an unexpected type",
  LimitExceeded: "the reply is too large",
  TooManyChallenges: "the server rejects every challenge"
}

const reasonText = (reason: string): string =>
  (REASONS as Readonly<Record<string, string>>)[reason] ?? (reason === "" ? "unknown reason" : reason)

/** Formats a duration, for example as `3 h 12 min`. */
export const durationText = (ms: number): string => {
  if (ms < 60_000) return `${Math.max(1, Math.round(ms / 1000))} s`
  const minutes = Math.round(ms / 60_000)
  const [days, hours, rest] = [Math.floor(minutes / 1440), Math.floor((minutes % 1440) / 60), minutes % 60]
  return [days > 0 ? `${days} d` : "", hours > 0 ? `${hours} h` : "", rest > 0 ? `${rest} min` : ""]
    .filter((part) => part !== "")
    .join(" ")
}

const TEMPLATES: Readonly<Record<AlertEvent, string>> = {
  up: "{name} ({address}) is up again",
  down: "{name} ({address}) is down: {reason}",
  full: "{name} ({address}) is full: {players}/{maxPlayers}",
  map: "{name} ({address}): map {from} → {to}",
  version: "{name} ({address}): version {from} → {to}",
  name: "{address} is now called {to}",
  disagreement: "{name} ({address}): locations report different states: {to}",
  finding: "{name} ({address}) has a new strong finding: {to}"
}

const AGREED = "{name} ({address}): all locations report the same state again"
const FINDING_ENDED = "{name} ({address}) no longer has the strong finding {from}"
const UP_AFTER = "{name} ({address}) is up again after {duration}"
const FLAPPING =
  "{name} ({address}) is {event} again. Its state changes repeatedly: the next message follows after 10 min without a change."
const STABLE = "{name} ({address}) is stable: {event} for 10 min"

const templateFor = ({ change, event, incident, kind }: Alert): string => {
  if (kind === "flapping") return FLAPPING
  if (kind === "stable") return STABLE
  if (event === "up" && incident?.to !== undefined) return UP_AFTER
  if (event === "finding" && change.to === "") return FINDING_ENDED
  return event === "disagreement" && change.to === "" ? AGREED : TEMPLATES[event]
}

/**
 * The first `most` UTF-16 units of a text. If the last of these units is the first half of a surrogate pair, it is removed, because some
 * receivers reject a text with half a pair.
 */
const cutAt = (most: number, text: string): string => text.slice(0, most).replace(/[\uD800-\uDBFF]$/, "")

/**
 * Maximum length of a name in a message. Longer names are shortened, because the length of a request is limited and several alerts may
 * share a request.
 */
const MOST_CHARACTERS = 100
const shortened = (text: string): string => {
  const shown = displayText(text)
  return shown.length > MOST_CHARACTERS ? `${cutAt(MOST_CHARACTERS - 1, shown)}…` : shown
}

/** The webhook that receives a message, and the settings that the message needs. */
export interface MessageContext {
  readonly hook: WebhookConfig
  /** The URL of the dashboard. */
  readonly pageUrl: Plan["pageUrl"]
}

const formatUrl = (pageUrl: string | undefined, { target }: Alert): string =>
  pageUrl === undefined ? "" : `${pageUrl}#/server/${target.id}`

const incidentDuration = ({ incident }: Alert): number | undefined =>
  incident?.to === undefined ? undefined : incident.to - incident.from

const templateValues = (alert: Alert, { pageUrl }: MessageContext): Readonly<Record<string, string>> => {
  const { change, event, incident, target } = alert
  const { map = "", maxPlayers = 0, players = 0 } = target.known.last?.summary ?? {}
  const name = findName(target) ?? target.address
  const texts = { name, map, from: change.from, to: change.to }
  const duration = incidentDuration(alert)
  return {
    ...Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, shortened(text)])),
    address: target.address,
    event,
    group: target.group.name,
    players: `${players}`,
    maxPlayers: `${maxPlayers}`,
    reason: reasonText(incident?.reason ?? ""),
    duration: duration === undefined ? "" : durationText(duration),
    url: formatUrl(pageUrl, alert)
  }
}

const countText = (count: number): string => count.toLocaleString("en")

type Quote = (text: string) => string

const summaryText = ({ alerts, event, group, reason }: Summary, quote: Quote): string => {
  const count = countText(new Set(alerts.map(({ target }) => target.id)).size)
  const [{ kind } = {}] = alerts
  // If a summary contains only one alert, the summary reports the end of the incident of a whole group.
  if (alerts.length === 1) return `the outage of many servers of ${quote(group.name)} has ended`
  const what = `${count} servers of ${quote(group.name)}`
  if (kind === "stable") return `${what} are stable: ${event} for 10 min`
  return event === "down" ? `${what} are down: ${reasonText(reason)}` : `${what} are up again`
}

/**
 * The text of a message. `quote` escapes the values, so that the receiver does not format them. The template of the webhook is used only if
 * the message is about one server, and this server has neither begun nor stopped flapping.
 */
const formatText = (message: Message, context: MessageContext, quote: Quote): string => {
  if (isSummary(message)) return summaryText(message, quote)
  const values = templateValues(message, context)
  const { template } = context.hook
  const sentence = message.kind === undefined ? (template ?? templateFor(message)) : templateFor(message)
  // The URL is not escaped: receivers would not show an escaped URL as a link. This is safe, because the game server cannot choose the URL.
  return sentence.replace(/\{(\w+)\}/g, (whole, key: string) =>
    Object.hasOwn(values, key) ? (key === "url" ? values[key]! : quote(values[key]!)) : whole
  )
}

const discordQuote: Quote = (text) => text.replace(/[\\*_~`|>#[\]()@:-]/g, "\\$&")
const slackQuote: Quote = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;")
const plain: Quote = (text) => text

/** Maximum length of the text that Discord or Slack accepts in one request. */
const LENGTHS = { discord: 2000, slack: 3000 } as const

const chooseQuote = (format: string): Quote =>
  format === "discord" ? discordQuote : format === "slack" ? slackQuote : plain

const maxLength = (format: NonNullable<WebhookConfig["format"]>): number => {
  if (isDeclared(format)) return FORMATS[format].most
  return format === "json" ? Number.POSITIVE_INFINITY : LENGTHS[format]
}

/** Returns how many of the first messages fit into one request. The result is at least 1, even if the first message is too long. */
export const fitting = (context: MessageContext, messages: ReadonlyArray<Message>): number => {
  const { format = WEBHOOK_DEFAULTS.format } = context.hook
  if (isDeclared(format) && FORMATS[format].single === true) return 1
  const most = maxLength(format)
  let [count, length] = [0, 0]
  for (const message of messages) {
    length += formatText(message, context, chooseQuote(format)).length + 1
    if (count > 0 && length - 1 > most) break
    count++
  }
  return count
}

/** Maximum number of addresses in the JSON of a summary. The addresses of further servers are omitted. */
const MOST_ADDRESSES = 100

const toJson = (message: Message, context: MessageContext): object => {
  const text = formatText(message, context, plain)
  const [first] = listAlerts(message) as [Alert]
  const { change, event, incident, kind, target } = first
  const common = { id: change.id, at: change.at, event, group: target.group.name, labels: target.group.labels }
  const reason = event === "down" && incident !== undefined ? { reason: incident.reason } : {}
  if (isSummary(message)) {
    const addresses = [...new Set(message.alerts.map((alert) => alert.target.address))]
    const shown = addresses.slice(0, MOST_ADDRESSES)
    return { ...common, kind: "summary", ...reason, count: addresses.length, addresses: shown, text }
  }
  const duration = incidentDuration(first)
  return {
    ...common,
    ...(kind === undefined ? {} : { kind }),
    address: target.address,
    name: displayText(findName(target) ?? ""),
    from: displayText(change.from),
    to: displayText(change.to),
    ...reason,
    ...(duration === undefined ? {} : { durationMs: duration }),
    ...(context.pageUrl === undefined ? {} : { url: formatUrl(context.pageUrl, first) }),
    text
  }
}

const EMOJIS: Readonly<Record<AlertEvent, string>> = {
  up: "white_check_mark",
  down: "rotating_light",
  full: "busts_in_silhouette",
  map: "world_map",
  version: "package",
  name: "label",
  disagreement: "thinking",
  finding: "mag"
}

/**
 * Some receivers end an incident at a time that the request contains, even if no message reports a recovery. In the request, this time is
 * `MOST_INCIDENT_MS` after the change to `down`. If the request contains no time, Alertmanager ends the incident after five minutes.
 */
const MOST_INCIDENT_MS = 30 * 86_400_000

/** Whether a message reports that servers are up again. */
export const isResolved = (message: Message): boolean => listAlerts(message)[0]!.event === "up"

/**
 * Whether the receiver of a webhook manages incidents. Such a receiver keeps an incident open until a message reports the end of the
 * incident.
 */
export const keepsIncidents = ({ format = WEBHOOK_DEFAULTS.format }: WebhookConfig): boolean =>
  isDeclared(format) && FORMATS[format].resolved !== undefined

/** The values that replace the placeholders of a declared format, for a request with these messages. */
export const valuesFor = (context: MessageContext, messages: ReadonlyArray<Message>): Values => {
  const { format = WEBHOOK_DEFAULTS.format, name, to } = context.hook
  const [message] = messages as readonly [Message, ...Array<Message>]
  const [first] = listAlerts(message) as [Alert]
  const { change, event, incident, target } = first
  const isGroup = isSummary(message)
  const text = messages.map((one) => formatText(one, context, plain)).join("\n")
  const isDown = event === "down"
  return {
    text: cutAt(maxLength(format), text),
    title: messages.length === 1 ? `${target.group.name}: ${event}` : `${countText(messages.length)} alerts`,
    event,
    address: isGroup ? target.group.name : target.address,
    group: target.group.name,
    at: new Date(change.at).toISOString(),
    since: new Date(incident?.from ?? change.at).toISOString(),
    until: isDown ? new Date(change.at + MOST_INCIDENT_MS).toISOString() : undefined,
    // The key identifies the incident of a server or a group. The message that begins the incident and the message that ends it have the
    // same key.
    key: [
      "sourcewire",
      isDown || event === "up" ? "down" : event,
      isGroup ? "group" : "server",
      isGroup ? target.group.name : target.address
    ].join("/"),
    transaction: `sourcewire-${name}-${change.id}-${messages.length}`,
    severity: isDown ? "critical" : "info",
    opsgeniePriority: isDown ? "P2" : "P5",
    urgency: isDown ? 4 : 3,
    emoji: EMOJIS[event],
    link: context.pageUrl === undefined || isGroup ? context.pageUrl : formatUrl(context.pageUrl, first),
    to: to ?? "",
    // Receivers accept only text values in `details`.
    details: Object.fromEntries(
      Object.entries({ ...target.group.labels, ...templateValues(first, context) }).filter(([, value]) => value !== "")
    )
  }
}

/** The body of a request with these messages, for a format that `formats.json` does not declare. */
export const formatBody = (context: MessageContext, messages: ReadonlyArray<Message>): string => {
  const { format = WEBHOOK_DEFAULTS.format } = context.hook
  const texts = (quote: Quote) => messages.map((message) => formatText(message, context, quote)).join("\n")
  switch (format) {
    case "discord":
      return JSON.stringify({ content: cutAt(LENGTHS.discord, texts(discordQuote)), allowed_mentions: { parse: [] } })
    case "slack":
      // In the channel, Slack shows the block of type `plain_text`, without formatting it. In notifications, Slack shows the field `text`
      // of the request.
      return JSON.stringify({
        text: cutAt(LENGTHS.slack, texts(slackQuote)),
        mrkdwn: false,
        blocks: [
          {
            type: "section",
            text: { type: "plain_text", text: cutAt(LENGTHS.slack, texts(plain)), emoji: false }
          }
        ]
      })
    default:
      return JSON.stringify({ alerts: messages.map((message) => toJson(message, context)) })
  }
}

const TEST = "Test message of the Sourcewire monitor. Alerts of this webhook arrive here."

/** The body of a request that tests a webhook. */
export const formatTestBody = ({ format = WEBHOOK_DEFAULTS.format }: Pick<WebhookConfig, "format">): string => {
  switch (format) {
    case "discord":
      return JSON.stringify({ content: TEST })
    case "slack":
      return JSON.stringify({ text: TEST })
    default:
      return JSON.stringify({ alerts: [], test: true, text: TEST })
  }
}

/** The values that replace the placeholders of a declared format, for a request that tests a webhook. */
export const testValues = ({ hook: { name, to = "" }, pageUrl }: MessageContext, nowMs: number): Values => ({
  text: TEST,
  title: "Sourcewire: test",
  event: "test",
  address: "sourcewire",
  group: "test",
  at: new Date(nowMs).toISOString(),
  since: new Date(nowMs).toISOString(),
  until: undefined,
  key: "sourcewire/test",
  transaction: `sourcewire-${name}-test-${nowMs}`,
  severity: "info",
  opsgeniePriority: "P5",
  urgency: 3,
  emoji: "bell",
  link: pageUrl,
  to,
  details: {}
})
