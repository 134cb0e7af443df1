/**
 * Stores this runner's status in the database every two seconds, and combines the stored reports of all runners into the status of the
 * fleet.
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { LocationMonitor } from "../locations/LocationMonitor.ts"
import { Locations } from "../locations/Locations.ts"
import { measureAges } from "../watch/ages.ts"
import { inAll, Monitor } from "../watch/Monitor.ts"
import { makeFleetStatus, type FleetStatus, type RunnerReport } from "./FleetStatus.ts"
import { Ownership } from "./Ownership.ts"
import { Roster } from "./Roster.ts"

/** Facts about this runner that the program passes to the status service. */
export interface About {
  /** The name that the status shows for a runner without a fleet. In a fleet, the status shows `owner` of {@link Ownership} instead. */
  readonly name: string
  /** The version of the program. */
  readonly version: string
}

/** Interval at which the runner stores its report. */
const REPORT_INTERVAL = "2 seconds"
/** The report contains the mean number of queries per second during this number of report intervals. */
const RATED_REPORTS = 5
/** Time limit for the removal of the runner's report from the database when the runner stops. */
const LEAVE_TIMEOUT = "1 second"
/** Time for which the status is cached. Even if many clients request the status, it is computed at most once in this time. */
const CACHED_FOR = "1 second"

/** Provides the status of the fleet. */
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
  /**
   * The monitors of this process: the monitor that combines the results of all locations and, if this runner has a location, the monitor of
   * this location.
   */
  const all = () => inAll([monitor, locationMonitor.monitor() ?? []].flat())
  const queriedByAll = (): number => all().counted("queried")
  const samples: Array<readonly [atMs: number, asked: number]> = [[startedAt, queriedByAll()]]

  const report = (now: number): RunnerReport => {
    const { writer } = monitor
    const ours = monitor.ownTargets()
    const [since, asked] = samples[0]!
    const ages = measureAges(ours, now)
    return {
      version,
      ...(location === undefined ? {} : { location }),
      upMs: now - startedAt,
      targets: ours.length,
      ...(all().unqueried() === 0 ? {} : { unqueried: all().unqueried() }),
      perSecond: rounded((1000 * (queriedByAll() - asked)) / Math.max(1, now - since)),
      waiting: all().waiting(),
      lagMs: Math.round(all().lateMs()),
      ...(ages === undefined ? {} : { ages }),
      ...(writer.wroteAt === undefined ? {} : { wroteMs: now - writer.wroteAt }),
      ...(writer.error === undefined ? {} : { storeTrouble: writer.error }),
      lost: writer.lost
    }
  }

  const sendReport = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    // An error is ignored here, because the store writer also detects that the store is unreachable, and logs this error.
    if (roster !== undefined) yield* Effect.ignore(roster.report(JSON.stringify(report(now))))
    samples.push([now, queriedByAll()])
    if (samples.length > RATED_REPORTS) samples.shift()
  })
  if (roster !== undefined) {
    yield* Effect.addFinalizer(() => Effect.ignore(Effect.timeoutOption(roster.leave, LEAVE_TIMEOUT)))
  }
  yield* Effect.forkScoped(Effect.forever(Effect.andThen(sendReport, Effect.sleep(REPORT_INTERVAL))))

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
    if (roster === undefined) return makeFleetStatus(false, [], self)
    return yield* Effect.match(roster.runners, {
      onSuccess: (runners) => makeFleetStatus(true, runners, self),
      onFailure: ({ message }) => ({ ...makeFleetStatus(true, [], self), trouble: message })
    })
  })
  return { status: yield* Effect.cachedWithTTL(status, CACHED_FOR) }
})

/** Reports the status of this runner, and provides the status of the fleet. */
export const layer = (about: About): Layer.Layer<FleetStatusService, never, Monitor> =>
  Layer.effect(FleetStatusService, make(about))
