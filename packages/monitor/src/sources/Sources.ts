/**
 * Reads the sources of the monitor's groups, each source at its own interval, and stores the lists of servers. If several monitors share a
 * store, one monitor reads the sources for all monitors.
 */
import type { Datagrams } from "@sourcewire/core/transport"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Schedule from "effect/Schedule"
import type { Plan } from "../config/Config.ts"
import { Ownership } from "../fleet/Ownership.ts"
import { Store, type StoreFailed } from "../store/Store.ts"
import { Monitor, type MonitorEvent } from "../watch/Monitor.ts"
import { afterReading, type FoundList, NOTHING, type Reading, type SourceStatus } from "./FoundList.ts"
import { fileReader } from "./readFile.ts"
import { masterReader } from "./readMaster.ts"
import { steamReader } from "./readSteam.ts"
import { urlReader } from "./readUrl.ts"
import type { Kind, Source } from "./Source.ts"

type Read<E> = Effect.Effect<Reading | undefined, E, Datagrams>

/**
 * Creates the reader of a source. If a file has not changed since the last reading, or is still changing, its reader returns `undefined`
 * without reading the file. `begin` runs before each attempt to read a list.
 */
const makeReader = <E>(source: Source, begin: Effect.Effect<void, E>): Read<E> => {
  const readers: Readonly<Record<Kind, () => Read<E>>> = {
    file: () => fileReader(source, begin),
    url: () => Effect.andThen(begin, urlReader(source)),
    master: () => Effect.andThen(begin, masterReader(source)),
    steam: () => Effect.andThen(begin, steamReader(source))
  }
  return readers[source.kind]()
}

/** Pause after the first failed reading. Each further failure in a row doubles the pause, up to the interval of the source. */
const FIRST_PAUSE_MS = 15_000
/**
 * If the server sends a `Retry-After` header, the monitor waits at least as long as the header requires, but ignores the part of the pause
 * beyond this time.
 */
const LONGEST_PAUSE_MS = 86_400_000

/** The pause between a reading and the next reading of the same source. */
const choosePause = ({ refreshMs }: Source, { failures }: SourceStatus): number =>
  failures === 0 ? refreshMs : Math.min(refreshMs, FIRST_PAUSE_MS * 2 ** (failures - 1))

/**
 * Maximum pause after attempts that did not end, for example because the list crashed the process. Each further attempt that does not end
 * doubles the pause.
 */
const LONGEST_UNFINISHED_MS = 3_600_000
const unfinishedPause = (attempts: number): number =>
  Math.min(LONGEST_UNFINISHED_MS, FIRST_PAUSE_MS * 2 ** (attempts - 1))

const plural = (count: number, what: string): string => `${count} ${what}${count === 1 ? "" : "s"}`

/** Creates the event that reports the result of a reading to the operator; `undefined` if the previous reading had the same result. */
const makeEvent = ({ group, name }: Source, before: FoundList, after: FoundList): MonitorEvent | undefined => {
  const event = (level: "info" | "warn", text: string): MonitorEvent => {
    return { level, event: "source", message: `group ${group}, ${name}: ${text}` }
  }
  const { failures, junk, partial, surplus, trouble } = after.status
  const servers = plural(after.missing.size, "server")
  if (failures > 0) {
    const isNew = trouble !== before.status.trouble
    return isNew ? event("warn", `${trouble}; the old list stays in use (${servers})`) : undefined
  }
  const { rejected } = after.status
  if (rejected !== undefined) {
    const was = before.status.rejected
    if (was?.lost === rejected.lost && was.servers === rejected.servers) return undefined
    return event(
      "warn",
      `the new list is rejected: it has ${plural(rejected.servers, "server")}, and ${rejected.lost} of the ${servers} in use are missing. The old list stays in use; to accept such a list, set maxLossPercent of the source to 100`
    )
  }
  const came = [...after.missing.keys()].filter((address) => !before.missing.has(address)).length
  const left = [...before.missing.keys()].filter((address) => !after.missing.has(address)).length
  const wasWell = before.status.failures === 0 && before.status.rejected === undefined
  const isSame = came + left === 0 && wasWell && before.status.succeededAt !== undefined
  if (isSame && partial === before.status.partial) return undefined
  const more = [
    ...(came > 0 ? [`${came} new`] : []),
    ...(left > 0 ? [`${left} removed`] : []),
    ...(junk > 0 ? [`${plural(junk, "invalid entry").replace("entrys", "entries")} skipped`] : []),
    ...(surplus > 0 ? [`${surplus} skipped because of the limit of the source`] : []),
    ...(partial === undefined ? [] : [`incomplete list: ${partial}`])
  ]
  const isWhole = partial === undefined && surplus === 0
  return event(isWhole ? "info" : "warn", `${servers}${more.length === 0 ? "" : ` (${more.join(", ")})`}`)
}

