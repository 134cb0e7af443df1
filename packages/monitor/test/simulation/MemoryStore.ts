/**
 * A store whose database is in memory. This store has the same rules as the store in `sqlStore.ts`, and must pass the tests in
 * `storeSuite.ts`.
 */
import * as Effect from "effect/Effect"
import { DAY_MS, HOUR_MS } from "../../src/history/HourSamples.ts"
import { addTime, noTime, type StateTime } from "../../src/history/StateTime.ts"
import {
  decodeChange,
  rowToHour,
  decodeIncident,
  plainBytes,
  changeToRow,
  encodeHourRow,
  incidentToRow,
  rowToTime
} from "../../src/store/rows.ts"
import { type NewTarget, Store, StoreFailed } from "../../src/store/Store.ts"
import { UnreadableRows } from "../../src/store/UnreadableRows.ts"
import { type Known, unknown } from "../../src/watch/Watched.ts"
import type { DatabaseServer, Done, Peer, Rows, Transaction } from "./DatabaseServer.ts"
import { encodeKnown, encodeRow } from "./storedRows.ts"

/** A client's connection to the database. */
export interface Connection {
  readonly peer: Peer
  /** Runs a function on the database server, and returns the outcome of the function. */
  readonly call: <A>(work: (done: Done<A>) => void) => Effect.Effect<A, { readonly message: string }>
}

/** Rules and callbacks of a store. A test can disable a rule to verify that the simulation detects the consequences. */
export interface StoreRules {
  /** Whether the store rejects rows of slices that another instance has claimed. */
  readonly isFenced: boolean
  /** Called with the rows of a transaction when these rows become visible to all clients. */
  readonly onCommit: (rows: Rows) => void
  /** Called when a monitor claims slices, with those slices that the monitor did not own before. */
  readonly onClaim: (slices: ReadonlyArray<number>) => void
}

const RULES: StoreRules = { isFenced: true, onCommit: () => undefined, onClaim: () => undefined }

