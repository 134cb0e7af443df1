/** Emulated servers that the page starts, on loopback, for the life of the bridge. */
import { isProfileName, parseFaults } from "@sourcewire/emulator/machines"
import { layer as transport } from "@sourcewire/transport-node/effect"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Result from "effect/Result"
import * as Scope from "effect/Scope"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Api, type Emulated, MAX_EMULATED, NotOffered, Unusable } from "../Api.ts"
import { COMPRESS, emulated, variety } from "../emulated.ts"
import { Settings } from "../Settings.ts"

interface Running {
  readonly shown: Emulated
  readonly scope: Scope.Closeable
}

export const serversLayer = HttpApiBuilder.group(
  Api,
  "servers",
  Effect.fnUntraced(function* (handlers) {
    const { emulate, rcon } = yield* Settings
    const running = new Map<string, Running>()
    let count = 0
    // Servers of requests that are not done with starting.
    let starting = 0
    const shown = () => [...running.values()].map((one) => one.shown)
    const stop = (id: string) => {
      const one = running.get(id)
      running.delete(id)
      return one === undefined ? Effect.void : Scope.close(one.scope, Exit.void)
    }
    const stopAll = Effect.suspend(() => Effect.forEach([...running.keys()], stop, { discard: true }))
    yield* Effect.addFinalizer(() => stopAll)

    return handlers.handleAll({
      running: () => Effect.sync(shown),
      start: Effect.fnUntraced(function* ({ payload: { count: wanted, faults: switches, profile } }) {
        if (!emulate) return yield* new NotOffered({ message: "A bridge that others can reach emulates no servers." })
        if (!isProfileName(profile)) return yield* new Unusable({ message: `There is no profile "${profile}".` })
        if (running.size + starting + wanted > MAX_EMULATED) {
          return yield* new Unusable({ message: `At most ${MAX_EMULATED} servers run at a time.` })
        }
        const faults = parseFaults(switches.filter((name) => name !== COMPRESS.name))
        if (Result.isFailure(faults)) return yield* new Unusable({ message: faults.failure.message })
        starting += wanted
        yield* Effect.forEach(
          Array.from({ length: wanted }),
          () =>
            Effect.gen(function* () {
              const scope = yield* Scope.make()
              const id = String(++count)
              const look = { seed: count, ...variety(wanted, count) }
              const server = yield* Scope.provide(
                emulated(profile, look, switches.includes(COMPRESS.name), faults.success, rcon),
                scope
              ).pipe(
                Effect.provide(transport),
                Effect.tapCause(() => Scope.close(scope, Exit.void)),
                Effect.mapError((error) => new Unusable({ message: error.message }))
              )
              running.set(id, {
                scope,
                shown: { id, address: `${server.address}:${server.port}`, profile, faults: switches }
              })
            }),
          { discard: true }
        ).pipe(Effect.ensuring(Effect.sync(() => void (starting -= wanted))))
        return shown()
      }),
      stop: () => Effect.map(stopAll, shown),
      stopOne: ({ params: { id } }) => Effect.map(stop(id), shown)
    })
  })
)
