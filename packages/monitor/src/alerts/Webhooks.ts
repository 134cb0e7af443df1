/**
 * Sends alerts to webhooks when targets change. The alerts are sent in the order of the changes. Each alert is sent at least once, unless
 * the receiver rejects the alert, or the alert becomes too old. For each webhook, the store contains the number of a change, which is
 * called the position. All alerts about changes up to the position have been sent or skipped. After a crash, the monitor may send an alert
 * again, with the same id as before the crash.
 */
import { createHmac } from "node:crypto"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { type Plan, WEBHOOK_DEFAULTS, type WebhookConfig } from "../config/Config.ts"
import { Ownership } from "../fleet/Ownership.ts"
import { type Outbound, type Outcome, request, unreached } from "../outbound/request.ts"
import { secretIn } from "../outbound/secretIn.ts"
import { firstIdAt } from "../store/changeIds.ts"
import { type Change, Store } from "../store/Store.ts"
import { Monitor, type MonitorEvent } from "../watch/Monitor.ts"
import type { Watched } from "../watch/Watched.ts"
import {
  type Alert,
  listAlerts,
  combine,
  isSummary,
  EARLIER_CHANGES,
  type Message,
  STABLE_MS,
  judgeSteadiness,
  groupingDelay
} from "./grouping.ts"
import { isDeclared, formatRequest, type Values } from "./formats.ts"
import {
  makeAlert,
  formatBody,
  fitting,
  isResolved,
  keepsIncidents,
  formatTestBody,
  testValues,
  type MessageContext,
  valuesFor
} from "./message.ts"

const READ_AT_ONCE = 500
/** If at least this number of alerts is pending, the monitor tries to send the pending alerts before it reads further changes. */
const MOST_PENDING = 100_000

/** Maximum number of messages in one request. */
const SENT_AT_ONCE = 20

/**
 * Maximum number of incidents that the monitor reads from the store for one batch of {@link READ_AT_ONCE} changes. A batch can contain
 * changes from several incidents of the same server.
 */
const MOST_INCIDENTS = 20 * READ_AT_ONCE

/**
 * If a change is older than this time, the monitor sends no alert about the change, because an administrator can no longer react in time.
 */
const STALE_MS = 3_600_000

const FIRST_PAUSE_MS = 2000
const LONGEST_PAUSE_MS = 300_000

/**
 * The content of a request. If `formats.json` declares the format of the webhook, the request is built from `values`. For the other formats
 * (Sourcewire's JSON, Discord and Slack), `body` is the body of the request.
 */
interface Content {
  readonly values: () => Values
  readonly body: () => string
  readonly isResolved: boolean
}

/** Builds a request. Secrets, such as the token, are read from their files. If one of these files cannot be used, the promise rejects. */
const prepareRequest = async (context: MessageContext, content: Content): Promise<Outbound> => {
  const {
    allowLocal = false,
    format = WEBHOOK_DEFAULTS.format,
    headers = {},
    hmac,
    tokenFile,
    url: given,
    urlFile
  } = context.hook
  const url = urlFile === undefined ? given! : await secretIn(urlFile)
  if (!URL.canParse(url)) throw new Error(`${urlFile} does not contain a URL`)
  const token = tokenFile === undefined ? undefined : await secretIn(tokenFile)
  const made = isDeclared(format)
    ? formatRequest(format, url, token, content.values(), content.isResolved)
    : { url, method: "POST" as const, headers: { "content-type": "application/json" }, body: content.body() }
  const more = Object.entries(headers).map(([name, value]) => [
    name.toLowerCase(),
    value.replaceAll("{token}", () => token ?? "")
  ])
  const signature =
    hmac === undefined
      ? {}
      : {
          [(hmac.header ?? WEBHOOK_DEFAULTS.signatureHeader).toLowerCase()]: `sha256=${createHmac(
            "sha256",
            await secretIn(hmac.secretFile)
          )
            .update(made.body)
            .digest("hex")}`
        }
  return { ...made, headers: { ...made.headers, ...Object.fromEntries(more), ...signature }, allowLocal }
}

/**
 * Sends a request, without following redirects. The effect never fails. If a file with a secret cannot be read, nothing is sent, and the
 * outcome says that a retry may succeed.
 */
