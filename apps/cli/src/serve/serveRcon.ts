/** RCON for emulated servers, on the query port. Chooses the RCON protocol, reads the password, and starts the console. */
import { emulatedConsole } from "@sourcewire/emulator"
import { makeHttpLogs } from "@sourcewire/emulator/machines"
import { type Profile, makeSourceRcon } from "@sourcewire/server"
import { type Intercept, interceptGoldSource } from "@sourcewire/server/machines"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Redacted from "effect/Redacted"
import * as Scope from "effect/Scope"
import { UsageError } from "../exitCode.ts"
import { PASSWORD_VARIABLE, environmentPassword, readPasswordFile } from "../rcon/password.ts"
import type { ProfileName, ServeSettings, ServedEngine } from "./flags.ts"

/**
 * Profiles that do not use Source RCON. HLTV uses a variant of the RCON protocol of HLDS. Xash3D and Warsow use the RCON protocol of Quake.
 */
const SPOKEN: Partial<Record<ProfileName, ServedEngine>> = {
  cs16: "goldsource",
  rehlds: "goldsource",
  hltv: "goldsource",
  xash3d: "quake",
  warsow: "quake"
}

export interface ServedConsole {
  readonly password: Redacted.Redacted<string>
  readonly engine: ServedEngine
}

/**
 * Returns a function that returns the console settings for a profile, or returns `undefined` if the user gave no password. `--rcon-engine`
 * chooses the RCON protocol of all consoles. Without this flag, the profile determines the RCON protocol.
 */
export const consolesFor = Effect.fnUntraced(function* ({ rconEngine, rconPasswordFile }: ServeSettings) {
  const password = rconPasswordFile === undefined ? environmentPassword() : yield* readPasswordFile(rconPasswordFile)
  if (password !== undefined) {
    return (profile: ProfileName): ServedConsole => ({ password, engine: rconEngine ?? SPOKEN[profile] ?? "source" })
  }
  if (rconEngine === undefined) return undefined
  return yield* new UsageError(
    `--rcon-engine requires a password. Use --rcon-password-file FILE, or set ${PASSWORD_VARIABLE}.`
  )
})

/**
 * Starts a server, with RCON on the query port of the server. If `start` receives an intercept, it must pass the intercept to the server.
 * An intercept handles datagrams before the server does.
 */
export const withConsole = Effect.fnUntraced(function* <
  A extends { readonly address: string; readonly port: number },
  E,
  R
>(profile: Profile, { engine, password }: ServedConsole, start: (intercept?: Intercept) => Effect.Effect<A, E, R>) {
  const logs = profile.name === "cs2" ? yield* makeHttpLogs({ token: "5af0c1de5af0c1de" }) : undefined
  const options = { password, handler: emulatedConsole(profile, logs) }
  const dialect = engine === "quake" ? "quake" : profile.name === "hltv" ? "hltv" : "goldsource"
  const udp = engine === "source" ? undefined : yield* interceptGoldSource({ ...options, dialect })
  const server = yield* start(udp?.intercept)
  if (engine === "source" || engine === "both") {
    yield* makeSourceRcon({ ...options, host: server.address, port: server.port })
  }
  return server
})

/**
 * Runs an effect that starts several parts, such as a server and its RCON. If a part fails to start, all parts that have already started
 * are stopped, and the effect fails.
 */
export const allOrNothing = <A, E, R>(start: Effect.Effect<A, E, R | Scope.Scope>) =>
  Effect.flatMap(
    Effect.acquireRelease(Scope.make(), (scope, exit) => Scope.close(scope, exit)),
    (scope) => Effect.onError(Scope.provide(start, scope), (cause) => Scope.close(scope, Exit.failCause(cause)))
  )
