/**
 * Decides which alerts are combined. If many servers of a group change for the same reason, a summary replaces their alerts. If a server
 * goes up and down repeatedly, one message reports that it is flapping. The functions are pure: they use no clock and no store.
 */
import type { EVENTS, Group, WebhookConfig } from "../config/Config.ts"
import type { Change, StoredIncident } from "../store/Store.ts"
import type { Watched } from "../watch/Watched.ts"

/** The events that a webhook can report. */
export type AlertEvent = (typeof EVENTS)[number]

/** A change of a server that a webhook reports, or that is needed to detect a flapping server. */
export interface Alert {
  readonly event: AlertEvent
  readonly change: Change
  readonly target: Watched
  /** Whether the webhook reports this event. An alert that is not reported is only used to detect a flapping server. */
  readonly isWanted: boolean
  /** The incident that has begun or ended. */
  readonly incident?: StoredIncident | undefined
  /** `flapping`: the state changes repeatedly. `stable`: the state of a flapping server has not changed for {@link STABLE_MS}. */
  readonly kind?: "flapping" | "stable" | undefined
}

/**
 * Alerts of many servers in one group with the same event and the same reason. The message about the end of a group's incident is also a
 * summary. This summary contains only the alert of the server that recovered last.
 */
export interface Summary {
  readonly event: AlertEvent
  readonly group: Group
  /** The tag of the error if the servers are down; otherwise an empty text. */
  readonly reason: string
  readonly alerts: ReadonlyArray<Alert>
}

export type Message = Alert | Summary

export const isSummary = (message: Message): message is Summary => "alerts" in message

/** The alerts that a message reports. */
export const listAlerts = (message: Message): ReadonlyArray<Alert> => (isSummary(message) ? message.alerts : [message])

/** Minimum number of servers for a summary. A summary reports that servers of a group have changed for the same reason. */
export const SUMMARY_FROM = 5

/** A server is stable if its state has not changed for this time. */
export const STABLE_MS = 600_000

/**
 * If the state has changed this number of times since the server was last stable, the next change makes the server flapping. For example,
 * after down and up, the next down makes the server flapping.
 */
const CHANGES_BEFORE_FLAPPING = 2

/**
 * Number of earlier changes that {@link judgeSteadiness} needs. The first {@link CHANGES_BEFORE_FLAPPING} changes are needed to detect that
 * the server is flapping. One more change is needed to detect that the server was already flapping before the current change
 * (`stillFlapping`).
 */
export const EARLIER_CHANGES = CHANGES_BEFORE_FLAPPING + 1

/**
 * Counts the changes of state between the last stable period and a change. `earlier` contains the changes before this change, the newest
 * first.
 */
const unsteadyBefore = (change: Change, earlier: ReadonlyArray<Change>): number => {
  let later = change
  const end = earlier.findIndex((one) => {
    const isSteady = later.at - one.at >= STABLE_MS
    later = one
    return isSteady
  })
  return end < 0 ? earlier.length : end
}

/** Decides whether a target is flapping. `earlier` contains up to {@link EARLIER_CHANGES} changes before `change`, the newest first. */
export const judgeSteadiness = (
  change: Change,
  earlier: ReadonlyArray<Change>
): "steady" | "flapping" | "stillFlapping" => {
  const before = unsteadyBefore(change, earlier)
  if (before < CHANGES_BEFORE_FLAPPING) return "steady"
  return before === CHANGES_BEFORE_FLAPPING ? "flapping" : "stillFlapping"
}

/** Combines alerts into messages. The messages are sorted by the position of their first alert in `alerts`. */
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

/**
 * Maximum time for which alerts wait for further alerts of the same outage, if the webhook has no `waitMs`. {@link BEYOND_INTERVAL_MS} is
 * added to this time.
 */
const MAX_WAIT_MS = 60_000
/**
 * How long alerts wait after the end of the query interval. The last server of a group is queried at the end of the interval, and its
 * result is known some time later.
 */
const BEYOND_INTERVAL_MS = 2000

/**
 * How long an alert waits for further alerts of the same outage. The servers of a group are queried at different times within an interval,
 * so their alerts do not arrive together. `size` is the number of servers in the group.
 */
export const groupingDelay = (
  { waitMs }: WebhookConfig,
  { change, target: { group } }: Alert,
  size: number
): number => {
  if (change.field !== "state" || size < SUMMARY_FROM) return 0
  return waitMs ?? Math.min(group.intervalMs, MAX_WAIT_MS) + BEYOND_INTERVAL_MS
}