/**
 * Returns the part of a reading that the monitor uses. If the source's group does not set `verdicts`, this part lacks Steam's player
 * counts.
 */
const selectUsed = (reading: Reading, { groups }: Plan, { group }: Source): Reading => {
  if (reading._tag !== "Listed" || groups.get(group)?.verdicts === true) return reading
  const { counts: _counts, ...rest } = reading
  return rest
}

const run = Effect.fnUntraced(function* (onEvent: (event: MonitorEvent) => void) {
  const monitor = yield* Monitor
  const store = yield* Store

  const runOne = Effect.fnUntraced(function* (source: Source) {
    // Repeats an access to the store until the access succeeds. This function does not report failures of the store, because the store
    // writer reports them.
    const untilStored = <A>(work: Effect.Effect<A, StoreFailed>) => Effect.retry(work, Schedule.spaced("1 second"))
    // Records in the store that a reading begins. If the list then crashes the process, the next process finds this record, and waits
    // before it reads the list.
    const begin = Effect.flatMap(Clock.currentTimeMillis, (now) => untilStored(store.beginReading(source.key, now)))
    const read = makeReader(source, begin)
    const current = (): FoundList => monitor.lists.get(source.key) ?? NOTHING
    const startedAt = yield* Clock.currentTimeMillis
    const { status } = current()
    // When the monitor starts, it reads files and rejected lists. A rejected list may now be accepted, because the settings of its source
    // may have changed. A previous process may have read any other list a moment ago. Therefore the monitor reads such a list only after
    // the usual pause since the list's last reading. If the stored time of the last reading is in the future, the clock was wrong, and the
    // current time is used instead.
    const isNew = source.kind === "file" || status.rejected !== undefined
    let due = isNew ? startedAt : Math.min(status.triedAt, startedAt) + choosePause(source, status)
    const unfinished = yield* untilStored(store.unfinishedReading(source.key))
    if (unfinished !== undefined) {
      const again = Math.min(unfinished.beganAt, startedAt) + unfinishedPause(unfinished.attempts)
      due = Math.max(due, again)
      const message = `group ${source.group}, ${source.name}: ${plural(unfinished.attempts, "attempt")} to read the list did not end; it is read again in ${plural(Math.max(0, Math.ceil((due - startedAt) / 1000)), "second")}`
      onEvent({ level: "warn", event: "source", message })
    }
    for (;;) {
      yield* Effect.sleep(Math.max(0, due - (yield* Clock.currentTimeMillis)))
      const began = yield* Clock.currentTimeMillis
      const reading = yield* read
      const now = yield* Clock.currentTimeMillis
      due = now + source.refreshMs
      if (reading === undefined) continue
      const before = current()
      const after = afterReading(before, selectUsed(reading, monitor.plan(), source), source, now, began)
      yield* untilStored(monitor.saveList(source.key, after))
      const event = makeEvent(source, before, after)
      if (event !== undefined) onEvent(event)
      const wanted = reading._tag === "Failed" ? Math.min(reading.retryAfterMs ?? 0, LONGEST_PAUSE_MS) : 0
      due = now + Math.max(wanted, choosePause(source, after.status))
    }
  })

  let followed: ReadonlyArray<Source> | undefined
  let running: ReadonlyArray<Fiber.Fiber<unknown>> = []
  const poll = Effect.gen(function* () {
    const { sources } = monitor.plan()
    if (sources !== followed) {
      followed = sources
      yield* Fiber.interruptAll(running)
      yield* Effect.ignore(store.dropLists(sources.map(({ key }) => key)))
      running = yield* Effect.forEach(sources, (source) => Effect.forkScoped(Effect.ignore(runOne(source))))
    }
    yield* Effect.sleep("1 second")
  })
  return yield* Effect.forever(poll)
}, Effect.scoped)

/**
 * Reads the sources of the monitor's plan until the scope is closed. If the plan changes, the monitor reads the sources of the new plan.
 */
export const runSources = (onEvent: (event: MonitorEvent) => void) =>
  Effect.flatMap(Ownership, ({ only }) => only("sources", run(onEvent)))
