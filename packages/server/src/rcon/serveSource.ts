/**
 * Source RCON connections over TCP: accepts and limits connections, disconnects idle connections, bans addresses, and passes commands to
 * the handler.
 */
import { decodeText, encodeText } from "@sourcewire/protocol/wire"
import type { InvalidOption, SendFailed } from "@sourcewire/core"
import { Streams } from "@sourcewire/core/transport"
import type { StreamHandle, StreamHandler } from "@sourcewire/core/transport"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as Fiber from "effect/Fiber"
import * as FiberSet from "effect/FiberSet"
import type * as Scope from "effect/Scope"
import { checked } from "@sourcewire/inside/checks"
import { sourceShape } from "../shapes.ts"
import { runHandler } from "./commandHandler.ts"
import { LoginAttempts } from "./loginAttempts.ts"
import { Outbox } from "./outbox.ts"
import { encodePassword } from "./password.ts"
import type { RconServer, SourceRconServerOptions } from "./serverOptions.ts"
import type { SourceConnectionEvent } from "./sourceConnection.ts"
import { SourceConnection } from "./sourceConnection.ts"

/** Maximum number of bytes that the client has not read yet. Above this number, the client is disconnected. */
const MAX_QUEUED_BYTES = 1024 * 1024

/** Serves Source RCON (TCP) for the life of the scope. */
export const makeSourceRcon = Effect.fnUntraced(function* (
  options: SourceRconServerOptions
): Effect.fn.Return<RconServer, InvalidOption | SendFailed, Scope.Scope | Streams> {
  yield* Effect.fromResult(checked(sourceShape, options))
  const { encoding = "auto", host = "127.0.0.1", port = 27_015 } = options
  const { idleTimeoutMs = 600_000, loginTimeoutMs = 10_000, maxConnections = 16 } = options
  const attempts = new LoginAttempts(options.attempts)
  const password = encodePassword(options)
  const streams = yield* Streams
  const clock = yield* Clock.Clock
  const fork = yield* FiberSet.runtime(yield* FiberSet.make<void, never>())<never>()
  const later = (ms: number, then: () => void) => fork(Effect.andThen(Effect.sleep(ms), Effect.sync(then)))
  const now = () => clock.currentTimeMillisUnsafe()

  const accept = (stream: StreamHandle): StreamHandler => {
    const { address, port } = stream.remote
    const connection = new SourceConnection(password, options.behaviour)
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
    /**
     * Restarts the timeout when input arrives, but only after the login. Before the login, single bytes could otherwise keep a connection
     * open forever.
     */
    const touch = () => {
      if (!connection.loggedIn) return
      timer?.interruptUnsafe()
      timer = later(idleTimeoutMs, destroy)
    }
    /** Sends packets. Returns whether the connection stays open. */
    const send = (): boolean => {
      outbox.push(connection.takePackets())
      if (stream.queuedBytes() + outbox.queuedBytes > MAX_QUEUED_BYTES) return destroy()
      if (connection.full) stream.pause()
      else stream.resume()
      return true
    }
    const run = (bytes: Uint8Array) => {
      const text = decodeText(bytes, 0, bytes.length, encoding).text
      command = fork(
        Effect.map(runHandler(options.handler, text, { address, port, engine: "source" }), (reply) => {
          connection.reply(encodeText(reply, encoding) ?? new TextEncoder().encode(reply))
          touch()
          pump()
        })
      )
    }
    const take = (event: SourceConnectionEvent): boolean => {
      if (event.kind === "command") run(event.command)
      else if (event.kind === "logged-in") {
        // The address may have been banned after this connection was opened.
        if (attempts.isBanned(address, now())) return destroy()
        touch()
      } else if (event.kind === "broken" || attempts.failed(address, now())) return destroy()
      else connection.resume()
      return true
    }
    /** Processes all pending events. If a handler finishes synchronously, its output is sent before the next command runs. */
    const pump = (): void => {
      if (isPumping) return
      isPumping = true
      for (let isMoving = true; isMoving;) {
        const events = connection.takeEvents()
        isMoving = events.every(take) && send() && events.length > 0
      }
      isPumping = false
    }

    if (attempts.isBanned(address, now())) destroy()
    else timer = later(loginTimeoutMs, destroy)
    return {
      onData: (bytes) => {
        connection.receive(bytes)
        touch()
        pump()
      },
      onClose: stop
    }
  }

  const { local } = yield* streams.listen({ bind: { address: host, port }, maxConnections }, accept)
  return { local, unban: (banned) => attempts.unban(banned) }
})
