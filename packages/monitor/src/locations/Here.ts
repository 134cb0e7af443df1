/** Asks from the location of this runner: a monitor of its own over the targets that the location was chosen for. */
import type { Datagrams } from "@sourcewire/core/transport"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import type { Plan } from "../config/Config.ts"
import { Ownership } from "../fleet/Ownership.ts"
import { makeMonitor } from "../watch/makeMonitor.ts"
import { Monitor, type MonitorOptions } from "../watch/Monitor.ts"
import { chosenFor } from "./chosen.ts"
import { Locations, type OwnLocation } from "./Locations.ts"

/** What is asked from here, where that is anything. */
export const Here = Context.Reference<{
  readonly monitor: () => typeof Monitor.Service | undefined
  readonly name: string
}>("@sourcewire/monitor/Here", { defaultValue: () => ({ monitor: () => undefined, name: "" }) })

/** So often it is looked at who is to be asked from here. */
const LOOK = "1 second"

/** What is asked from a location, of a plan. */
const partOf = (plan: Plan, location: string, alive: ReadonlyArray<string>): Plan => ({
  ...plan,
  // What they have listed is among the targets already.
  sources: [],
  targets: new Map(
    [...plan.targets].filter(([address, group]) => chosenFor({ address, group }, alive)?.includes(location) === true)
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
  let here: typeof Monitor.Service | undefined
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
    if (!plan.hasLocations && here === undefined) return
    if (followed?.plan === plan && followed.alive === alive.join()) return
    const part = partOf(plan, own.name, alive)
    if (here !== undefined) yield* here.follow(part)
    else if (part.targets.size > 0) here = yield* start(part)
    followed = { plan, alive: alive.join() }
  })

  // What cannot be done while the store is away is done later.
  yield* Effect.forkScoped(Effect.forever(Effect.andThen(Effect.ignore(follow), Effect.sleep(LOOK))))
  return { name: own.name, monitor: () => here }
})

/** Asks what is to be asked from the location of this runner, if it has one. */
export const layer = (options: Omit<MonitorOptions, "plan">): Layer.Layer<never, never, Monitor | Datagrams> =>
  Layer.unwrap(
    Effect.map(Locations, (locations) =>
      locations?.own === undefined ? Layer.empty : Layer.effect(Here, run(locations, locations.own, options))
    )
  )