const postContent = (context: MessageContext, content: Content): Effect.Effect<Outcome> =>
  Effect.flatMap(
    Effect.promise(() => prepareRequest(context, content).catch((cause: unknown) => (cause as Error).message)),
    (outbound) => (typeof outbound === "string" ? Effect.succeed(unreached(outbound)) : request(outbound))
  )

/** Sends messages to a webhook, in one request. The effect never fails. */
export const post = (context: MessageContext, messages: ReadonlyArray<Message>): Effect.Effect<Outcome> =>
  postContent(context, {
    values: () => valuesFor(context, messages),
    body: () => formatBody(context, messages),
    isResolved: messages.length > 0 && isResolved(messages[0]!)
  })

/** Sends a message that only tests the webhook. The effect never fails. */
export const postTest = (context: MessageContext, nowMs: number): Effect.Effect<Outcome> =>
  postContent(context, {
    values: () => testValues(context, nowMs),
    body: () => formatTestBody(context.hook),
    isResolved: false
  })

const countTargets = ({ targets }: Plan): ReadonlyMap<string, number> => {
  const sizes = new Map<string, number>()
  for (const { name } of targets.values()) sizes.set(name, (sizes.get(name) ?? 0) + 1)
  return sizes
}

/**
 * Creates the effect that delivers the alerts of one webhook. Each run of the effect reads new changes from the store, and sends the alerts
 * that are due. Therefore the caller must run the effect repeatedly.
 */
