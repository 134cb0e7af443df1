/**
 * Decides which alerts are sent one by one and which are combined: many servers of a group that change for the same reason become one
 * summary, and a server that goes up and down again and again becomes one alert. Pure: no clock, no store.
 */
import type { EVENTS, Group, WebhookConfig } from "../config/Config.ts"
import type { Change, StoredIncident } from "../store/Store.ts"
import type { Watched } from "../watch/Watched.ts"

/** The events that a webhook can be sent. */
export type AlertEvent = (typeof EVENTS)[number]

/** A change of a server that a webhook is to be sent. */
export interface Alert {
  readonly event: AlertEvent
  readonly change: Change
  readonly target: Watched
  /** Whether the webhook wants this event: a flapping server is recognised by its other changes of state, too. */
  readonly isWanted: boolean
  /** The incident that has begun or ended. */
  readonly incident?: StoredIncident | undefined
  /** `flapping`: the state changes again and again; `stable`: it did, and no longer does. */
  readonly kind?: "flapping" | "stable" | undefined
}

/** Alerts of many servers of one group: the same event for the same reason. */
export interface Summary {
  readonly event: AlertEvent
  readonly group: Group
  /** Why the servers are down, as the tag of the error; empty if they are up. */
  readonly reason: string
  readonly alerts: ReadonlyArray<Alert>
}

export type Message = Alert | Summary

export const isSummary = (message: Message): message is Summary => "alerts" in message

/** The alerts that a message reports. */
export const listAlerts = (message: Message): ReadonlyArray<Alert> => (isSummary(message) ? message.alerts : [message])

/** So many servers of a group that change for the same reason are one summary. */
export const SUMMARY_FROM = 5

/** A server whose state changes again within this time is not stable. */
export const STABLE_MS = 600_000

/** A server flaps from the third change of state on: down, up, and down again. */
const CHANGES_BEFORE_FLAPPING = 2

/** So many earlier changes of state decide whether a server flaps. */
export const EARLIER_CHANGES = CHANGES_BEFORE_FLAPPING + 1

/** How many changes of state precede one without a stable period between them; `earlier` has the newest first. */
const unsteadyBefore = (change: Change, earlier: ReadonlyArray<Change>): number => {
  let later = change
  const end = earlier.findIndex((one) => {
    const isSteady = later.at - one.at >= STABLE_MS
    later = one
    return isSteady
  })
  return end < 0 ? earlier.length : end
}

/** Decides whether the target of a change of state flaps, from the {@link EARLIER_CHANGES} before it, the newest first. */
export const judgeSteadiness = (
  change: Change,
  earlier: ReadonlyArray<Change>
): "steady" | "flapping" | "stillFlapping" => {
  const before = unsteadyBefore(change, earlier)
  if (before < CHANGES_BEFORE_FLAPPING) return "steady"
  return before === CHANGES_BEFORE_FLAPPING ? "flapping" : "stillFlapping"
}

/** Combines alerts, in the order of the first alert of each message. */
export const combine = (alerts: ReadonlyArray<Alert>): ReadonlyArray<Message> => {
  const formatKey = ({ change, event, incident, kind, target }: Alert): string =>
    change.field === "state"
      ? [event, kind, target.group.name, event === "down" ? incident?.reason : ""].join("\n")
      : ""
  const summaries = new Map(
    [...Map.groupBy(alerts, formatKey)].filter(
      ([key, some]) => key !== "" && new Set(some.map(({ target }) => target.id)).size >= SUMMARY_FROM
    )
  )
  const begun = new Set<string>()
  return alerts.flatMap((alert): ReadonlyArray<Message> => {
    const key = formatKey(alert)
    const some = summaries.get(key)
    if (some === undefined) return [alert]
    if (begun.has(key)) return []
    begun.add(key)
    const { event, incident, target } = alert
    return [{ event, group: target.group, reason: event === "down" ? (incident?.reason ?? "") : "", alerts: some }]
  })
}

/** Longest time for which alerts wait for others of an outage. */
const MAX_WAIT_MS = 60_000
/** Time that the last servers of an outage take to be noticed beyond an interval: their timeouts differ. */
const BEYOND_INTERVAL_MS = 2000

/**
 * How long an alert waits for others that may belong to the same outage: the servers of a group are queried in the course of an interval.
 * `size` is the number of servers in the group.
 */
export const groupingDelay = (
  { waitMs }: WebhookConfig,
  { change, target: { group } }: Alert,
  size: number
): number => {
  if (change.field !== "state" || size < SUMMARY_FROM) return 0
  return waitMs ?? Math.min(group.intervalMs, MAX_WAIT_MS) + BEYOND_INTERVAL_MS
}
