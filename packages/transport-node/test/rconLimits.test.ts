/** The limits of our Source RCON server over real TCP: slow logins, idle connections, failing handlers, and clients that do not read. */
import { assert, describe, it } from "@effect/vitest"
import { rcon as openRcon } from "@sourcewire/core"
import type { RconOptions } from "@sourcewire/core"
import { makeSourceRcon } from "@sourcewire/server"
import type { CommandHandler, SourceRconServerOptions } from "@sourcewire/server/machines"
import { AUTH, encodePacket, EXEC_COMMAND, SourceRconFramer } from "@sourcewire/protocol/wire"
import * as Effect from "effect/Effect"
import * as References from "effect/References"
import * as net from "node:net"
import { password, PASSWORD_TEXT, PATIENCE_MS, transport } from "./rconSetup.ts"

const startServer = (handler: CommandHandler, options?: Partial<SourceRconServerOptions>) =>
  makeSourceRcon({ password, port: 0, handler, ...options })
const connect = (port: number, options?: Partial<RconOptions>) =>
  openRcon(`127.0.0.1:${port}`, { password, engine: "source", timeoutMs: PATIENCE_MS, ...options })

/** Opens a raw connection. `closed` resolves when the connection is closed. */
const openRaw = (port: number) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const socket = net.connect(port, "127.0.0.1").on("error", () => {})
      const closed = new Promise<void>((resolve) => void socket.once("close", () => resolve()))
      return { socket, closed }
    }),
    ({ socket }) => Effect.sync(() => socket.destroy())
  )
const logIn = encodePacket({ id: 1, type: AUTH, body: new TextEncoder().encode(PASSWORD_TEXT) })
const command = encodePacket({ id: 2, type: EXEC_COMMAND, body: new TextEncoder().encode("x") })

describe.concurrent("an RCON server with limits", () => {
  it.live("disconnects a client if the client sends the password too slowly", () =>
    Effect.gen(function* () {
      const server = yield* startServer(() => "hi", { loginTimeoutMs: 400 })
      const { closed, socket } = yield* openRaw(server.local.port)
      // All bytes belong to a valid login. Therefore the only reason for the disconnection is that the login takes too long.
      socket.write(Uint8Array.of(0, 16, 0, 0, 1, 0, 0, 0, 3, 0, 0, 0))
      const startedAt = performance.now()
      const drip = setInterval(() => socket.write("x"), 20)
      yield* Effect.promise(() => closed)
      clearInterval(drip)
      assert.isAtLeast(performance.now() - startedAt, 300)
    }).pipe(Effect.scoped, Effect.provide(transport))
  )

  it.live("disconnects a client only after the client has sent no command for `idleTimeoutMs`", () =>
    Effect.gen(function* () {
      const server = yield* startServer(() => "hi", { loginTimeoutMs: 10_000, idleTimeoutMs: 1500 })
      const { closed, socket } = yield* openRaw(server.local.port)
      let answers = 0
      const framer = new SourceRconFramer()
      socket.on("data", (bytes: Uint8Array) => {
        answers += framer.push(bytes).filter(({ id }) => id === 2).length
      })
      socket.write(logIn)
      for (let i = 0; i < 10; i++) {
        yield* Effect.sleep("200 millis")
        socket.write(command)
      }
      yield* Effect.promise(() => closed)
      assert.strictEqual(answers, 10)
    }).pipe(Effect.scoped, Effect.provide(transport))
  )

  it.live("reports in the reply that the handler failed, and keeps the connection open", () =>
    Effect.gen(function* () {
      const server = yield* startServer((command) => {
        if (command === "throw") throw new Error("secret detail")
        if (command === "reject") return Promise.reject(new Error("secret detail"))
        if (command === "nothing") return undefined as never
        if (command === "late") return Promise.resolve("fine, later")
        return command === "die" ? Effect.die(new Error("secret detail")) : "fine"
      })
      const rcon = yield* connect(server.local.port)
      assert.strictEqual(yield* rcon.exec("late"), "fine, later")
      for (const command of ["throw", "die", "reject", "nothing"]) {
        const reply = yield* rcon.exec(command)
        assert.match(reply, /failed/)
        assert.notInclude(reply, "secret")
      }
      assert.strictEqual(yield* rcon.exec("ok"), "fine")
    }).pipe(Effect.scoped, Effect.provide(transport), Effect.provideService(References.MinimumLogLevel, "None"))
  )
})

// This test does not run concurrently with other tests, because it creates a lot of data.
describe("a client that reads nothing", () => {
  it.live("is disconnected, and its further commands do not run", () =>
    Effect.gen(function* () {
      let commandsRun = 0
      const reply = "x".repeat(1024 * 1024)
      const server = yield* startServer(() => `${reply}${commandsRun++}`, { maxConnections: 1 })
      const { socket } = yield* openRaw(server.local.port)
      socket.pause()
      socket.write(logIn)
      for (let i = 0; i < 200; i++) socket.write(command)
      // The server allows one connection. Therefore it accepts this second connection only after it has closed the first connection.
      const rcon = yield* Effect.retry(connect(server.local.port, { reconnect: false }), {
        while: ({ _tag }) => _tag === "Refused"
      })
      assert.include(yield* rcon.exec("x"), "x")
      // Each reply is 1 MB. The server runs no more commands when the buffers of the system and of the server (1 MB) are full.
      assert.isBelow(commandsRun, 100)
    }).pipe(Effect.scoped, Effect.provide(transport))
  )
})
