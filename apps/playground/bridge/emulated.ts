/** An emulated server as the page starts it. */
import { type Faults, emulatedConsole, makeServer, profiles } from "@sourcewire/emulator"
import type { ProfileOptions } from "@sourcewire/emulator/machines"
import { makeSourceRcon } from "@sourcewire/server"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"

/** Of the consoles of emulated servers: they hold nothing to protect and listen on loopback. */
export const EMULATED_PASSWORD = "playground"

/** A switch beside the faults of the library: nothing goes wrong, but the way there is another. */
export const COMPRESS = {
  name: "compress",
  takes: "nothing",
  description: "replies that need fragments are compressed with bzip2"
} as const

/** Runs until its scope closes. With the console switched on it has one of its own, see {@link EMULATED_PASSWORD}. */
export const emulated = Effect.fnUntraced(function* (
  name: keyof typeof profiles,
  look: ProfileOptions,
  compress: boolean,
  faults: Faults,
  withConsole: boolean
) {
  const server = yield* makeServer({
    profile: (port) => {
      const profile = profiles[name]({ ...look, port })
      return compress ? { ...profile, oversize: { ...profile.oversize, how: "split", bzip2: true } } : profile
    },
    ...(Object.keys(faults).length === 0 ? {} : { faults })
  })
  if (!withConsole) return server
  // Its port may be taken for TCP by somebody else: then the server has no console.
  yield* makeSourceRcon({
    password: Redacted.make(EMULATED_PASSWORD),
    handler: emulatedConsole(server.profile),
    host: server.address,
    port: server.port
  }).pipe(Effect.ignore)
  return server
})

/** Servers that are started together differ in how many play on them. */
export const variety = (wanted: number, seed: number): ProfileOptions =>
  wanted === 1 ? {} : { people: (seed * 7) % 17 }
