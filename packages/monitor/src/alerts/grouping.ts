/**
 * Decides which alerts are combined into one message. If the state of many servers in a group changes for the same reason, a summary
 * replaces the alerts about these servers. If the state of a server changes repeatedly, a single message reports that the server is
 * flapping. The functions are pure: they use no clock and no store.
 */
import type { EVENTS, Group, WebhookConfig } from "../config/Config.ts"
import type { Change, StoredIncident } from "../store/Store.ts"
import type { Watched } from "../watch/Watched.ts"

/** The events that a webhook can report. */
export type AlertEvent = (typeof EVENTS)[number]

/**
 * A change of a server, as a possible alert of a webhook. If the webhook does not report the change, the alert is only needed to detect
 * that the server is flapping.
 */
export interface Alert {
  readonly event: AlertEvent
  readonly change: Change
  readonly target: Watched
  /** Whether the webhook reports this event. */
  readonly isWanted: boolean
  /** The incident that began or ended with this change. */
  readonly incident?: StoredIncident | undefined
  /** `flapping`: the state changes repeatedly. `stable`: the state of a flapping server has not changed for {@link STABLE_MS}. */
  readonly kind?: "flapping" | "stable" | undefined
}

/**
 * A message that replaces the alerts of many servers in one group. All these alerts have the same event and the same reason. The message
 * about the end of a group's incident is also a `Summary`, but contains only the alert of the server that recovered last.
 */
export interface Summary {
  readonly event: AlertEvent
  readonly group: Group
  /** If the servers are down, this is the tag of their error, for example `Timeout`. Otherwise, this is empty. */
  readonly reason: string
  readonly alerts: ReadonlyArray<Alert>
}

export type Message = Alert | Summary

export const isSummary = (message: Message): message is Summary => "alerts" in message

/** The alerts that a message contains: one alert, or all alerts of a summary. */
export const listAlerts = (message: Message): ReadonlyArray<Alert> => (isSummary(message) ? message.alerts : [message])

/**
 * Minimum number of servers in a summary. If the state of at least this number of servers in a group changes for the same reason, a summary
 * replaces the alerts about these servers.
 */
export const SUMMARY_FROM = 5

/** A server is stable if its state has not changed for this time. */
export const STABLE_MS = 600_000

/**
 * If the state has changed this number of times since the server was last stable, the next change makes the server flapping. For example,
 * after down and up, the next down makes the server flapping.
 */
const CHANGES_BEFORE_FLAPPING = 2

/**
 * Number of changes before the current change that {@link judgeSteadiness} needs. The newest {@link CHANGES_BEFORE_FLAPPING} of these
 * changes show whether the server is flapping after the current change. The oldest of these changes shows whether the server was already
 * flapping before the current change (`stillFlapping`).
 */
export const EARLIER_CHANGES = CHANGES_BEFORE_FLAPPING + 1

/**
 * Counts the changes of state since the server was last stable. `change` is not counted. `earlier` contains the changes before `change`,
 * the newest first.
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

/**
 * Decides whether a target is flapping after a change. `earlier` contains up to {@link EARLIER_CHANGES} changes before `change`, the newest
 * first.
 */
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
 * If the webhook has no `waitMs`, an alert waits for one query interval of its group, but at most for `MAX_WAIT_MS`. Then the alert waits
 * for {@link BEYOND_INTERVAL_MS}.
 */
const MAX_WAIT_MS = 60_000
/**
 * How long alerts wait after the end of the query interval. The monitor may query the last server of a group at the end of the interval,
 * and the result of this query is known some time later.
 */
const BEYOND_INTERVAL_MS = 2000

/**
 * How long an alert waits for further alerts of the same outage. The monitor queries the servers of a group at different times within an
 * interval. Therefore, if all servers of a group go down at once, the monitor may need a whole interval to detect this. `size` is the
 * number of servers in the group.
 */
export const groupingDelay = (
  { waitMs }: WebhookConfig,
  { change, target: { group } }: Alert,
  size: number
): number => {
  if (change.field !== "state" || size < SUMMARY_FROM) return 0
  return waitMs ?? Math.min(group.intervalMs, MAX_WAIT_MS) + BEYOND_INTERVAL_MS
}
