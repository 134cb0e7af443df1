/** Handlers of the API. */
import { displayText } from "@sourcewire/core/text"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { postTest } from "../alerts/Webhooks.ts"
import { WEBHOOK_DEFAULTS, type WebhookConfig } from "../config/Config.ts"
import { Consoles } from "../consoles/Consoles.ts"
import { Ownership } from "../fleet/Ownership.ts"
import { FleetStatusService } from "../fleet/FleetStatusService.ts"
import { BUCKET_MS, DAY_MS, HOUR_MS, startOfHour } from "../history/HourSamples.ts"
import { findOrigins } from "../sources/merge.ts"
import { makeUptimes } from "../history/uptime.ts"
import { Store } from "../store/Store.ts"
import { Monitor } from "../watch/Monitor.ts"
import type { Mute } from "../watch/Mutes.ts"
import type { Watched } from "../watch/Watched.ts"
import {
  Api,
  NoHistory,
  NoList,
  NoMute,
  NoWebhook,
  NotAdded,
  NoTarget,
  NotRemoved,
  type Overview,
  type TargetRow,
  Unfit,
  type WebhookRow
} from "./Api.ts"
import type { FleetStatus } from "../fleet/FleetStatus.ts"
import { makeIncidentReader, parseMark } from "./incidents.ts"
import { makeLocationReader } from "./locations.ts"
import { Listing } from "./listing.ts"
import { STORE_TROUBLE, STORE_UNREADABLE } from "./storeTrouble.ts"
import { makePreview } from "./preview.ts"
import { makeReporter } from "./report.ts"
import { listSourceRows, sourceWarnings } from "./sources.ts"
import type { NewServers, TargetList } from "./targetList.ts"
import {
  byStrength,
  toChangeRow,
  toConsoleDetail,
  summarizeDay,
  toFindingRows,
  isKnown,
  toMuteRow,
  toTargetRow,
  listSamples,
  toUptimes,
  findStrongest
} from "./views.ts"

const DEFAULT_PAGE = 100
/** Time for which the overview is cached, so that many readers cause only one computation. */
const COUNTED = "1 second"
/** Maximum number of changes in the details of a target. */
const SHOWN_CHANGES = 20

const noHistory = (): NoHistory => new NoHistory({ message: STORE_UNREADABLE })

/** Replaces database errors in the status with general messages, because a database error can contain the address of the database. */
const withoutSecrets = ({ runners, trouble, ...status }: typeof FleetStatus.Type): typeof FleetStatus.Type => ({
  ...status,
  ...(trouble === undefined ? {} : { trouble: STORE_UNREADABLE }),
  runners: runners.map(({ report, ...runner }) => ({
    ...runner,
    ...(report === undefined
      ? {}
      : { report: report.storeTrouble === undefined ? report : { ...report, storeTrouble: STORE_TROUBLE } })
  }))
})

const chooseStep = (step: "5m" | "1h" | undefined, spanMs: number): number =>
  (step ?? (spanMs <= 2 * DAY_MS ? "5m" : "1h")) === "5m" ? BUCKET_MS : HOUR_MS

type Day = ReturnType<typeof summarizeDay>

const unfit = ({ message }: { readonly message: string }): Unfit => new Unfit({ message })

/** Minimum pause between two tests of a webhook, so that a client cannot flood the receiver. */
const TEST_PAUSE_MS = 5000

const toWebhookRow = ({
  events = WEBHOOK_DEFAULTS.events,
  format = WEBHOOK_DEFAULTS.format,
  groups,
  name,
  url
}: WebhookConfig): WebhookRow => ({
  name,
  format,
  host: url === undefined ? "(in a file)" : new URL(url).host,
  events,
  ...(groups === undefined ? {} : { groups })
})

const NO_LIST = { message: "This monitor takes its servers from its configuration. Change them there." }

interface HandlerOptions {
  /** Whether the monitor stores history. */
  readonly history: boolean
  /** The list of targets that clients can change over HTTP. Absent if clients cannot change the targets. */
  readonly list?: TargetList | undefined
}

