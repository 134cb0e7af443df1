/**
 * What webhooks are told: which changes are worth a word, and the words, in the form that the receiver wants. Names of servers are
 * written by strangers: they ring nobody up and format nothing.
 */
import { displayText } from "@sourcewire/core/text"
import type { EVENTS, WebhookConfig } from "../config/Config.ts"
import type { Change } from "../store/Store.ts"
import type { Watched } from "../watch/Watched.ts"

/** What can be told. */
type AlertEvent = (typeof EVENTS)[number]

/** Something to tell. */
export interface Alert {
  readonly event: AlertEvent
  readonly change: Change
  readonly target: Watched
}

const eventOf = ({ field, to }: Change): AlertEvent | undefined => {
  if (field === "state") return to === "up" ? "up" : "down"
  if (field === "full") return to === "true" ? "full" : undefined
  return field === "joined" || field === "left" ? undefined : field
}

/** Unless a webhook says what it wants. */
const USUAL: NonNullable<WebhookConfig["events"]> = ["up", "down"]

/** What a webhook wants to know of a change; `undefined` where that is nothing. */
export const alertOf = (
  { events = USUAL, groups }: WebhookConfig,
  change: Change,
  target: Watched | undefined
): Alert | undefined => {
  const event = eventOf(change)
  if (event === undefined || target === undefined || !events.includes(event)) return undefined
  return groups === undefined || groups.includes(target.group.name) ? { event, change, target } : undefined
}

const TEMPLATES: Readonly<Record<AlertEvent, string>> = {
  up: "{name} ({address}) answers again",
  down: "{name} ({address}) does not answer",
  full: "{name} ({address}) is full: {players}/{maxPlayers}",
  map: "{name} ({address}): map {from} → {to}",
  version: "{name} ({address}): version {from} → {to}",
  name: "{address} is now called {to}",
  disagreement: "{name} ({address}) is not the same from everywhere: {to}"
}

const AGREED = "{name} ({address}) is the same from everywhere again"

const templateFor = ({ change, event }: Alert): string =>
  event === "disagreement" && change.to === "" ? AGREED : TEMPLATES[event]

const valuesOf = ({ change, event, target }: Alert): Readonly<Record<string, string>> => {
  const { map = "", maxPlayers = 0, name = target.address, players = 0 } = target.known.last?.summary ?? {}
  const texts = { name, map, from: change.from, to: change.to }
  return {
    ...Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, displayText(text)])),
    address: target.address,
    event,
    group: target.group.name,
    players: `${players}`,
    maxPlayers: `${maxPlayers}`
  }
}

/** The sentence for people; `quote` keeps values from being formatted. */
const textOf = (alert: Alert, template: string | undefined, quote: (text: string) => string): string => {
  const values = valuesOf(alert)
  return (template ?? templateFor(alert)).replace(/\{(\w+)\}/g, (whole, key: string) =>
    Object.hasOwn(values, key) ? quote(values[key]!) : whole
  )
}

const discordQuote = (text: string): string => text.replace(/[\\*_~`|>#[\]()@:-]/g, "\\$&")
const slackQuote = (text: string): string => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;")

const DISCORD_LENGTH = 2000

/** The body of one request about some alerts. */
export const bodyOf = ({ format = "json", template }: WebhookConfig, alerts: ReadonlyArray<Alert>): string => {
  const texts = (quote: (text: string) => string) => alerts.map((alert) => textOf(alert, template, quote)).join("\n")
  switch (format) {
    case "discord":
      return JSON.stringify({ content: texts(discordQuote).slice(0, DISCORD_LENGTH), allowed_mentions: { parse: [] } })
    case "slack":
      return JSON.stringify({ text: texts(slackQuote) })
    case "json":
      return JSON.stringify({
        alerts: alerts.map((alert) => ({
          id: alert.change.id,
          at: alert.change.at,
          event: alert.event,
          address: alert.target.address,
          group: alert.target.group.name,
          labels: alert.target.group.labels,
          name: displayText(alert.target.known.last?.summary.name ?? ""),
          from: displayText(alert.change.from),
          to: displayText(alert.change.to),
          text: textOf(alert, template, (text) => text)
        }))
      })
  }
}
