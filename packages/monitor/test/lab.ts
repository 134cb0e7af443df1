/** A network in memory with game servers, and a monitor of these servers. The time is virtual. */
import { networkLayer, makeNetwork, type MemoryNetwork } from "@sourcewire/core/testing"
import { type Faults, makeServer } from "@sourcewire/emulator"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Scope from "effect/Scope"
import * as TestClock from "effect/testing/TestClock"
import { Ownership } from "../src/fleet/Ownership.ts"
import { type MonitorConfig, type Plan, makePlan } from "../src/config/Config.ts"
import { open } from "../src/store/index.ts"
import { Store } from "../src/store/Store.ts"
import { makeMonitor } from "../src/watch/makeMonitor.ts"
import type { Monitor, MonitorEvent, MonitorOptions } from "../src/watch/Monitor.ts"
import { css } from "./answers.ts"

type Profile = typeof css
type EmulatedServer = Effect.Success<ReturnType<typeof makeServer>>

/** Builds the plan of a configuration. You can pass the complete configuration, or only its groups. */
export const planFor = (config: typeof MonitorConfig.Type | (typeof MonitorConfig.Type)["groups"]): Plan =>
  Result.getOrThrow(makePlan("groups" in config ? config : { groups: config }))

/** A running monitor and its store. */
export interface RunningMonitor {
  readonly monitor: typeof Monitor.Service
  readonly store: typeof Store.Service
  readonly stop: Effect.Effect<void>
}

/** The objects and functions that a test uses to start monitors and game servers, and to advance the virtual time. */
export interface Lab {
  /** The file of the store. */
  readonly file: string
  readonly network: MemoryNetwork
  readonly events: Array<MonitorEvent>
  /**
   * Starts a monitor. All monitors of a test use the same store. If `plan` is undefined, the monitor adopts the plan in the store. By
   * default, the monitor owns all slices.
   */
  readonly watch: (
    plan: Plan | undefined,
    ownership?: Partial<typeof Ownership.Service>,
    options?: Pick<MonitorOptions, "graceMs">
  ) => Effect.Effect<RunningMonitor, unknown, Scope.Scope>
  /** Starts a game server at a port of 127.0.0.1. */
  readonly serve: (
    port: number,
    profile?: Profile,
    faults?: Faults
  ) => Effect.Effect<{ readonly server: EmulatedServer; readonly stop: Effect.Effect<void> }, unknown>
  /**
   * Advances the virtual clock by `seconds`, in steps (default: one second). Several small steps are necessary, because some events cause
   * later events.
   */
  readonly pass: (seconds: number, step?: number) => Effect.Effect<void>
}

/** Runs a test with a store in a file. */
export const inLab = (file: string, use: (lab: Lab) => Effect.Effect<void, unknown, Scope.Scope>) =>
  Effect.scoped(
    Effect.gen(function* () {
      yield* TestClock.setTime(1_795_000_000_000)
      const network = yield* makeNetwork({ reportsClosedPorts: false, names: { "named.example": "127.0.0.1" } })
      const datagrams = networkLayer(network)
      const events: Array<MonitorEvent> = []
      const provided = Effect.provideContext(yield* Layer.build(datagrams))
      const stoppable = Effect.fnUntraced(function* <A, E>(effect: Effect.Effect<A, E, Scope.Scope>) {
        const scope = yield* Scope.make()
        yield* Effect.addFinalizer(() => Scope.close(scope, Exit.void))
        return [yield* Scope.provide(effect, scope), Scope.close(scope, Exit.void)] as const
      })
      yield* use({
        file,
        network,
        events,
        watch: Effect.fnUntraced(function* (plan, ownership, options) {
          const start = Effect.gen(function* () {
            const alone = yield* Ownership
            const context = Context.add(yield* Layer.build(open(file)), Ownership, { ...alone, ...ownership })
            const onEvent = (event: MonitorEvent): void => void events.push(event)
            const monitor = yield* makeMonitor({ ...options, plan, onEvent }).pipe(
              Effect.provideContext(context),
              provided
            )
            return { monitor, store: Context.get(context, Store) }
          })
          const [running, stop] = yield* stoppable(start)
          return { ...running, stop }
        }),
        serve: (port, profile = css, faults = {}) =>
          Effect.gen(function* () {
            const scope = yield* Scope.make()
            const server = yield* makeServer({ profile, port, faults }).pipe(provided, Scope.provide(scope))
            return { server, stop: Scope.close(scope, Exit.void) }
          }),
        pass: (seconds, step = 1) =>
          Effect.gen(function* () {
            for (let passed = 0; passed < seconds; passed += step) {
              yield* TestClock.adjust(step * 1000)
              // The schedule passes targets to the scan through promises, and the virtual clock does not wait for promises. This step
              // settles the promises.
              yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
            }
          })
      })
    })
  )
