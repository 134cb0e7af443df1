/** An emulated server as the page starts it. */
import { type Faults, emulatedConsole, makeServer, profiles } from "@sourcewire/emulator"
import type { ProfileOptions } from "@sourcewire/emulator/machines"
import { makeSourceRcon } from "@sourcewire/server"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Redacted from "effect/Redacted"
import * as Scope from "effect/Scope"

/** Of the consoles of emulated servers: they hold nothing to protect and listen on loopback. */
export const EMULATED_PASSWORD = "playground"

/** A switch beside the faults of the library: nothing goes wrong, but the way there is another. */
export const COMPRESS = {
  name: "compress",
  takes: "nothing",
  description: "replies that need fragments are compressed with bzip2"
} as const

/** So many ports are tried for a server with a console. */
const PORTS_TRIED = 8

/** Runs until its scope closes. With the console switched on it has one of its own, see {@link EMULATED_PASSWORD}. */
export const emulated = (
  name: keyof typeof profiles,
  look: ProfileOptions,
  compress: boolean,
  faults: Faults,
  withConsole: boolean
) => {
  const started = makeServer({
    profile: (port) => {
      const profile = profiles[name]({ ...look, port })
      return compress ? { ...profile, oversize: { ...profile.oversize, how: "split", bzip2: true } } : profile
    },
    ...(Object.keys(faults).length === 0 ? {} : { faults })
  })
  if (!withConsole) return started
  const both = Effect.tap(started, (server) =>
    makeSourceRcon({
      password: Redacted.make(EMULATED_PASSWORD),
      handler: emulatedConsole(server.profile),
      host: server.address,
      port: server.port
    })
  )
  // Somebody else may have its port for TCP, if only for the near end of a connection: then the server has another.
  const inScope = Effect.gen(function* () {
    const scope = yield* Scope.fork(yield* Effect.scope)
    return yield* Effect.onError(Scope.provide(both, scope), (cause) => Scope.close(scope, Exit.failCause(cause)))
  })
  return Effect.retry(inScope, { times: PORTS_TRIED - 1 })
}

/** Servers that are started together differ in how many play on them. */
export const variety = (wanted: number, seed: number): ProfileOptions =>
  wanted === 1 ? {} : { people: (seed * 7) % 17 }
