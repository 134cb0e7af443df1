/**
 * Source RCON connections over the runtime's TCP: accepts, caps, times out, bans, and hands commands to the handler.
 *
 * @module
 */
import type { Encoding } from "@sourcewire/protocol"
import { decodeText, encodeText } from "@sourcewire/protocol/machines"
import type { SendFailed } from "@sourcewire/core"
import { Streams } from "@sourcewire/core/transport"
import type { Endpoint, StreamHandle, StreamHandler } from "@sourcewire/core/transport"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as Fiber from "effect/Fiber"
import * as FiberSet from "effect/FiberSet"
import type * as Scope from "effect/Scope"
import type { CommandHandler } from "./commandHandler.ts"
import { runHandler } from "./commandHandler.ts"
import type { LoginAttempts } from "./loginAttempts.ts"
import type { SegmentFault } from "./outbox.ts"
import { Outbox } from "./outbox.ts"
import type { SourceConnectionEvent, SourceManners } from "./sourceConnection.ts"
import { SourceConnection } from "./sourceConnection.ts"

/** Replies that wait for a reader. Who asks for more without reading is disconnected. */
const MAX_QUEUED_BYTES = 1024 * 1024

/** Everything a Source RCON listener needs to know. */
export interface ServeSourceOptions extends SourceManners {
  readonly bind: Endpoint
  readonly password: Uint8Array
  readonly handler: CommandHandler
  readonly attempts: LoginAttempts
  readonly encoding: Encoding
  readonly maxConnections: number
  readonly loginTimeoutMs: number
  readonly idleTimeoutMs: number
  readonly segments: SegmentFault | undefined
}

/** Serves for the life of the scope; gives the address it listens on. */
export const serveSource = Effect.fnUntraced(function* (
  options: ServeSourceOptions
): Effect.fn.Return<Endpoint, SendFailed, Scope.Scope | Streams> {
  const streams = yield* Streams
  const clock = yield* Clock.Clock
  const fork = yield* FiberSet.runtime(yield* FiberSet.make<void, never>())<never>()
  const later = (ms: number, then: () => void) => fork(Effect.andThen(Effect.sleep(ms), Effect.sync(then)))
  const now = () => clock.currentTimeMillisUnsafe()

  const accept = (stream: StreamHandle): StreamHandler => {
    const { address, port } = stream.remote
    const connection = new SourceConnection(options.password, options)
    const outbox = new Outbox((bytes) => stream.write(bytes), later, options.segments)
    let timer: Fiber.Fiber<void> | undefined
    let command: Fiber.Fiber<void> | undefined
    let isPumping = false

    const stop = () => {
      timer?.interruptUnsafe()
      command?.interruptUnsafe()
    }
    const destroy = (): false => {
      stop()
      stream.destroy()
      return false
    }
    /** Before the log-in the clock runs on: a byte now and then would hold a connection for ever. */
    const touch = () => {
      if (!connection.loggedIn) return
      timer?.interruptUnsafe()
      timer = later(options.idleTimeoutMs, destroy)
    }
    /** Whether the connection goes on, as {@link take}. */
    const send = (): boolean => {
      outbox.push(connection.takePackets())
      if (stream.queuedBytes() + outbox.queuedBytes > MAX_QUEUED_BYTES) return destroy()
      if (connection.full) stream.pause()
      else stream.resume()
      return true
    }
    const run = (bytes: Uint8Array) => {
      const text = decodeText(bytes, 0, bytes.length, options.encoding).text
      command = fork(
        Effect.map(runHandler(options.handler, text, { address, port, engine: "source" }), (reply) => {
          connection.reply(encodeText(reply, options.encoding) ?? new TextEncoder().encode(reply))
          touch()
          pump()
        })
      )
    }
    const take = (event: SourceConnectionEvent): boolean => {
      if (event.kind === "command") run(event.command)
      else if (event.kind === "logged-in") touch()
      else if (event.kind === "broken" || options.attempts.failed(address, now())) return destroy()
      else connection.goOn()
      return true
    }
    /** Moves everything that can move. A handler may be done before it returns: what it printed is sent before the next one runs. */
    const pump = (): void => {
      if (isPumping) return
      isPumping = true
      for (let isMoving = true; isMoving;) {
        const events = connection.takeEvents()
        isMoving = events.every(take) && send() && events.length > 0
      }
      isPumping = false
    }

    if (options.attempts.isBanned(address, now())) destroy()
    else timer = later(options.loginTimeoutMs, destroy)
    return {
      onData: (bytes) => {
        connection.receive(bytes)
        touch()
        pump()
      },
      onClose: stop
    }
  }

  const listener = yield* streams.listen({ bind: options.bind, maxConnections: options.maxConnections }, accept)
  return listener.local
})
