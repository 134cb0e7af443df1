/** Starts RCON consoles for emulated servers. An RCON console listens on the query port of its server. */
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
 * The RCON protocols of the profiles that do not use Source RCON. HLTV uses a variant of the RCON protocol of HLDS. Xash3D and Warsow use
 * the RCON protocol of Quake.
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
 * If the user gave a password, returns a function that chooses the password and the RCON protocol for a profile. If `--rcon-engine` is
 * absent, the protocol depends on the profile. If the user gave no password, returns `undefined`, but fails if `--rcon-engine` is present.
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
 * Starts a server with RCON. If RCON uses UDP, `start` receives an intercept, and must pass it to the server. The intercept handles the
 * RCON packets among the datagrams that the server receives.
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
 * Runs an effect that starts several parts, such as a server and its RCON console. If one of the parts cannot start, the parts that are
 * already running are stopped, and the effect fails.
 */
export const allOrNothing = <A, E, R>(start: Effect.Effect<A, E, R | Scope.Scope>) =>
  Effect.flatMap(
    Effect.acquireRelease(Scope.make(), (scope, exit) => Scope.close(scope, exit)),
    (scope) => Effect.onError(Scope.provide(start, scope), (cause) => Scope.close(scope, Exit.failCause(cause)))
  )
