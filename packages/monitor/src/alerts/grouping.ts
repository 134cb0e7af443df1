/**
 * Decides which alerts are combined. If many servers of a group change for the same reason, their alerts become one summary. If a server
 * goes up and down repeatedly, its alerts become one. Pure: no clock, no store.
 */
import type { EVENTS, Group, WebhookConfig } from "../config/Config.ts"
import type { Change, StoredIncident } from "../store/Store.ts"
import type { Watched } from "../watch/Watched.ts"

/** The events that a webhook can be sent. */
export type AlertEvent = (typeof EVENTS)[number]

/** A change of a server, for a webhook. */
export interface Alert {
  readonly event: AlertEvent
  readonly change: Change
  readonly target: Watched
  /** Whether the webhook reports this event. Other changes of state are only used to detect a flapping server. */
  readonly isWanted: boolean
  /** The incident that has begun or ended. */
  readonly incident?: StoredIncident | undefined
  /** `flapping`: the state changes repeatedly. `stable`: a flapping server has kept its state for a while. */
  readonly kind?: "flapping" | "stable" | undefined
}

/** Alerts of many servers of one group: the same event for the same reason. The end of a group's incident has the alert of its last server. */
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

/** From this number of servers on, changes in a group for the same reason become one summary. */
export const SUMMARY_FROM = 5

/** A server whose state changes again within this time is not stable. */
export const STABLE_MS = 600_000

/** A server flaps from its third change of state on: down, up, down. */
const CHANGES_BEFORE_FLAPPING = 2

/** Number of earlier changes of state that are needed to detect a flapping server. */
export const EARLIER_CHANGES = CHANGES_BEFORE_FLAPPING + 1

/** Counts the changes of state before a change, up to the last stable period. `earlier` begins with the newest. */
const unsteadyBefore = (change: Change, earlier: ReadonlyArray<Change>): number => {
  let later = change
  const end = earlier.findIndex((one) => {
    const isSteady = later.at - one.at >= STABLE_MS
    later = one
    return isSteady
  })
  return end < 0 ? earlier.length : end
}

/** Decides whether a target flaps, from a change of its state and the {@link EARLIER_CHANGES} before it, the newest first. */
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

/** Maximum time for which alerts wait for others of the same outage. */
const MAX_WAIT_MS = 60_000
/** Additional wait after the interval, because the servers of a group have different timeouts. */
const BEYOND_INTERVAL_MS = 2000

/**
 * How long an alert waits for others that may belong to the same outage. The servers of a group are queried at different times within an
 * interval. `size` is the number of servers in the group.
 */
export const groupingDelay = (
  { waitMs }: WebhookConfig,
  { change, target: { group } }: Alert,
  size: number
): number => {
  if (change.field !== "state" || size < SUMMARY_FROM) return 0
  return waitMs ?? Math.min(group.intervalMs, MAX_WAIT_MS) + BEYOND_INTERVAL_MS
}
