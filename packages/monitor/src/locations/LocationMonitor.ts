/**
 * If this instance has a location, it runs an additional monitor. The additional monitor queries the targets that {@link locationsFor}
 * assigns to the location.
 */
import type { Datagrams } from "@sourcewire/core/transport"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import type { Plan } from "../config/Config.ts"
import { Ownership } from "../fleet/Ownership.ts"
import { makeMonitor } from "../watch/makeMonitor.ts"
import { Monitor, type MonitorOptions } from "../watch/Monitor.ts"
import { locationsFor } from "./locationsFor.ts"
import { Locations, type OwnLocation } from "./Locations.ts"

/**
 * The monitor of this instance's location, and the name of the location. `monitor` returns `undefined` if this instance has no location, or
 * if its location has had no targets since this instance started.
 */
export const LocationMonitor = Context.Reference<{
  readonly monitor: () => typeof Monitor.Service | undefined
  readonly name: string
}>("@sourcewire/monitor/LocationMonitor", { defaultValue: () => ({ monitor: () => undefined, name: "" }) })

/** Interval at which this instance checks whether the plan or the running locations have changed. */
const POLL_INTERVAL = "1 second"

/** Returns the plan of a location's monitor: a copy of `plan` that contains only the targets of the location. */
export const selectPart = (plan: Plan, location: string, alive: ReadonlyArray<string>): Plan => ({
  ...plan,
  // The sources are not read again, because the targets of the plan already include the servers of the sources.
  sources: [],
  // The monitor of a location computes no findings, because findings require the replies of all locations.
  hasVerdicts: false,
  targets: new Map(
    [...plan.targets].filter(([address, group]) => locationsFor({ address, group }, alive)?.includes(location) === true)
  )
})

const run = Effect.fnUntraced(function* (
  locations: NonNullable<(typeof Locations)["Service"]>,
  own: OwnLocation,
  options: Omit<MonitorOptions, "plan">
) {
  const monitor = yield* Monitor
  const around = yield* Effect.context<Datagrams>()
  const scope = yield* Effect.scope
  let locationMonitor: typeof Monitor.Service | undefined
  let followed: { readonly plan: Plan; readonly alive: string } | undefined

  const start = Effect.fnUntraced(function* (plan: Plan) {
    const context = Context.merge(around, yield* Layer.build(own.store)).pipe(
      Context.add(Ownership, own.ownership),
      Context.add(Locations, undefined),
      Context.add(Scope.Scope, scope)
    )
    return yield* Effect.provideContext(makeMonitor({ ...options, plan }), context)
  })

  const follow = Effect.gen(function* () {
    const plan = monitor.plan()
    const alive = locations.alive()
    if (!plan.hasLocations && locationMonitor === undefined) return
    if (followed?.plan === plan && followed.alive === alive.join()) return
    const part = selectPart(plan, own.name, alive)
    if (locationMonitor !== undefined) yield* locationMonitor.follow(part)
    else if (part.targets.size > 0) locationMonitor = yield* start(part)
    followed = { plan, alive: alive.join() }
  })

  // If the store is unreachable, the error is ignored, and this loop tries again after the pause.
  yield* Effect.forkScoped(Effect.forever(Effect.andThen(Effect.ignore(follow), Effect.sleep(POLL_INTERVAL))))
  return { name: own.name, monitor: () => locationMonitor }
})

/** Runs the monitor of this instance's location, if this instance has a location. */
export const layer = (options: Omit<MonitorOptions, "plan">): Layer.Layer<never, never, Monitor | Datagrams> =>
  Layer.unwrap(
    Effect.map(Locations, (locations) =>
      locations?.own === undefined ? Layer.empty : Layer.effect(LocationMonitor, run(locations, locations.own, options))
    )
  )
