/**
 * Reads the sources of the monitor's groups, each in its time, and has what they list watched. Of many monitors on one store one does,
 * for all.
 */
import type { Datagrams } from "@sourcewire/core/transport"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Schedule from "effect/Schedule"
import { Ownership } from "../fleet/Ownership.ts"
import { Store } from "../store/Store.ts"
import { Monitor, type MonitorEvent } from "../watch/Monitor.ts"
import { afterReading, type FoundList, NOTHING, type Reading, type SourceStatus } from "./FoundList.ts"
import { fileReader } from "./readFile.ts"
import { masterReader } from "./readMaster.ts"
import { steamReader } from "./readSteam.ts"
import { urlReader } from "./readUrl.ts"
import type { Kind, Source } from "./Source.ts"

/** What reads a source; `undefined` where there is nothing new. */
const READERS: Readonly<Record<Kind, (source: Source) => Effect.Effect<Reading | undefined, never, Datagrams>>> = {
  file: ({ where }) => fileReader(where),
  url: urlReader,
  master: masterReader,
  steam: steamReader
}

/** After the first failure; each further one doubles it, up to the source's own interval. */
const FIRST_PAUSE_MS = 15_000
/** Whoever wants to be left alone for longer is asked again after so long. */
const LONGEST_PAUSE_MS = 86_400_000

/** How long a source is left alone after a reading. */
const pauseOf = ({ refreshMs }: Source, { failures }: SourceStatus): number =>
  failures === 0 ? refreshMs : Math.min(refreshMs, FIRST_PAUSE_MS * 2 ** (failures - 1))

const plural = (count: number, what: string): string => `${count} ${what}${count === 1 ? "" : "s"}`

/** What the operator may want to know of a reading. */
const eventOf = ({ group, name }: Source, before: FoundList, after: FoundList): MonitorEvent | undefined => {
  const event = (level: "info" | "warn", text: string): MonitorEvent => {
    return { level, event: "source", message: `group ${group}, ${name}: ${text}` }
  }
  const { failures, junk, partial, surplus, trouble } = after.status
  const servers = plural(after.missing.size, "server")
  if (failures > 0) {
    const isNews = trouble !== before.status.trouble
    return isNews ? event("warn", `${trouble}; it keeps the ${servers} that it gave last`) : undefined
  }
  const came = [...after.missing.keys()].filter((address) => !before.missing.has(address)).length
  const left = [...before.missing.keys()].filter((address) => !after.missing.has(address)).length
  const isSame = came + left === 0 && before.status.failures === 0 && before.status.succeededAt !== undefined
  if (isSame && partial === before.status.partial) return undefined
  const more = [
    ...(came > 0 ? [`${came} new`] : []),
    ...(left > 0 ? [`${left} gone`] : []),
    ...(junk > 0 ? [`${plural(junk, "entry").replace("entrys", "entries")} left out`] : []),
    ...(surplus > 0 ? [`no room for ${surplus}`] : []),
    ...(partial === undefined ? [] : [`not the whole list: ${partial}`])
  ]
  const isWhole = partial === undefined && surplus === 0
  return event(isWhole ? "info" : "warn", `${servers}${more.length === 0 ? "" : ` (${more.join(", ")})`}`)
}

const run = Effect.fnUntraced(function* (onEvent: (event: MonitorEvent) => void) {
  const monitor = yield* Monitor
  const store = yield* Store

  const runOne = Effect.fnUntraced(function* (source: Source) {
    const read = READERS[source.kind](source)
    const current = (): FoundList => monitor.lists.get(source.key) ?? NOTHING
    // A file is looked at when somebody starts to follow it; others have been read a moment ago, perhaps.
    let due = source.kind === "file" ? 0 : current().status.triedAt + pauseOf(source, current().status)
    for (;;) {
      yield* Effect.sleep(Math.max(0, due - (yield* Clock.currentTimeMillis)))
      const reading = yield* read
      const now = yield* Clock.currentTimeMillis
      due = now + source.refreshMs
      if (reading === undefined) continue
      const before = current()
      const after = afterReading(before, reading, source, now)
      // A store that is away is the keeper's to complain about.
      yield* Effect.retry(monitor.keepList(source.key, after), Schedule.spaced("1 second"))
      const event = eventOf(source, before, after)
      if (event !== undefined) onEvent(event)
      const wanted = reading._tag === "Failed" ? Math.min(reading.retryAfterMs ?? 0, LONGEST_PAUSE_MS) : 0
      due = now + Math.max(wanted, pauseOf(source, after.status))
    }
  })

  let followed: ReadonlyArray<Source> | undefined
  let running: ReadonlyArray<Fiber.Fiber<unknown>> = []
  const look = Effect.gen(function* () {
    const { sources } = monitor.plan()
    if (sources !== followed) {
      followed = sources
      yield* Fiber.interruptAll(running)
      yield* Effect.ignore(store.dropLists(sources.map(({ key }) => key)))
      running = yield* Effect.forEach(sources, (source) => Effect.forkScoped(Effect.ignore(runOne(source))))
    }
    yield* Effect.sleep("1 second")
  })
  return yield* Effect.forever(look)
}, Effect.scoped)

/** Reads the sources of the monitor's plan, for the life of the scope; follows its changes. */
export const runSources = (onEvent: (event: MonitorEvent) => void) =>
  Effect.flatMap(Ownership, ({ only }) => only("sources", run(onEvent)))
