/**
 * Tells webhooks of changes, in their order and at least once: each has a mark in the store up to which it was told, which moves when it
 * has answered. After a crash it may hear of the same change again, by the same id.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { WebhookConfig } from "../config/Config.ts"
import { Ownership } from "../fleet/Ownership.ts"
import { Store } from "../store/Store.ts"
import { Monitor, type MonitorEvent } from "../watch/Monitor.ts"
import { type Alert, alertOf, bodyOf } from "./message.ts"
import { request } from "../outbound/request.ts"

/** So many changes are looked at, and so many alerts told, at a time. */
const LOOKED_AT = 500
const TOLD_AT_ONCE = 20

/** What is older than this when it could be told is left out: nobody wants yesterday's alarm. */
const STALE_MS = 3_600_000

const FIRST_PAUSE_MS = 2000
const LONGEST_PAUSE_MS = 300_000
const USUAL_PER_MINUTE = 30

/** Posts JSON; never fails, and follows no redirection. */
export const post = ({ allowLocal = false, url }: Pick<WebhookConfig, "allowLocal" | "url">, body: string) =>
  request({ url, method: "POST", headers: { "content-type": "application/json" }, body, allowLocal })

const run = Effect.fnUntraced(function* (onEvent: (event: MonitorEvent) => void) {
  const monitor = yield* Monitor
  const store = yield* Store
  /** Up to which change each was told; what is in the store may be a second behind. */
  const marks = new Map<string, number>()

  const markOf = Effect.fnUntraced(function* (name: string) {
    const known = marks.get(name) ?? (yield* store.told(name))
    if (known !== undefined) return known
    // A new webhook is not told what happened before it was there.
    const [newest] = yield* store.changes({ limit: 1 })
    return newest?.id ?? 0
  })
  const move = (name: string, id: number): void => {
    marks.set(name, id)
    monitor.keeper.mark(name, id)
  }

  const tell = Effect.fnUntraced(function* (hook: WebhookConfig, alerts: ReadonlyArray<Alert>) {
    let pauseMs = FIRST_PAUSE_MS
    for (;;) {
      const { isPassing, message, retryAfterMs, status } = yield* post(hook, bodyOf(hook, alerts))
      if (status >= 200 && status < 300) return
      const level = isPassing ? "warn" : "error"
      onEvent({ level, event: "webhook", message: `webhook ${hook.name} was not told: ${message}` })
      if (!isPassing || (yield* Clock.currentTimeMillis) - alerts[0]!.change.at > STALE_MS) return
      yield* Effect.sleep(Math.min(LONGEST_PAUSE_MS, Math.max(retryAfterMs, pauseMs)))
      pauseMs *= 2
    }
  })

  /** Tells what there is to tell: of the changes that are stored by now. */
  const round = Effect.fnUntraced(function* (hook: WebhookConfig) {
    const mark = yield* markOf(hook.name)
    if (!marks.has(hook.name)) move(hook.name, mark)
    const changes = yield* store.changes({ after: mark, limit: LOOKED_AT })
    yield* monitor.refresh(changes.flatMap(({ target }) => monitor.targets.get(target) ?? []))
    const now = yield* Clock.currentTimeMillis
    const alerts = changes.flatMap((change) => {
      const alert = now - change.at > STALE_MS ? undefined : alertOf(hook, change, monitor.targets.get(change.target))
      return alert === undefined ? [] : [alert]
    })
    for (let from = 0; from < alerts.length; from += TOLD_AT_ONCE) {
      const some = alerts.slice(from, from + TOLD_AT_ONCE)
      yield* tell(hook, some)
      move(hook.name, some.at(-1)!.change.id)
      yield* Effect.sleep(60_000 / (hook.perMinute ?? USUAL_PER_MINUTE))
    }
    const last = changes.at(-1)?.id ?? mark
    if (marks.get(hook.name) !== last) move(hook.name, last)
  })

  const running = new Set<WebhookConfig>()
  const runOne = (hook: WebhookConfig) =>
    Effect.gen(function* () {
      while (monitor.plan().webhooks.includes(hook)) {
        // A store that is away is the keeper's to complain about.
        yield* Effect.ignore(round(hook))
        yield* Effect.sleep("1 second")
      }
    }).pipe(Effect.ensuring(Effect.sync(() => running.delete(hook))))

  const look = Effect.gen(function* () {
    for (const hook of monitor.plan().webhooks) {
      if (running.has(hook)) continue
      running.add(hook)
      yield* Effect.forkScoped(runOne(hook))
    }
    yield* Effect.sleep("1 second")
  })
  return yield* Effect.forever(look)
}, Effect.scoped)

/** Runs the webhooks of the monitor's plan, for the life of the scope; follows its changes. Of many monitors on one store one does. */
export const runWebhooks = (onEvent: (event: MonitorEvent) => void) =>
  Effect.flatMap(Ownership, ({ only }) => only("webhooks", run(onEvent)))