const makeDelivery = Effect.fnUntraced(function* (hook: WebhookConfig, onEvent: (event: MonitorEvent) => void) {
  const monitor = yield* Monitor
  const store = yield* Store
  /** Alerts that have neither been sent nor been skipped yet, the oldest first. */
  let pending: ReadonlyArray<Alert> = []
  /** When the change of the oldest pending alert was read from the store. */
  let pendingSince = 0
  let dueAt = 0
  /** The number of the last change that was read from the store; `undefined` before the first change was read. */
  let readTo: number | undefined
  /** The position of the webhook, as the comment at the top of this file explains; `undefined` before the first reading. */
  let position: number | undefined
  /** For each flapping server: the alert about its last change of state. */
  const flapping = new Map<number, Alert>()
  /**
   * The incident that the receiver has opened for a server that is down: either an incident of this server (`server`), or an incident of
   * its group (`group`). After a restart, the map is empty, although the receiver may still have open incidents.
   */
  const reportedBy = new Map<number, "server" | "group">()
  let sizes: readonly [plan: Plan, sizes: ReadonlyMap<string, number>] | undefined

  const groupSize = (group: string): number => {
    const plan = monitor.plan()
    if (sizes?.[0] !== plan) sizes = [plan, countTargets(plan)]
    return sizes[1].get(group) ?? 0
  }

  /**
   * Whether an alert is skipped. An alert is skipped if the server was muted at the time of the change. The alert about the first state of
   * a server is also skipped if a source lists the server, because many servers in the lists of sources never reply.
   */
  const isLeftOut = ({ change, target }: Alert): boolean => {
    const isNew = change.field === "state" && change.from === "unknown"
    return monitor.mutes.isMuted(target, change.at) || (isNew && monitor.plan().foundIn.has(target.address))
  }

  /** Converts changes to alerts. An alert about a change of state also contains the incident that the change began or ended. */
  const read = Effect.fnUntraced(function* (changes: ReadonlyArray<Change>) {
    yield* monitor.refresh(changes.flatMap(({ target }) => monitor.targets.get(target) ?? []))
    const now = yield* Clock.currentTimeMillis
    const alerts = changes.flatMap((change) => {
      const alert = makeAlert(hook, change, monitor.targets.get(change.target))
      return alert === undefined || now - change.at > STALE_MS || isLeftOut(alert) ? [] : [alert]
    })
    const ofState = alerts.filter(({ change }) => change.field === "state")
    if (ofState.length === 0) return alerts
    const times = ofState.map(({ change }) => change.at)
    const incidents = yield* store.incidents({
      target: [...new Set(ofState.map(({ target }) => target.id))],
      fromMs: Math.min(...times),
      toMs: Math.max(...times) + 1,
      limit: MOST_INCIDENTS
    })
    const byTarget = Map.groupBy(incidents, ({ target }) => target)
    return alerts.map((alert): Alert => {
      const { at, to } = alert.change
      const own = alert.change.field === "state" ? (byTarget.get(alert.target.id) ?? []) : []
      const incident = own.find((one) => (to === "up" ? one.to === at : one.from <= at && (one.to ?? at) >= at))
      return { ...alert, incident }
    })
  })

  const readEarlier = ({ change, target }: Alert) =>
    store.changes({ target: target.id, field: "state", before: change.id, limit: EARLIER_CHANGES })

  /**
   * Converts pending alerts to messages. If a message has reported that a server is flapping, further alerts about its state are skipped
   * until the server is stable.
   */
  const makeMessages = Effect.fnUntraced(function* (alerts: ReadonlyArray<Alert>) {
    const messages: Array<Message> = []
    const combined = combine(alerts.filter(({ isWanted }) => isWanted))
    const summarised = new Set(combined.filter(isSummary).flatMap((summary) => summary.alerts))
    const messageByAlert = new Map(combined.map((message) => [listAlerts(message)[0], message]))
    for (const alert of alerts) {
      if (summarised.has(alert) || alert.change.field !== "state") {
        const message = messageByAlert.get(alert)
        if (message !== undefined) messages.push(message)
        continue
      }
      const steadiness = judgeSteadiness(alert.change, yield* readEarlier(alert))
      if (steadiness === "steady" && alert.isWanted) messages.push(alert)
      if (steadiness === "flapping") messages.push({ ...alert, kind: "flapping" })
      if (steadiness !== "steady") flapping.set(alert.target.id, alert)
    }
    return messages
  })

  /**
   * Whether the incident of a group must remain open because this server is still down. If the alerts of the server are skipped, the server
   * does not keep the incident open. If it did, the incident would never end, because no alert would report the recovery of this server.
   */
  const keepsGroupDown = (target: Watched, now: number): boolean =>
    target.isWatched &&
    target.known.state === "down" &&
    reportedBy.get(target.id) !== "server" &&
    !monitor.mutes.isMuted(target, now) &&
    !(target.known.last === undefined && monitor.plan().foundIn.has(target.address))

  /** Returns the names of the groups whose incident must remain open. Only groups that appear in the messages are checked. */
  const findDownGroups = Effect.fnUntraced(function* (messages: ReadonlyArray<Message>) {
    const groups = new Set(messages.map((message) => listAlerts(message)[0]!.target.group.name))
    const targets = [...monitor.targets.values()].filter(({ group }) => groups.has(group.name))
    yield* monitor.refresh(targets)
    const now = yield* Clock.currentTimeMillis
    return new Set(targets.filter((target) => keepsGroupDown(target, now)).map(({ group }) => group.name))
  })

  /**
   * Some receivers manage incidents: they open an incident for an outage, and close it when a message reports the end of the outage. For
   * these receivers, this function replaces each message about recoveries by one message for each incident that ends. Servers may go down
   * together and recover one by one, or go down one by one and recover together. Therefore the receiver may have an incident for each
   * server, or an incident for the whole group. The recovery of a server ends the incident of the server, and the last recovery in a group
   * ends the incident of the group. If a message ends an incident that the receiver does not have, the receiver ignores the message.
   */
  const endIncidents = Effect.fnUntraced(function* (messages: ReadonlyArray<Message>) {
    if (!keepsIncidents(hook)) return messages
    const isOfGroup = new Set<Alert>()
    for (const message of messages) {
      for (const alert of listAlerts(message)) {
        const { id } = alert.target
        const earlier = reportedBy.get(id)
        if (alert.event === "down") reportedBy.set(id, isSummary(message) ? (earlier ?? "group") : "server")
        if (alert.event !== "up") continue
        if (earlier === "group") isOfGroup.add(alert)
        reportedBy.delete(id)
      }
    }
    const ups = messages.filter(isResolved)
    if (ups.length === 0) return messages
    const downGroups = yield* findDownGroups(ups)
    const lastUps = new Map(ups.flatMap(listAlerts).map((alert) => [alert.target.group.name, alert]))
    const split = (alert: Alert): ReadonlyArray<Message> => {
      const { event, target } = alert
      const own = isOfGroup.has(alert) ? [] : [alert]
      const isLast = lastUps.get(target.group.name) === alert && !downGroups.has(target.group.name)
      return isLast ? [...own, { event, group: target.group, reason: "", alerts: [alert] }] : own
    }
    return messages.flatMap((message) => (isResolved(message) ? listAlerts(message).flatMap(split) : [message]))
  })

  /** Changes the position of the webhook. The store writer writes the new position to the store with its next transaction. */
  const moveTo = (id: number): void => {
    if (position === id) return
    position = id
    monitor.writer.setPosition(hook.name, id)
  }

  /**
   * Adopts the stored position if another instance has stored a later position. Otherwise, this instance would repeat alerts that the other
   * instance has already sent.
   */
  const followStored = Effect.gen(function* () {
    const stored = yield* store.webhookPosition(hook.name)
    if (stored === undefined || position === undefined || stored <= position) return false
    position = stored
    readTo = Math.max(readTo ?? 0, stored)
    pending = pending.filter(({ change }) => change.id > stored)
    return true
  })

  /**
   * Sends messages. If the receiver neither accepts nor rejects the messages, the request is repeated until the oldest of the reported
   * changes is too old. Returns `false` if another instance has sent alerts of this webhook in the meantime.
   */
  const send = Effect.fnUntraced(function* (messages: ReadonlyArray<Message>) {
    const oldest = Math.min(...messages.flatMap(listAlerts).map(({ change }) => change.at))
    let pauseMs = FIRST_PAUSE_MS
    for (;;) {
      if (yield* followStored) return false
      const context = { hook, pageUrl: monitor.plan().pageUrl }
      const { isPassing, message, retryAfterMs, status } = yield* post(context, messages)
      if (status >= 200 && status < 300) return true
      const level = isPassing ? "warn" : "error"
      onEvent({ level, event: "webhook", message: `webhook ${hook.name} did not accept alerts: ${message}` })
      if (!isPassing || (yield* Clock.currentTimeMillis) - oldest > STALE_MS) return true
      yield* Effect.sleep(Math.min(LONGEST_PAUSE_MS, Math.max(retryAfterMs, pauseMs)))
      pauseMs *= 2
    }
  })

  const sendAll = Effect.fnUntraced(function* (messages: ReadonlyArray<Message>) {
    for (let rest = messages; rest.length > 0;) {
      const context = { hook, pageUrl: monitor.plan().pageUrl }
      const some = rest.slice(0, fitting(context, rest.slice(0, SENT_AT_ONCE)))
      rest = rest.slice(some.length)
      if (!(yield* send(some))) return
      const sent = new Set(some.flatMap(listAlerts).map(({ change }) => change.id))
      // When the last server of a group recovers, its alert can be in two messages: one about the server, and one about the group. This
      // alert remains pending until both messages are sent.
      for (const { change } of rest.flatMap(listAlerts)) sent.delete(change.id)
      pending = pending.filter(({ change }) => !sent.has(change.id))
      moveTo(Math.max(position!, pending.length === 0 ? readTo! : pending[0]!.change.id - 1))
      // The position is written to the store after each request. If another instance takes over, it repeats only alerts that were sent
      // after the last write of the position.
      yield* monitor.writer.flush
      yield* Effect.sleep(60_000 / (hook.perMinute ?? WEBHOOK_DEFAULTS.perMinute))
    }
  })

  /**
   * Builds messages about flapping servers that are stable again. A server is stable if its state has not changed for {@link STABLE_MS}.
   */
  const stableAgain = Effect.fnUntraced(function* (now: number) {
    const messages: Array<Alert> = []
    for (const [id, alert] of flapping) {
      if (now - alert.change.at < STABLE_MS) continue
      const [newest] = yield* store.changes({ target: id, field: "state", limit: 1 })
      flapping.delete(id)
      const isAlerted = monitor.targets.has(id) && !monitor.mutes.isMuted(alert.target, now)
      if (newest?.id === alert.change.id && isAlerted) messages.push({ ...alert, kind: "stable" })
    }
    return combine(messages)
  })

  /**
   * Prepares the first run: reads the position of the webhook from the store, and finds the servers that were flapping before this instance
   * started.
   */
  const begin = Effect.gen(function* () {
    const stored = yield* store.webhookPosition(hook.name)
    const [newest] = yield* store.changes({ limit: 1 })
    // If the store contains no position, the webhook is new. The monitor sends a new webhook no alerts about changes that are already in
    // the store.
    const start = stored ?? newest?.id ?? 0
    const since = firstIdAt((yield* Clock.currentTimeMillis) - STABLE_MS)
    const recent = yield* store.changes({ field: "state", after: since, before: start + 1, limit: READ_AT_ONCE })
    const alerts = recent.flatMap((change) => makeAlert(hook, change, monitor.targets.get(change.target)) ?? [])
    for (const alert of new Map(alerts.map((alert) => [alert.target.id, alert])).values()) {
      if (judgeSteadiness(alert.change, yield* readEarlier(alert)) !== "steady") flapping.set(alert.target.id, alert)
    }
    readTo = start
    if (stored === undefined) moveTo(start)
    else position = stored
  })

  /**
   * Adds new alerts to `pending`, and computes when the pending alerts are due. Alerts wait because the same outage may affect further
   * servers, and the monitor detects this later. The wait begins when the change of the oldest pending alert is read from the store.
   */
  const take = (alerts: ReadonlyArray<Alert>, now: number): void => {
    if (pending.length === 0) pendingSince = dueAt = now
    for (const alert of alerts) {
      dueAt = Math.max(dueAt, pendingSince + groupingDelay(hook, alert, groupSize(alert.target.group.name)))
    }
    pending = [...pending, ...alerts]
  }

  /** Reads new changes from the store, and sends the pending alerts if they are due. */
  return Effect.gen(function* () {
    if (readTo === undefined || position === undefined) yield* begin
    yield* followStored
    for (let isMore = true; isMore;) {
      const changes = yield* store.changes({ after: readTo, limit: READ_AT_ONCE })
      take(yield* read(changes), yield* Clock.currentTimeMillis)
      readTo = changes.at(-1)?.id ?? readTo
      isMore = changes.length === READ_AT_ONCE && pending.length < MOST_PENDING
    }
    const now = yield* Clock.currentTimeMillis
    if (pending.length === 0) moveTo(readTo!)
    else if (now >= dueAt) {
      const messages = yield* endIncidents(yield* makeMessages(pending))
      const kept = new Set(messages.flatMap(listAlerts).map(({ change }) => change.id))
      pending = pending.filter(({ change }) => kept.has(change.id))
      yield* sendAll(messages)
      if (pending.length === 0) moveTo(Math.max(position!, readTo!))
    }
    yield* sendAll(yield* endIncidents(yield* stableAgain(now)))
    // If this effect fails, `reportedBy` may already contain servers whose messages were not sent. Therefore `reportedBy` is cleared. The
    // next run of this effect builds the messages about the pending alerts again.
  }).pipe(Effect.onError(() => Effect.sync(() => reportedBy.clear())))
})

