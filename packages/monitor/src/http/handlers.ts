/** The handlers of the API, over what a monitor knows and keeps. */
import { displayText } from "@sourcewire/core/text"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Ownership } from "../fleet/Ownership.ts"
import { Standing } from "../fleet/Standing.ts"
import { BUCKET_MS, DAY_MS, HOUR_MS, hourOf } from "../history/HourSamples.ts"
import { sourcesOf } from "../sources/merge.ts"
import { Store } from "../store/Store.ts"
import { Monitor } from "../watch/Monitor.ts"
import { Api, NoHistory, NoTarget, type Overview } from "./Api.ts"
import { makeLocationReader } from "./locations.ts"
import { Listing } from "./listing.ts"
import { sourceRowsOf } from "./sources.ts"
import { changeRowOf, dayOf, rowOf, samplesOf } from "./views.ts"

const USUAL_PAGE = 100
/** All are counted so often at most, however many ask. */
const COUNTED = "1 second"
/** Changes beside a target. */
const SHOWN_CHANGES = 20

const noHistory = ({ message }: { readonly message: string }): NoHistory => new NoHistory({ message })

const stepOf = (step: "5m" | "1h" | undefined, spanMs: number): number =>
  (step ?? (spanMs <= 2 * DAY_MS ? "5m" : "1h")) === "5m" ? BUCKET_MS : HOUR_MS

export const handlers = ({ adds, history }: { readonly adds: boolean; readonly history: boolean }) =>
  HttpApiBuilder.group(
    Api,
    "targets",
    Effect.fnUntraced(function* (group) {
      const monitor = yield* Monitor
      const store = yield* Store
      const { isShared } = yield* Ownership
      const standing = yield* Standing
      const locations = yield* makeLocationReader
      const listing = new Listing()
      const countAll = (): typeof Overview.Type => {
        const counts = { up: 0, down: 0, unknown: 0, players: 0, maxPlayers: 0 }
        for (const { known } of monitor.targets.values()) {
          counts[known.state]++
          if (known.state !== "up") continue
          counts.players += known.last?.summary.players ?? 0
          counts.maxPlayers += known.last?.summary.maxPlayers ?? 0
        }
        const { lost, trouble } = monitor.keeper
        return {
          targets: monitor.targets.size,
          ...counts,
          groups: [...new Set([...monitor.plan().targets.values()].map(({ name }) => name))],
          history,
          adds,
          shared: isShared,
          ...(trouble === undefined ? {} : { storeTrouble: trouble }),
          lost
        }
      }
      const overview = yield* Effect.cachedWithTTL(Effect.map(monitor.refresh(), countAll), COUNTED)

      const watched = Effect.fnUntraced(function* (id: number) {
        return monitor.targets.get(id) ?? (yield* new NoTarget({ message: `No target has the number ${id}.` }))
      })
      const changesOf = (query: Parameters<(typeof store)["changes"]>[0]) =>
        store.changes(query).pipe(
          Effect.map((changes) => changes.map((change) => changeRowOf(change, monitor.targets.get(change.target)))),
          Effect.mapError(noHistory)
        )

      return group.handleAll({
        overview: () => overview,
        fleet: () => standing.status,
        list: ({ query: { limit = USUAL_PAGE, offset = 0, ...query } }) =>
          Effect.map(Effect.andThen(monitor.refresh(), Clock.currentTimeMillis), (now) => {
            const found = listing.of(monitor.targets, query, now)
            return { total: found.length, targets: found.slice(offset, offset + limit).map(rowOf) }
          }),
        sources: () => Effect.sync(() => sourceRowsOf(monitor)),
        one: ({ params }) =>
          Effect.gen(function* () {
            const target = yield* watched(params.id)
            yield* monitor.refresh([target])
            yield* monitor.look(target)
            // A store that is away leaves no more than the changes out.
            const changes = yield* Effect.orElseSucceed(
              changesOf({ target: target.id, limit: SHOWN_CHANGES }),
              () => []
            )
            const { last } = target.known
            const isAskedApart = target.group.locations !== undefined
            return {
              target: rowOf(target),
              intervalMs: target.group.intervalMs,
              sources: sourcesOf(monitor.plan(), target.address).map(displayText),
              ...(last === undefined ? {} : { answer: last.answer }),
              ...(isAskedApart ? { locations: yield* locations.rows(target) } : {}),
              changes
            }
          }),
        samples: ({ params, query }) =>
          Effect.gen(function* () {
            const target = yield* watched(params.id)
            const to = query.to ?? (yield* Clock.currentTimeMillis)
            const from = query.from ?? to - DAY_MS
            const stepMs = stepOf(query.step, to - from)
            const all = Effect.map(store.hours(target.id, from, to), (hours) => ({ hours, current: target.known.hour }))
            const { location } = query
            const past = location === undefined ? all : locations.hours(target, location, from, to)
            const { current: hour, hours } = yield* Effect.mapError(past, noHistory)
            const current = hour !== undefined && hour.hour >= hourOf(from) && hour.hour <= to ? hour : undefined
            const samples = samplesOf(hours, current, stepMs)
            return { stepMs, samples: samples.filter(({ at }) => at + stepMs > from && at <= to) }
          }),
        days: ({ query }) =>
          Effect.gen(function* () {
            const now = yield* Clock.currentTimeMillis
            const players: Record<string, ReadonlyArray<number | null>> = {}
            for (const id of new Set(query.targets.split(","))) {
              const target = monitor.targets.get(Number(id))
              if (target === undefined) continue
              const from = now - DAY_MS + HOUR_MS
              players[id] = dayOf(yield* Effect.mapError(store.hours(target.id, from, now), noHistory), target, now)
            }
            return { players }
          }),
        changes: ({ query: { before, field, limit = USUAL_PAGE, target } }) =>
          changesOf({ target, field, before, limit })
      })
    })
  )
