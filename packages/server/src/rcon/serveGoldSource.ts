/**
 * RCON over the runtime's UDP: hands commands to the handler, and what is not RCON's to whoever answers queries on the same port.
 *
 * @module
 */
import type { Endpoint, SendFailed } from "@sourcewire/core"
import { Datagrams } from "@sourcewire/core"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as FiberSet from "effect/FiberSet"
import type * as Scope from "effect/Scope"
import type { Answering } from "../Responder.ts"
import type { CommandHandler } from "./commandHandler.ts"
import { runHandler } from "./commandHandler.ts"
import type { GoldSourceConsole } from "./goldSourceConsole.ts"

/** Commands under way; a password's owner who sends more in a burst loses the rest, as datagrams get lost. */
const MAX_RUNNING = 64

/** Serves for the life of the scope; gives the address it listens on. */
export const serveGoldSource = Effect.fnUntraced(function* (options: {
  readonly bind: Endpoint
  readonly engine: "goldsource" | "quake"
  readonly console: GoldSourceConsole
  readonly handler: CommandHandler
  readonly queries: Answering | undefined
}): Effect.fn.Return<Endpoint, SendFailed, Datagrams | Scope.Scope> {
  const datagrams = yield* Datagrams
  const clock = yield* Clock.Clock
  const fibers = yield* FiberSet.make<void, never>()
  const fork = yield* FiberSet.runtime(fibers)<never>()
  let running = 0
  let send: (bytes: Uint8Array, address: string, port: number) => void = () => {}

  const run = (command: string, address: string, port: number) => {
    if (running >= MAX_RUNNING) return
    running += 1
    fork(
      Effect.map(runHandler(options.handler, command, { address, port, engine: options.engine }), (text) => {
        running -= 1
        for (const datagram of options.console.reply(text)) send(datagram, address, port)
      })
    )
  }
  const onDatagram = (bytes: Uint8Array, address: string, port: number) => {
    const now = clock.currentTimeMillisUnsafe()
    const answer = options.console.receive(bytes, address, port, now)
    if (answer.kind === "command") return run(answer.command, address, port)
    const replies =
      answer.kind === "send" ? answer.datagrams : (options.queries?.respond(bytes, address, port, now) ?? [])
    for (const reply of replies) send(reply, address, port)
    return undefined
  }

  const socket = yield* datagrams.open(
    { family: options.bind.address.includes(":") ? 6 : 4, bind: options.bind, keepsProcess: true },
    { onDatagram, onFault: () => {} }
  )
  send = (bytes, address, port) => socket.send(bytes, address, port)
  return socket.local
})
