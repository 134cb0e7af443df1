/**
 * Emulated servers that the page starts, on loopback, for the life of the bridge.
 *
 * @module
 */
import {
  current,
  EmulatedServer,
  isProfileName,
  parseFaults,
  type Profile,
  type ProfileName,
  type ProfileOptions,
  profiles,
  RconServer
} from "@sourcewire/server"
import { NodeDatagrams, NodeStreams } from "@sourcewire/transport-node"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Scope from "effect/Scope"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Api, type Emulated, MAX_EMULATED, NotOffered, Unusable } from "../Api.ts"
import { Settings } from "../Settings.ts"

/** Of the consoles of emulated servers: they hold nothing to protect and listen on loopback. */
export const EMULATED_PASSWORD = "playground"

const transport = Layer.merge(NodeDatagrams.layer, NodeStreams.layer)

interface Running {
  readonly shown: Emulated
  readonly scope: Scope.Closeable
}

/** See the module. */
export const serversLayer = HttpApiBuilder.group(
  Api,
  "servers",
  Effect.fnUntraced(function* (handlers) {
    const { emulate, rcon } = yield* Settings
    const running = new Map<string, Running>()
    let count = 0
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
        if (running.size + wanted > MAX_EMULATED) {
          return yield* new Unusable({ message: `At most ${MAX_EMULATED} servers run at a time.` })
        }
        const faults = parseFaults(switches)
        if (Result.isFailure(faults)) return yield* new Unusable({ message: faults.failure.message })
        yield* Effect.forEach(
          Array.from({ length: wanted }),
          () =>
            Effect.gen(function* () {
              const scope = yield* Scope.make()
              const id = String(++count)
              const options = switches.length === 0 ? {} : { faults: faults.success }
              const server = yield* Scope.provide(
                emulated(profile, { seed: count, ...variety(wanted, count) }, options, rcon),
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
        )
        return shown()
      }),
      stop: () => Effect.map(stopAll, shown),
      stopOne: ({ params: { id } }) => Effect.map(stop(id), shown)
    })
  })
)

const emulated = Effect.fnUntraced(function* (
  name: ProfileName,
  look: ProfileOptions,
  options: EmulatedServer.ServerOptions,
  withConsole: boolean
) {
  let profile: Profile = profiles[name](look)
  const server = yield* EmulatedServer.make({ ...options, profile: following(profile, () => profile) })
  // The port that it tells of is known only now.
  profile = profiles[name]({ ...look, port: server.port })
  if (!withConsole) return server
  // Its port may be taken for TCP by somebody else: then the server has no console.
  yield* RconServer.startSource({
    password: Redacted.make(EMULATED_PASSWORD),
    handler: RconServer.emulatedConsole(profile),
    bind: { address: server.address, port: server.port }
  }).pipe(Effect.ignore)
  return server
})

/** Servers that are started together differ in how many play on them. */
const variety = (wanted: number, seed: number): ProfileOptions => (wanted === 1 ? {} : { people: (seed * 7) % 17 })

/** A profile whose replies are those of whatever `now` gives. */
const following = (first: Profile, now: () => Profile): Profile => {
  const { info, legacyInfo, players, rules } = first
  return {
    ...first,
    ...(info === undefined ? {} : { info: () => current(now().info ?? info) }),
    ...(legacyInfo === undefined ? {} : { legacyInfo: () => current(now().legacyInfo ?? legacyInfo) }),
    ...(players === undefined ? {} : { players: () => current(now().players ?? players) }),
    ...(rules === undefined ? {} : { rules: () => current(now().rules ?? rules) })
  }
}