/** The store of one monitor. */
export const makeMemoryStore = (
  server: DatabaseServer,
  connection: Connection,
  rules: StoreRules = RULES
): typeof Store.Service => {
  const mine = new Map<number, number>()
  const call = <A>(work: (done: Done<A>) => void): Effect.Effect<A, StoreFailed> =>
    Effect.mapError(connection.call(work), ({ message }) => new StoreFailed({ message }))
  /** Runs one statement. */
  const once = <A>(work: () => A): Effect.Effect<A, StoreFailed> =>
    call((done) => void server.timing.schedule(server.costs.statementMs, () => done({ value: work() })))

  const enlist = (targets: ReadonlyArray<NewTarget>): void => {
    server.leave([...server.watched.keys()])
    server.enter(targets)
  }

  const isStillOurs = (slice: number): boolean => server.slices.get(slice)?.epoch === mine.get(slice)

  return Store.of({
    claim: (owner, slices) =>
      call<ReadonlyArray<readonly [number, number]>>((done) =>
        server.whenFree(slices, () => {
          rules.onClaim(slices.filter((slice) => server.slices.get(slice)?.peer !== connection.peer))
          const claimed = slices.map((slice) => {
            const epoch = (server.slices.get(slice)?.epoch ?? 0) + 1
            server.slices.set(slice, { owner, epoch, peer: connection.peer })
            return [slice, epoch] as const
          })
          server.timing.schedule(server.costs.statementMs, () => done({ value: claimed }))
        })
      ).pipe(
        Effect.map((claimed) => {
          const foreign = claimed.filter(([slice, epoch]) => mine.get(slice) !== epoch - 1)
          for (const [slice, epoch] of claimed) mine.set(slice, epoch)
          return foreign.map(([slice]) => slice)
        })
      ),

    enlist: (targets) => once(() => enlist(targets)),

    publish: (config, targets) =>
      once(() => {
        if (server.plan?.config !== config) {
          server.plan = { version: (server.plan?.version ?? 0) + 1, config }
          enlist(targets)
        }
        return server.plan.version
      }),

    published: (version) => once(() => (server.plan?.version === version ? undefined : server.plan)),

    lists: (after) =>
      once(() =>
        Array.from(server.lists, ([source, { text, version }]) => ({ source, version, text }))
          .filter(({ version }) => version > after)
          .sort((a, b) => a.version - b.version)
      ),

    saveList: (list, coming, leaving) =>
      once(() => {
        server.leave(leaving)
        server.enter(coming)
        const newest = Math.max(0, ...Array.from(server.lists.values(), ({ version }) => version))
        server.lists.set(list.source, { version: newest + 1, text: list.text })
      }),

    dropLists: (except) =>
      once(() => {
        for (const source of server.lists.keys()) if (!except.includes(source)) server.lists.delete(source)
      }),

    watched: once(() => server.watched),

    known: (of, numbers) =>
      once(() => {
        const ids =
          of === "targets" ? numbers : numbers.flatMap((slice) => [...(server.watchedBySlice.get(slice) ?? [])])
        const found = new Map<number, Known>()
        for (const id of ids) {
          const row = server.latest.get(id)
          if (row !== undefined) found.set(id, encodeKnown(row))
        }
        for (const { at, targets } of server.inFlight.values()) {
          for (const target of targets) {
            const known = found.get(target) ?? (of === "targets" ? undefined : unknown())
            if (known !== undefined && at > (known.queriedAt ?? 0)) found.set(target, { ...known, queriedAt: at })
          }
        }
        return found
      }),

    write: ({ changes, hours, incidents, known, positions }) =>
      Effect.suspend(() => {
        const owners = rules.isFenced ? isStillOurs : () => true
        // All rows are encoded before the transaction waits for the first time. Therefore the rows describe the state of a single moment.
        const changed = changes.map((change) => [change.slice, changeToRow(change)] as const)
        const latest = known.map((one) => [one.slice, encodeRow(one)] as const)
        const samples = hours.map(
          ({ samples, slice, target }) => [slice, encodeHourRow(target, samples, plainBytes)] as const
        )
        const happened = incidents.map((incident) => [incident.slice, incidentToRow(incident)] as const)
        return Effect.gen(function* () {
          const transaction = yield* call<Transaction>((done) => {
            const began = server.begin(connection.peer, new Set([...mine.keys()].filter(owners)))
            server.timing.schedule(server.costs.statementMs, () => done({ value: began }))
          })
          const { locked } = transaction
          const own = <A>(rows: ReadonlyArray<readonly [slice: number, row: A]>): ReadonlyArray<A> =>
            rows.flatMap(([slice, row]) => (locked.has(slice) ? [row] : []))
          const rows = {
            changes: own(changed),
            known: own(latest),
            samples: own(samples),
            incidents: own(happened),
            positions
          }
          yield* call<void>((done) => server.commit(transaction, rows, rules.onCommit, done))
          const lost = [...mine.keys()].filter((slice) => !locked.has(slice))
          for (const slice of lost) mine.delete(slice)
          return lost
        })
      }),

    noteInFlight: (owner, targets, at, isMore) =>
      once(() => {
        const before = isMore === true ? (server.inFlight.get(owner)?.targets ?? []) : []
        server.inFlight.set(owner, { at, targets: [...before, ...targets] })
      }),

    changes: ({ after, before, field, limit, target }) =>
      once(() => {
        const all = target === undefined ? server.changes : (server.changesByTarget.get(target) ?? [])
        const found = all.filter(
          (row) =>
            row.id > (after ?? Number.NEGATIVE_INFINITY) &&
            row.id < (before ?? Number.POSITIVE_INFINITY) &&
            (field === undefined || row.field === field)
        )
        return (after === undefined ? found.toReversed() : found).slice(0, limit).map(decodeChange)
      }),

    hours: (target, fromMs, toMs) =>
      once(() =>
        [...(server.samples.get(target)?.values() ?? [])]
          .filter(({ hour }) => hour >= Math.floor(fromMs / HOUR_MS) && hour <= Math.floor(toMs / HOUR_MS))
          .sort((a, b) => a.hour - b.hour)
          .map(rowToHour)
      ),

    beginReading: () => once(() => undefined),
    unfinishedReading: () => once(() => undefined),
    unreadable: new UnreadableRows(),
    stateTime: (targets, fromMs, toMs) =>
      once(() => {
        const found = new Map<number, StateTime>()
        for (const target of targets) {
          const hours = [...(server.samples.get(target)?.values() ?? [])]
          const within = hours.filter(
            ({ hour }) => hour >= Math.floor(fromMs / HOUR_MS) && hour < Math.floor(toMs / HOUR_MS)
          )
          if (within.length === 0) continue
          const sums = noTime()
          for (const row of within) addTime(sums, rowToTime(row))
          found.set(target, sums)
        }
        return found
      }),

    incidents: ({ after, fromMs = 0, group, limit, target, toMs = Number.POSITIVE_INFINITY }) =>
      once(() =>
        [...server.incidents.values()]
          .map((row) => decodeIncident({ ...row, ...server.describe(row.target) }))
          .filter(
            (one) =>
              (one.to === undefined || one.to >= fromMs) &&
              one.from < toMs &&
              (target === undefined || [target].flat().includes(one.target)) &&
              (group === undefined || one.group === group) &&
              (after === undefined || one.from < after.from || (one.from === after.from && one.target < after.target))
          )
          .sort((a, b) => b.from - a.from || b.target - a.target)
          .slice(0, limit)
      ),

    findings: () => Effect.succeed([]),
    judge: () => Effect.succeed([]),
    mutes: (sinceMs) =>
      once(() => [...server.mutes.values()].filter(({ until }) => until === undefined || until >= sinceMs)),

    addMute: (mute) =>
      once(() => {
        const id = server.mutes.size + 1
        server.mutes.set(id, { id, ...mute })
        return id
      }),

    endMute: (id, atMs) =>
      once(() => {
        const mute = server.mutes.get(id)
        if (mute === undefined) return false
        server.mutes.set(id, { ...mute, until: Math.min(mute.until ?? atMs, atMs) })
        return true
      }),

    webhookPosition: (webhook) => once(() => server.positions.get(webhook)),

    prune: ({ changeDays, fineDays, hourlyDays }, nowMs) =>
      once(() => {
        const hourBefore = (days: number): number => Math.ceil((nowMs - days * DAY_MS) / HOUR_MS)
        for (const hours of server.samples.values()) {
          for (const [hour, row] of hours) {
            if (hour < hourBefore(hourlyDays)) hours.delete(hour)
            else if (hour < hourBefore(fineDays)) hours.set(hour, { ...row, fine: null as never })
          }
        }
        for (const [owner, { at }] of server.inFlight) if (at < nowMs - DAY_MS) server.inFlight.delete(owner)
        server.forgetIncidents(nowMs - changeDays * DAY_MS)
        server.forgetChanges((nowMs - changeDays * DAY_MS) * 1000)
        return undefined
      })
  })
}
