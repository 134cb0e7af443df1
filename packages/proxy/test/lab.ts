/** A network in memory, in virtual time, with functions that start a game server and a proxy for this game server. */
import { assert } from "@effect/vitest"
import { Client } from "@sourcewire/core"
import { networkLayer, makeNetwork } from "@sourcewire/core/testing"
import type { MemoryNetwork } from "@sourcewire/core/testing"
import type { Datagrams } from "@sourcewire/core/transport"
import type { InfoReply } from "@sourcewire/protocol"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import * as TestClock from "effect/testing/TestClock"
import { makeServer, profiles } from "@sourcewire/emulator"
import { type Proxy, makeProxy, type ProxyEvent, type ProxyServerOptions } from "../src/index.ts"
import type { ProxyOptions } from "../src/Proxy.ts"
import type { Profile } from "@sourcewire/server"

const UPSTREAM = 27_015
/** The address of the game server. */
export const UPSTREAM_TEXT = `127.0.0.1:${UPSTREAM}`

/** A network in memory, with a client and a function that starts a proxy. */
export interface Lab {
  readonly network: MemoryNetwork
  readonly client: typeof Client.Service
  readonly events: Array<ProxyEvent>
  readonly start: (
    options?: Partial<ProxyServerOptions>,
    saved?: ProxyOptions["saved"]
  ) => Effect.Effect<Proxy & { readonly at: string }, unknown, Datagrams | Scope.Scope>
  /** Runs an effect while `ms` milliseconds of virtual time pass. */
  readonly during: <A, E>(ms: number, effect: Effect.Effect<A, E>) => Effect.Effect<A, E>
}

/** Runs a test, and checks that no socket is open afterwards. */
export const inLab = (use: (lab: Lab) => Effect.Effect<void, unknown, Datagrams | Scope.Scope>) =>
  Effect.gen(function* () {
    const network = yield* makeNetwork({ names: { "itself.example": "127.0.0.1" } })
    const transport = networkLayer(network)
    const events: Array<ProxyEvent> = []
    yield* Effect.scoped(
      Effect.gen(function* () {
        yield* use({
          network,
          client: yield* Client,
          events,
          start: (options, saved) =>
            Effect.map(
              makeProxy({
                servers: [{ upstream: UPSTREAM_TEXT, port: 27_016, ...options }],
                onEvent: (event) => void events.push(event),
                ...(saved === undefined ? {} : { saved })
              }),
              (proxy) => ({ ...proxy, at: proxy.status()[0]!.listening })
            ),
          during: Effect.fnUntraced(function* (ms, effect) {
            const running = yield* Effect.forkChild(effect)
            yield* TestClock.adjust(ms)
            return yield* Fiber.join(running)
          })
        })
      }).pipe(Effect.provide(Layer.merge(Layer.provide(Client.layer(), transport), transport)))
    )
    assert.strictEqual(network.openSockets, 0)
  })

/** Starts the game server. */
export const upstream = (profile: Profile, port: number = UPSTREAM) => makeServer({ profile, port })

/** Starts a game server that can be stopped. */
export const stoppable = Effect.fnUntraced(function* (profile: Profile, port?: number) {
  const scope = yield* Scope.make()
  const server = yield* Scope.provide(upstream(profile, port), scope)
  return { server, stop: Scope.close(scope, Exit.void) }
})

/** A profile with all replies. */
export const css = profiles.css()
export const info = css.info as InfoReply
