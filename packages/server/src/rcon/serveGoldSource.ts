/**
 * RCON over the runtime's UDP: hands commands to the handler, and what is not RCON's to whoever answers queries on the same port.
 *
 * @module
 */
import type { SendFailed } from "@sourcewire/core"
import type { Datagrams, Endpoint } from "@sourcewire/core/transport"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as FiberSet from "effect/FiberSet"
import type * as Scope from "effect/Scope"
import { openAnswering } from "../answeringSocket.ts"
import type { Intercept } from "../query/Responder.ts"
import type { CommandHandler } from "./commandHandler.ts"
import { runHandler } from "./commandHandler.ts"
import type { GoldSourceConsole } from "./goldSourceConsole.ts"
import type { GoldSourceRconServerOptions } from "./RconServer.ts"

/** Commands under way; a password's owner who sends more in a burst loses the rest, as datagrams get lost. */
const MAX_RUNNING = 64

/** Who carries out the commands of a console, and how it is spoken to. */
export interface GoldSourceService {
  readonly engine: "goldsource" | "quake"
  readonly console: GoldSourceConsole
  readonly handler: CommandHandler
}

/** Answers datagrams of a socket that somebody else holds; commands run for the life of the scope. */
export const answerGoldSource = Effect.fnUntraced(function* ({
  console,
  engine,
  handler
}: GoldSourceService): Effect.fn.Return<Intercept, never, Scope.Scope> {
  const clock = yield* Clock.Clock
  const fork = yield* FiberSet.runtime(yield* FiberSet.make<void, never>())<never>()
  let running = 0

  return (datagram, address, port, reply) => {
    const answer = console.receive(datagram, address, port, clock.currentTimeMillisUnsafe())
    if (answer.kind === "foreign") return false
    if (answer.kind === "send") {
      for (const one of answer.datagrams) reply(one)
    } else if (running < MAX_RUNNING) {
      running += 1
      fork(
        Effect.map(runHandler(handler, answer.command, { address, port, engine }), (text) => {
          running -= 1
          for (const one of console.reply(text)) reply(one)
        })
      )
    }
    return true
  }
})

/** Serves for the life of the scope; gives the address it listens on. */
export const serveGoldSource = Effect.fnUntraced(function* (
  service: GoldSourceService,
  { host = "127.0.0.1", port = 27_015, queries }: GoldSourceRconServerOptions
): Effect.fn.Return<Endpoint, SendFailed, Datagrams | Scope.Scope> {
  const clock = yield* Clock.Clock
  const answer = yield* answerGoldSource(service)
  const { handle } = yield* openAnswering({ address: host, port }, (bytes, address, port, send) => {
    if (answer(bytes, address, port, (reply) => send(reply, address, port))) return true
    const replies = queries?.respond(bytes, address, port, clock.currentTimeMillisUnsafe()) ?? []
    for (const reply of replies) send(reply, address, port)
    return replies.length > 0
  })
  return handle.local
})