export const handlers = ({ history, list }: HandlerOptions) =>
  HttpApiBuilder.group(
    Api,
    "targets",
    Effect.fnUntraced(function* (group) {
      const monitor = yield* Monitor
      const store = yield* Store
      const { isShared } = yield* Ownership
      const fleetStatus = yield* FleetStatusService
      const locations = yield* makeLocationReader
      const consoles = yield* Consoles
      const listing = new Listing()
      const countAll = (): typeof Overview.Type => {
        const counts = { up: 0, down: 0, unknown: 0, muted: 0, players: 0, maxPlayers: 0 }
        for (const target of monitor.targets.values()) {
          const { known } = target
          counts[monitor.muted(target) === undefined ? known.state : "muted"]++
          if (known.state !== "up") continue
          counts.players += known.last?.summary.players ?? 0
          counts.maxPlayers += known.last?.summary.maxPlayers ?? 0
        }
        const { lost, error: trouble } = monitor.writer
        const warnings = sourceWarnings(monitor)
        return {
          targets: monitor.targets.size,
          ...counts,
          groups: [...new Set([...monitor.plan().targets.values()].map(({ name }) => name))],
          history,
          adds: list !== undefined,
          shared: isShared,
          verdicts: monitor.plan().hasVerdicts,
          publicStatus: [...monitor.plan().publicStatus],
          ...(trouble === undefined ? {} : { storeTrouble: STORE_TROUBLE }),
          ...(warnings.length === 0 ? {} : { warnings }),
          lost
        }
      }
      const overview = yield* Effect.cachedWithTTL(Effect.map(monitor.refresh(), countAll), COUNTED)

      const findStrongestFor = ({ id }: Watched): TargetRow["findings"] => findStrongest(monitor.findings(id))
      const rowFor = (target: Watched): TargetRow =>
        toTargetRow(target, monitor.muted(target), findStrongestFor(target))
      const uptimes = makeUptimes(store)
      const watched = Effect.fnUntraced(function* (id: number) {
        return monitor.targets.get(id) ?? (yield* new NoTarget({ message: `No target has the number ${id}.` }))
      })
      const readChanges = (query: Parameters<(typeof store)["changes"]>[0]) =>
        store.changes(query).pipe(
          Effect.map((changes) =>
            changes.filter(isKnown).map((change) => toChangeRow(change, monitor.targets.get(change.target)))
          ),
          Effect.mapError(noHistory)
        )

      const incidents = makeIncidentReader(monitor, store)
      const report = makeReporter(monitor, store)

      const preview = yield* makePreview
      /** When each webhook was last tested. */
      const tested = new Map<string, number>()
      const webhook = Effect.fnUntraced(function* (name: string) {
        const hook = monitor.plan().webhooks.find((one) => one.name === name)
        return hook ?? (yield* new NoWebhook({ message: `There is no webhook ${displayText(name)}.` }))
      })
      const addTo = Effect.fnUntraced(function* (servers: NewServers) {
        if (list === undefined) return yield* new NoList(NO_LIST)
        return yield* Effect.mapError(list.add(servers), ({ message }) => new NotAdded({ message }))
      })

      return group.handleAll({
        overview: () => overview,
        fleet: () => Effect.map(fleetStatus.status, withoutSecrets),
        list: ({ query: { limit = DEFAULT_PAGE, offset = 0, ...query } }) =>
          Effect.map(Effect.andThen(monitor.refresh(), Clock.currentTimeMillis), (now) => {
            const isMuted = (target: Watched): boolean => monitor.mutes.isMuted(target, now)
            const found = listing.of(monitor.targets, query, now, { isMuted, findings: findStrongestFor })
            return { total: found.length, targets: found.slice(offset, offset + limit).map(rowFor) }
          }),
        add: ({ payload: { address } }) =>
          Effect.gen(function* () {
            const { added, rejected } = yield* addTo({ addresses: [address] })
            const [one] = added
            if (one === undefined) return yield* new NotAdded({ message: rejected[0]!.message })
            return { address: one.address }
          }),
        addMany: ({ payload }) => addTo(payload),
        preview: ({ payload: { addresses } }) =>
          Effect.gen(function* () {
            if (list === undefined) return yield* new NoList(NO_LIST)
            return yield* preview(addresses)
          }),
        remove: ({ params }) =>
          Effect.gen(function* () {
            if (list === undefined) return yield* new NoList(NO_LIST)
            const target = yield* watched(params.id)
            return yield* Effect.mapError(list.remove(target.address), ({ message }) => new NotRemoved({ message }))
          }),
        edit: ({ params, payload }) =>
          Effect.gen(function* () {
            if (list === undefined) return yield* new NoList(NO_LIST)
            const target = yield* watched(params.id)
            yield* Effect.mapError(list.edit(target.address, payload), unfit)
          }),
        webhooks: () => Effect.sync(() => monitor.plan().webhooks.map(toWebhookRow)),
        addWebhook: ({ payload }) =>
          Effect.gen(function* () {
            if (list === undefined) return yield* new NoList(NO_LIST)
            yield* Effect.mapError(list.addWebhook(payload), unfit)
          }),
        removeWebhook: ({ params: { name } }) =>
          Effect.gen(function* () {
            if (list === undefined) return yield* new NoList(NO_LIST)
            yield* webhook(name)
            yield* Effect.mapError(list.removeWebhook(name), unfit)
          }),
        testWebhook: ({ params: { name } }) =>
          Effect.gen(function* () {
            const hook = yield* webhook(name)
            const now = yield* Clock.currentTimeMillis
            if (now - (tested.get(name) ?? Number.NEGATIVE_INFINITY) < TEST_PAUSE_MS) {
              return yield* new Unfit({
                message: `Webhook ${name} was tested less than ${TEST_PAUSE_MS / 1000} seconds ago. Try again.`
              })
            }
            tested.set(name, now)
            const { message, status } = yield* postTest({ hook, pageUrl: monitor.plan().pageUrl }, now)
            return { ok: status >= 200 && status < 300, message }
          }),
        sources: () => Effect.sync(() => listSourceRows(monitor)),
        one: ({ params }) =>
          Effect.gen(function* () {
            const target = yield* watched(params.id)
            yield* monitor.refresh([target])
            // If the store is unreachable, the reply contains no changes.
            const changes = yield* Effect.orElseSucceed(
              readChanges({ target: target.id, limit: SHOWN_CHANGES }),
              () => []
            )
            const { last } = target.known
            const reading = consoles.of(target.id)
            const now = yield* Clock.currentTimeMillis
            const uptime = history ? yield* Effect.option(uptimes([target], now)) : Option.none()
            const hasOwnLocations = target.group.locations !== undefined
            return {
              target: rowFor(target),
              intervalMs: target.group.intervalMs,
              downIntervalMs: target.group.downIntervalMs,
              ...(Option.isSome(uptime) ? { uptime: toUptimes(uptime.value.get(target.id)!) } : {}),
              sources: findOrigins(monitor.plan(), target.address).map(displayText),
              ...(last === undefined ? {} : { answer: last.answer }),
              ...(reading === undefined ? {} : { console: toConsoleDetail(reading, last?.answer.players) }),
              ...(hasOwnLocations ? { locations: yield* locations.rows(target) } : {}),
              ...(target.group.verdicts ? { findings: byStrength(toFindingRows(monitor.findings(target.id))) } : {}),
              changes
            }
          }),
        findings: ({ params, query: { limit = DEFAULT_PAGE } }) =>
          Effect.gen(function* () {
            const target = yield* watched(params.id)
            return toFindingRows(yield* Effect.mapError(store.findings({ target: target.id, limit }), noHistory))
          }),
        samples: ({ params, query }) =>
          Effect.gen(function* () {
            const target = yield* watched(params.id)
            const to = query.to ?? (yield* Clock.currentTimeMillis)
            const from = query.from ?? to - DAY_MS
            const stepMs = chooseStep(query.step, to - from)
            const all = Effect.map(store.hours(target.id, from, to), (hours) => ({ hours, current: target.known.hour }))
            const { location } = query
            const past = location === undefined ? all : locations.hours(target, location, from, to)
            const { current: hour, hours } = yield* Effect.mapError(past, noHistory)
            const current = hour !== undefined && hour.hour >= startOfHour(from) && hour.hour <= to ? hour : undefined
            const samples = listSamples(hours, current, stepMs)
            return { stepMs, samples: samples.filter(({ at }) => at + stepMs > from && at <= to) }
          }),
        days: ({ query }) =>
          Effect.gen(function* () {
            const now = yield* Clock.currentTimeMillis
            const days: { players: Record<string, Day["players"]>; times: Record<string, Day["times"]> } = {
              players: {},
              times: {}
            }
            for (const id of new Set(query.targets.split(","))) {
              const target = monitor.targets.get(Number(id))
              if (target === undefined) continue
              const from = now - DAY_MS + HOUR_MS
              const day = summarizeDay(
                yield* Effect.mapError(store.hours(target.id, from, now), noHistory),
                target,
                now
              )
              days.players[id] = day.players
              days.times[id] = day.times
            }
            return days
          }),
        uptime: ({ query }) =>
          Effect.gen(function* () {
            const found = [...new Set(query.targets.split(","))].flatMap((id) => monitor.targets.get(Number(id)) ?? [])
            yield* monitor.refresh(found)
            const all = yield* Effect.mapError(uptimes(found, yield* Clock.currentTimeMillis), noHistory)
            return { uptime: Object.fromEntries(Array.from(all, ([id, one]) => [id, toUptimes(one)])) }
          }),
        incidents: ({ query: { after, from, group, limit = DEFAULT_PAGE, ongoing, target, to } }) =>
          Effect.gen(function* () {
            const now = yield* Clock.currentTimeMillis
            const wanted = { fromMs: from, toMs: to, group, target, limit, isOngoing: ongoing && ongoing === "true" }
            const page = yield* Effect.mapError(incidents({ ...wanted, after: parseMark(after) }, now), noHistory)
            const last = page.at(-1)
            const next = page.length < limit || last === undefined ? {} : { next: `${last.from}-${last.target}` }
            return { incidents: page, ...next }
          }),
        report: ({ query: { from, group, to } }) =>
          Effect.gen(function* () {
            const now = yield* Clock.currentTimeMillis
            const end = to ?? now
            return yield* Effect.mapError(report(from ?? end - 30 * DAY_MS, end, group, now), noHistory)
          }),
        mutes: () =>
          Effect.map(Clock.currentTimeMillis, (now) =>
            monitor.mutes
              .list()
              .filter(({ until }) => until === undefined || until > now)
              .map(toMuteRow)
          ),
        mute: ({ payload: { address, from, group: groupName, note = "", until } }) =>
          Effect.gen(function* () {
            const now = yield* Clock.currentTimeMillis
            if ((address === undefined) === (groupName === undefined)) {
              return yield* new Unfit({
                message: "Give either the address of a server or the name of a group to mute."
              })
            }
            if (address !== undefined && monitor.find(address) === undefined) {
              return yield* new Unfit({ message: `No server with the address ${address} is monitored.` })
            }
            if (groupName !== undefined && !monitor.plan().groups.has(groupName)) {
              return yield* new Unfit({ message: `There is no group ${groupName}.` })
            }
            if (until !== undefined && until <= Math.max(now, from ?? now)) {
              return yield* new Unfit({ message: 'The mute would end before it begins: "until" must be later.' })
            }
            const mute: Omit<Mute, "id"> = {
              ...(address === undefined ? { kind: "group", what: groupName! } : { kind: "server", what: address }),
              // If a mute began in the past, it would change reports about a period that is already over. Therefore each mute begins now or
              // later.
              from: Math.max(now, from ?? now),
              until,
              note
            }
            const id = yield* Effect.mapError(monitor.mute(mute), noHistory)
            return toMuteRow({ id, ...mute })
          }),
        unmute: ({ params }) =>
          Effect.gen(function* () {
            const isEnded = yield* Effect.mapError(monitor.unmute(params.id), noHistory)
            if (!isEnded) return yield* new NoMute({ message: `No mute has the number ${params.id}.` })
          }),
        changes: ({ query: { before, field, limit = DEFAULT_PAGE, target } }) =>
          readChanges({ target, field, before, limit })
      })
    })
  )