const run = Effect.fnUntraced(function* (onEvent: (event: MonitorEvent) => void) {
  const monitor = yield* Monitor
  const running = new Set<WebhookConfig>()
  const runOne = (hook: WebhookConfig) =>
    Effect.gen(function* () {
      const deliver = yield* makeDelivery(hook, onEvent)
      while (monitor.plan().webhooks.includes(hook)) {
        // Errors of the store are ignored here, because the store writer logs them.
        yield* Effect.ignore(deliver)
        yield* Effect.sleep("1 second")
      }
    }).pipe(Effect.ensuring(Effect.sync(() => running.delete(hook))))

  const poll = Effect.gen(function* () {
    for (const hook of monitor.plan().webhooks) {
      if (running.has(hook)) continue
      running.add(hook)
      yield* Effect.forkScoped(runOne(hook))
    }
    yield* Effect.sleep("1 second")
  })
  return yield* Effect.forever(poll)
}, Effect.scoped)

/**
 * Sends alerts to the webhooks of the monitor's plan until the scope closes. If the plan changes, the alerts are sent to the webhooks of
 * the new plan. If several monitors share a store, only one of them sends alerts.
 */
export const runWebhooks = (onEvent: (event: MonitorEvent) => void) =>
  Effect.flatMap(Ownership, ({ only }) => only("webhooks", run(onEvent)))
