/** How this runner does, told to the others every two seconds, and with what they told, how the fleet does. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { LocationMonitor } from "../locations/LocationMonitor.ts"
import { Locations } from "../locations/Locations.ts"
import { agesOf } from "../watch/ages.ts"
import { inAll, Monitor } from "../watch/Monitor.ts"
import { fleetStatusOf, type FleetStatus, type RunnerReport } from "./FleetStatus.ts"
import { Ownership } from "./Ownership.ts"
import { Roster } from "./Roster.ts"

/** What is to be told of a runner that it does not know by itself. */
export interface About {
  /** What it is called where it shares with nobody. */
  readonly name: string
  /** Of the program. */
  readonly version: string
}

/** So often a runner tells. */
const TELL = "2 seconds"
/** The rate is of so many times of that. */
const RATED = 5
/** So long a database that is away may keep a runner that ends. */
const LAST_WORD = "1 second"
/** What was found out is not looked for again for so long, however many ask. */
const KEPT = "1 second"

/** How the fleet does. */
export class FleetStatusService extends Context.Service<
  FleetStatusService,
  { readonly status: Effect.Effect<FleetStatus> }
>()("@sourcewire/monitor/FleetStatusService") {}

const rounded = (rate: number): number => (rate < 10 ? Math.round(rate * 10) / 10 : Math.round(rate))

const make = Effect.fnUntraced(function* ({ name, version }: About) {
  const monitor = yield* Monitor
  const { isShared, owner } = yield* Ownership
  const roster = yield* Roster
  const startedAt = yield* Clock.currentTimeMillis
  const locationMonitor = yield* LocationMonitor
  const location = (yield* Locations)?.own?.name
  /** What asks on this machine. */
  const all = () => inAll([monitor, locationMonitor.monitor() ?? []].flat())
  const askedByAll = (): number => all().counted("asked")
  const turns: Array<readonly [atMs: number, asked: number]> = [[startedAt, askedByAll()]]

  const report = (now: number): RunnerReport => {
    const { writer } = monitor
    const ours = monitor.ours()
    const [since, asked] = turns[0]!
    const ages = agesOf(ours, now)
    return {
      version,
      ...(location === undefined ? {} : { location }),
      upMs: now - startedAt,
      targets: ours.length,
      ...(all().unqueried() === 0 ? {} : { unqueried: all().unqueried() }),
      perSecond: rounded((1000 * (askedByAll() - asked)) / Math.max(1, now - since)),
      waiting: all().waiting(),
      lagMs: Math.round(all().lateMs()),
      ...(ages === undefined ? {} : { ages }),
      ...(writer.wroteAt === undefined ? {} : { wroteMs: now - writer.wroteAt }),
      ...(writer.trouble === undefined ? {} : { storeTrouble: writer.trouble }),
      lost: writer.lost
    }
  }

  const tell = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    // While the store is away the others cannot be told anything; that it is away is told elsewhere.
    if (roster !== undefined) yield* Effect.ignore(roster.tell(JSON.stringify(report(now))))
    turns.push([now, askedByAll()])
    if (turns.length > RATED) turns.shift()
  })
  if (roster !== undefined) {
    yield* Effect.addFinalizer(() => Effect.ignore(Effect.timeoutOption(roster.leave, LAST_WORD)))
  }
  yield* Effect.forkScoped(Effect.forever(Effect.andThen(tell, Effect.sleep(TELL))))

  const status = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const self = {
      name: isShared ? owner : name,
      alive: true,
      self: true,
      silentMs: 0,
      slices: monitor.slices(),
      report: report(now)
    }
    if (roster === undefined) return fleetStatusOf(false, [], self)
    return yield* Effect.match(roster.runners, {
      onSuccess: (runners) => fleetStatusOf(true, runners, self),
      onFailure: ({ message }) => ({ ...fleetStatusOf(true, [], self), trouble: message })
    })
  })
  return { status: yield* Effect.cachedWithTTL(status, KEPT) }
})

/** Tells how the runner does for as long as the layer lives. */
export const layer = (about: About): Layer.Layer<FleetStatusService, never, Monitor> =>
  Layer.effect(FleetStatusService, make(about))
