/** Emulated servers as the page starts them: on the bridge's loopback, or in the page. */
import { type Faults, emulatedConsole, makeServer, profiles } from "@sourcewire/emulator"
import { type ProfileName, type ProfileOptions, isProfileName, parseFaults } from "@sourcewire/emulator/machines"
import { makeSourceRcon } from "@sourcewire/server"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Scope from "effect/Scope"
import type { Emulated, StartRequest } from "../bridge/Api.ts"
import type { GivenReply } from "./GivenReply.ts"
import { givenReplies } from "./givenReplies.ts"
import { MAX_EMULATED } from "./limits.ts"

/** Password of the emulated servers' consoles. The consoles protect nothing, and only loopback or the page can reach them. */
export const EMULATED_PASSWORD = "playground"

/** A switch that is offered next to the library's faults. The replies are correct, but compressed. */
export const COMPRESS = {
  name: "compress",
  takes: "nothing",
  description: "replies that need fragments are compressed with bzip2"
} as const

/** Maximum number of attempts to find a port that is free for UDP and TCP. */
const PORTS_TRIED = 8

/** The request to start servers cannot be fulfilled. */
export class CannotStart extends Data.TaggedError("CannotStart")<{
  /** A sentence for people. */
  readonly message: string
}> {}

interface Wanted {
  readonly profile: ProfileName
  readonly options: ProfileOptions
  readonly compress: boolean
  readonly faults: Faults
  readonly withConsole: boolean
  /** The port; with 0, the system chooses it. */
  readonly port: number
  readonly replies: ReadonlyArray<GivenReply>
}

/** Runs a server until its scope closes. Its console has the password {@link EMULATED_PASSWORD}. */
const emulate = ({ compress, faults, options, port, profile: name, replies, withConsole }: Wanted) => {
  const started = makeServer({
    port,
    profile: (port) => {
      const profile = profiles[name]({ ...options, port })
      return compress ? { ...profile, oversize: { ...profile.oversize, how: "split", bzip2: true } } : profile
    },
    ...(replies.length === 0 ? {} : { intercept: givenReplies(replies) }),
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
  // Another program may use the same port for TCP, even if its connection is only closing. Then the server gets another port.
  const inScope = Effect.gen(function* () {
    const scope = yield* Scope.fork(yield* Effect.scope)
    return yield* Effect.onError(Scope.provide(both, scope), (cause) => Scope.close(scope, Exit.failCause(cause)))
  })
  return Effect.retry(inScope, { times: PORTS_TRIED - 1 })
}

/** Servers that are started together have different numbers of players. */
const variety = (wanted: number, seed: number): ProfileOptions => (wanted === 1 ? {} : { people: (seed * 7) % 17 })

interface Running {
  readonly shown: Emulated
  readonly scope: Scope.Closeable
}

/** Servers that run until they are stopped. `firstPort` is the port of the first server; without it, the system chooses ports. */
export const emulatedServers = ({
  firstPort,
  withConsole
}: {
  readonly firstPort?: number
  readonly withConsole: boolean
}) => {
  const running = new Map<string, Running>()
  let count = 0
  // Number of servers that are still starting.
  let starting = 0
  const shown = (): ReadonlyArray<Emulated> => [...running.values()].map((one) => one.shown)
  const stop = (id: string): Effect.Effect<void> => {
    const one = running.get(id)
    running.delete(id)
    return one === undefined ? Effect.void : Scope.close(one.scope, Exit.void)
  }
  const stopAll = Effect.suspend(() => Effect.forEach([...running.keys()], stop, { discard: true }))
  const freePort = (): number => {
    if (firstPort === undefined) return 0
    const used = new Set(shown().map(({ address }) => Number(address.split(":").at(-1))))
    let port = firstPort
    while (used.has(port)) port++
    return port
  }

  const start = Effect.fnUntraced(function* ({ count: wanted, faults: switches, profile, replies = [] }: StartRequest) {
    if (!isProfileName(profile)) return yield* new CannotStart({ message: `There is no profile "${profile}".` })
    if (running.size + starting + wanted > MAX_EMULATED) {
      return yield* new CannotStart({ message: `At most ${MAX_EMULATED} servers run at a time.` })
    }
    const faults = parseFaults(switches.filter((name) => name !== COMPRESS.name))
    if (Result.isFailure(faults)) return yield* new CannotStart({ message: faults.failure.message })
    const startOne = Effect.gen(function* () {
      const scope = yield* Scope.make()
      const id = String(++count)
      // Servers of one request differ by their seeds. In the page, the seed depends only on the servers that run now, so that a link always
      // starts the same servers.
      const seed = firstPort === undefined ? count : (faults.success.seed ?? 1) + running.size
      const server = yield* Scope.provide(
        emulate({
          profile,
          options: { seed, ...variety(wanted, seed) },
          compress: switches.includes(COMPRESS.name),
          faults: faults.success,
          withConsole,
          port: freePort(),
          replies
        }),
        scope
      ).pipe(
        Effect.tapCause(() => Scope.close(scope, Exit.void)),
        Effect.mapError((error) => new CannotStart({ message: error.message }))
      )
      const serves = replies.map(({ request }) => request)
      running.set(id, {
        scope,
        shown: {
          id,
          address: `${server.address}:${server.port}`,
          profile,
          faults: switches,
          ...(serves.length === 0 ? {} : { serves })
        }
      })
    })
    starting += wanted
    yield* Effect.forEach(Array.from({ length: wanted }), () => startOne, { discard: true }).pipe(
      Effect.ensuring(Effect.sync(() => void (starting -= wanted)))
    )
    return shown()
  })

  return { shown, start, stop, stopAll }
}
