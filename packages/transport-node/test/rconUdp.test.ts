/** RCON over real UDP between our client and our server: the dialects of HLDS and Xash3D, and the detection of UDP or TCP. */
import { assert, describe, it } from "@effect/vitest"
import { type RconOptions, Client, rcon as openRcon } from "@sourcewire/core"
import type { RconTraceEvent } from "@sourcewire/core/rcon"
import { emulatedConsole, makeServer, profiles } from "@sourcewire/emulator"
import { makeGoldSourceRcon, makeSourceRcon, Responder } from "@sourcewire/server"
import { type CommandHandler, type GoldSourceRconServerOptions, interceptGoldSource } from "@sourcewire/server/machines"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { Socket } from "node:dgram"
import { createSocket } from "node:dgram"
import * as net from "node:net"
import { password, PASSWORD_TEXT, PATIENCE_MS, makeText, transport } from "./rconSetup.ts"

const startServer = (handler: CommandHandler, options?: Partial<GoldSourceRconServerOptions>) =>
  makeGoldSourceRcon({ password, port: 0, handler, ...options })
const connect = (port: number, options?: Partial<RconOptions>) =>
  openRcon(`127.0.0.1:${port}`, { password, engine: "goldsource", timeoutMs: PATIENCE_MS, ...options })

describe.concurrent.each(["goldsource", "quake"] as const)("RCON over UDP, %s", (engine) => {
  it.live.each([0, 1, 600, 4096, 40_000])("returns a reply of %i bytes", (bytes) =>
    Effect.gen(function* () {
      const server = yield* startServer((command) => (command === "long" ? makeText(bytes) : command), {
        dialect: engine
      })
      const rcon = yield* connect(server.local.port, { engine })
      assert.strictEqual(rcon.engine, engine)
      assert.strictEqual(yield* rcon.exec("long"), makeText(bytes))
      assert.strictEqual(yield* rcon.exec("Zoë ★"), "Zoë ★")
    }).pipe(Effect.scoped, Effect.provide(transport))
  )

  it.live("runs concurrent commands one after the other, and returns the right reply to each command", () =>
    Effect.gen(function* () {
      const events: Array<string> = []
      const handler = (command: string) =>
        Effect.gen(function* () {
          events.push(`begin ${command}`)
          yield* Effect.sleep(5)
          events.push(`end ${command}`)
          return `${command}\n`.repeat(3)
        })
      const server = yield* startServer(handler, { dialect: engine })
      const rcon = yield* connect(server.local.port, { engine })
      const replies = yield* Effect.forEach([1, 2, 3, 4, 5], (i) => rcon.exec(`echo ${i}`), {
        concurrency: "unbounded"
      })
      assert.deepStrictEqual(
        replies,
        [1, 2, 3, 4, 5].map((i) => `echo ${i}\n`.repeat(3))
      )
      assert.deepStrictEqual(
        // The client logs in with an `echo` command that contains no number. This filter removes the events of that command.
        events.filter((event) => /\d$/.test(event)),
        [1, 2, 3, 4, 5].flatMap((i) => [`begin echo ${i}`, `end echo ${i}`])
      )
    }).pipe(Effect.scoped, Effect.provide(transport))
  )

  it.live("never returns the late reply to an abandoned command as the reply to the next command", () =>
    Effect.gen(function* () {
      // The server replies to each slow command only after the client has abandoned the command, even on a busy host.
      const abandoned = [Deferred.makeUnsafe<void>(), Deferred.makeUnsafe<void>()]
      const hasStarted = Deferred.makeUnsafe<void>()
      let commands = 0
      const slowly = Effect.suspend(() => {
        const isAbandoned = abandoned[commands++]!
        if (commands === 2) Deferred.doneUnsafe(hasStarted, Effect.void)
        return Effect.as(Deferred.await(isAbandoned), "slow reply")
      })
      const server = yield* startServer((command) => (command === "slow" ? slowly : command), { dialect: engine })
      const rcon = yield* connect(server.local.port, { engine })
      const error = yield* Effect.flip(rcon.exec("slow", { timeoutMs: 60 }))
      assert.strictEqual(error._tag, "Timeout")
      Deferred.doneUnsafe(abandoned[0]!, Effect.void)
      assert.strictEqual(yield* rcon.exec("fast"), "fast")
      const slow = yield* Effect.forkChild(rcon.exec("slow"))
      yield* Deferred.await(hasStarted)
      slow.interruptUnsafe()
      Deferred.doneUnsafe(abandoned[1]!, Effect.void)
      assert.strictEqual(yield* rcon.exec("fast again"), "fast again")
    }).pipe(Effect.scoped, Effect.provide(transport))
  )
})

describe.concurrent("RCON of GoldSource", () => {
  it.live("joins replies that arrive in fragments", () =>
    Effect.gen(function* () {
      const server = yield* startServer(() => makeText(9000), { maxTextBytes: 4000 })
      const rcon = yield* connect(server.local.port)
      const parts = yield* Stream.runCollect(rcon.stream("x"))
      assert.strictEqual(parts.join(""), makeText(9000))
      assert.lengthOf(parts, 3)
    }).pipe(Effect.scoped, Effect.provide(transport))
  )

  it.live(
    "reports a wrong password as AuthenticationFailed, and after too many wrong passwords reports a ban until the ban is removed",
    () =>
      Effect.gen(function* () {
        const server = yield* startServer(() => "in", { attempts: { maxFailures: 2 } })
        const { port } = server.local
        const wrong = { password: Redacted.make("not the password") }
        for (let i = 0; i < 3; i++) {
          const error = yield* Effect.flip(connect(port, wrong))
          assert.strictEqual(error._tag, "AuthenticationFailed")
          assert.notInclude(JSON.stringify(error), "not the password")
        }
        const banned = yield* Effect.flip(connect(port))
        assert.deepInclude(banned, { _tag: "Refused", text: "You have been banned from this server." })
        assert.match(banned.message, /banned.*removeip/)
        server.unban("127.0.0.1")
        assert.strictEqual(yield* (yield* connect(port)).exec("x"), "in")
      }).pipe(Effect.scoped, Effect.provide(transport))
  )

  it.live("reports a closed port as PortClosed", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const server = yield* Scope.provide(
        startServer(() => ""),
        scope
      )
      yield* Scope.close(scope, Exit.void)
      const error = yield* Effect.flip(connect(server.local.port))
      assert.strictEqual(error._tag, "PortClosed")
    }).pipe(Effect.scoped, Effect.provide(transport))
  )

  it.live("rejects passwords and commands that cannot be encoded", () =>
    Effect.gen(function* () {
      const server = yield* startServer(() => "never")
      for (const unwritable of ['a"b', "a\nb", "a\rb"]) {
        const quoted = yield* Effect.flip(connect(server.local.port, { password: Redacted.make(unwritable) }))
        assert.deepInclude(quoted, { _tag: "EncodeError", field: "password" })
        assert.notInclude(JSON.stringify(quoted), JSON.stringify(unwritable).slice(1, -1))
      }
      const rcon = yield* connect(server.local.port)
      const twoLines = yield* Effect.flip(rcon.exec("say hi\nquit"))
      assert.deepInclude(twoLines, { _tag: "EncodeError", field: "command" })
    }).pipe(Effect.scoped, Effect.provide(transport))
  )

  it.live("masks the password in the trace", () =>
    Effect.gen(function* () {
      const traced: Array<string> = []
      const server = yield* startServer(() => `it is ${PASSWORD_TEXT}`)
      const trace = ({ bytes }: RconTraceEvent) => void traced.push(new TextDecoder("latin1").decode(bytes))
      const rcon = yield* connect(server.local.port, { trace })
      yield* rcon.exec("status")
      assert.include(traced.join("\n"), '"********" status')
      assert.notInclude(traced.join("\n"), PASSWORD_TEXT)
    }).pipe(Effect.scoped, Effect.provide(transport))
  )

  it.live("can share a port with queries, as on a game server", () =>
    Effect.gen(function* () {
      const profile = profiles.cs16({})
      const server = yield* startServer(emulatedConsole(profile), { queries: new Responder(profile) })
      const client = yield* Client
      const info = yield* client.info(`127.0.0.1:${server.local.port}`)
      const rcon = yield* connect(server.local.port)
      assert.include(yield* rcon.exec("status"), info.name)
    }).pipe(Effect.scoped, Effect.provide([transport, Layer.provide(Client.layer(), transport)]))
  )

  it.live(
    "can be added to an emulated server; the server still receives all other datagrams, except datagrams from banned addresses",
    () =>
      Effect.gen(function* () {
        const options = { password, handler: () => "in", attempts: { maxFailures: 0 } }
        const { intercept, unban } = yield* interceptGoldSource(options)
        const { port } = yield* makeServer({ profile: "cs16", intercept })
        const client = yield* Client
        assert.strictEqual(yield* (yield* connect(port)).exec("x"), "in")
        const wrong = yield* Effect.flip(connect(port, { password: Redacted.make("wrong") }))
        assert.strictEqual(wrong._tag, "AuthenticationFailed")
        assert.strictEqual((yield* Effect.flip(client.info(`127.0.0.1:${port}`)))._tag, "Refused")
        unban("127.0.0.1")
        assert.strictEqual((yield* client.info(`127.0.0.1:${port}`)).folder, "cstrike")
      }).pipe(Effect.scoped, Effect.provide([transport, Layer.provide(Client.layer(), transport)]))
  )
})

describe.concurrent("emulated HLTV", () => {
  const hltv = () => startServer(emulatedConsole(profiles.hltv()), { dialect: "hltv" })

  it.live("accepts a client whose engine is configured or detected, and replies with the texts of HLTV", () =>
    Effect.gen(function* () {
      const { local: address } = yield* hltv()
      for (const engine of ["goldsource", "auto"] as const) {
        const rcon = yield* connect(address.port, { engine })
        assert.strictEqual(rcon.engine, "goldsource")
        const commands = ["status", "delay 12", "echo x", "say hi", "delay"]
        const [status = "", ...replies] = yield* Effect.forEach(commands, (command) => rcon.exec(command), {
          concurrency: "unbounded"
        })
        assert.match(status, /^--- HLTV Status ---\n/)
        const delay = "Syntax: delay <seconds>\nCurrent spectator delay is 12.0 seconds.\n"
        assert.deepStrictEqual(replies, ["", "x\n", "", delay])
      }
    }).pipe(Effect.scoped, Effect.provide(transport))
  )

  it.live("does not reply to a wrong password; the client returns a Timeout that explains this behaviour of HLTV", () =>
    Effect.gen(function* () {
      const { local: address } = yield* hltv()
      const error = yield* Effect.flip(connect(address.port, { password: Redacted.make("wrong"), timeoutMs: 500 }))
      assert.deepInclude(error, { _tag: "Timeout", phase: "authentication" })
      assert.match(error.message, /HLTV/)
    }).pipe(Effect.scoped, Effect.provide(transport))
  )
})

describe.concurrent("a client with the engine auto", () => {
  const auto = (port: number, options?: Partial<RconOptions>) => connect(port, { engine: "auto", ...options })
  const handler = () => "hello"

  it.live("detects Source, even if a game server replies to queries on the same port", () =>
    Effect.gen(function* () {
      // The system selects the UDP port, and the RCON server needs the TCP port with the same number. If another program uses that TCP
      // port, the test starts both servers again.
      const server = yield* makeServer({ profile: "css" }).pipe(
        Effect.flatMap(({ port }) => makeSourceRcon({ password, port, handler })),
        Effect.retry({ while: ({ _tag }) => _tag === "SendFailed", times: 50 })
      )
      const rcon = yield* auto(server.local.port)
      assert.strictEqual(rcon.engine, "source")
      assert.strictEqual(yield* rcon.exec("x"), "hello")
    }).pipe(Effect.scoped, Effect.provide(transport))
  )

  it.live.each(["goldsource", "quake"] as const)("detects %s", (dialect) =>
    Effect.gen(function* () {
      const server = yield* startServer(handler, { dialect })
      const rcon = yield* auto(server.local.port)
      assert.strictEqual(rcon.engine, dialect)
      assert.strictEqual(yield* rcon.exec("x"), "hello")
    }).pipe(Effect.scoped, Effect.provide(transport))
  )

  it.live("reports a wrong password over TCP and UDP, and a ban over UDP", () =>
    Effect.gen(function* () {
      const wrong = { password: Redacted.make("wrong") }
      const source = yield* makeSourceRcon({ password, port: 0, handler })
      assert.strictEqual((yield* Effect.flip(auto(source.local.port, wrong)))._tag, "AuthenticationFailed")
      const server = yield* startServer(handler, { attempts: { maxFailures: 0 } })
      assert.strictEqual((yield* Effect.flip(auto(server.local.port, wrong)))._tag, "AuthenticationFailed")
      assert.strictEqual((yield* Effect.flip(auto(server.local.port)))._tag, "Refused")
    }).pipe(Effect.scoped, Effect.provide(transport))
  )

  it.live("reports that the port is closed for TCP and UDP", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const server = yield* Scope.provide(startServer(handler), scope)
      yield* Scope.close(scope, Exit.void)
      const error = yield* Effect.flip(auto(server.local.port))
      assert.deepInclude(error, { _tag: "PortClosed" })
      assert.match(error.message, /is closed, on TCP and on UDP/)
    }).pipe(Effect.scoped, Effect.provide(transport))
  )

  /**
   * Listens on a TCP port and on the UDP port with the same number. If `onDatagram` returns a text, the UDP socket sends this text as the
   * reply.
   */
  const listenOnBoth = (
    onConnection: (socket: net.Socket) => void,
    onDatagram: (request: string) => string | undefined
  ) =>
    Effect.acquireRelease(
      Effect.callback<{ readonly port: number; readonly tcp: net.Server; readonly udp: Socket }>((resume) => {
        const tcp = net.createServer((socket) => onConnection(socket.on("error", () => {})))
        const listen = (): void => {
          tcp.listen(0, "127.0.0.1", () => {
            const { port } = tcp.address() as net.AddressInfo
            const udp = createSocket("udp4")
            udp.on("message", (request, remote) => {
              const reply = onDatagram(request.toString("latin1").slice(4))
              if (reply !== undefined)
                udp.send(Buffer.from(`\xff\xff\xff\xff${reply}`, "latin1"), remote.port, remote.address)
            })
            // If another program uses this UDP port, start again: the system then selects another TCP port.
            udp.once("error", () => tcp.close(listen))
            udp.bind(port, "127.0.0.1", () => resume(Effect.succeed({ port, tcp, udp })))
          })
        }
        listen()
      }),
      ({ tcp, udp }) =>
        Effect.callback<void>((resume) => {
          udp.close()
          tcp.close(() => resume(Effect.void))
        })
    )

  it.live("reports a wrong password if a Quake server rejects the password with a text", () =>
    Effect.gen(function* () {
      const udp = yield* Effect.acquireRelease(
        Effect.callback<Socket>((resume) => {
          const socket = createSocket("udp4")
          // Like ioquake3, this server does not reply to requests for a challenge.
          socket.on("message", (request, remote) => {
            if (!request.toString("latin1").includes('rcon "')) return
            socket.send(
              Buffer.from("\xff\xff\xff\xffprint\nBad rconpassword.\n", "latin1"),
              remote.port,
              remote.address
            )
          })
          socket.bind(0, "127.0.0.1", () => resume(Effect.succeed(socket)))
        }),
        (socket) => Effect.sync(() => socket.close())
      )
      const error = yield* Effect.flip(auto(udp.address().port, { timeoutMs: 1000 }))
      assert.strictEqual(error._tag, "AuthenticationFailed")
      assert.match(error.message, /Bad rconpassword/)
    }).pipe(Effect.scoped, Effect.provide(transport))
  )

  it.live("does not send the password over UDP if the server closes TCP connections", () =>
    Effect.gen(function* () {
      const requests: Array<string> = []
      const { port } = yield* listenOnBoth(
        (socket) => void socket.resume().end(),
        (request) => void requests.push(request)
      )
      const error = yield* Effect.flip(auto(port, { timeoutMs: 1000 }))
      assert.strictEqual(error._tag, "Refused")
      assert.notInclude(requests.join(), PASSWORD_TEXT)
      assert.include(requests.join(), "challenge rcon")
    }).pipe(Effect.scoped, Effect.provide(transport))
  )

  it.live("closes the TCP connection after the client has detected UDP", () =>
    Effect.gen(function* () {
      let onClose = (): void => {}
      const isClosed = new Promise<void>((resolve) => (onClose = resolve))
      const { port } = yield* listenOnBoth(
        (socket) => void socket.on("close", onClose).resume(),
        (request) => (request.startsWith("challenge") ? "challenge rcon 7\n\0" : "lsourcewire \n\0\0")
      )
      const rcon = yield* auto(port)
      assert.strictEqual(rcon.engine, "goldsource")
      yield* Effect.promise(() => isClosed)
    }).pipe(Effect.scoped, Effect.provide(transport))
  )

  it.live("returns a Timeout, and explains that Xash3D does not reply to a wrong password", () =>
    Effect.gen(function* () {
      const server = yield* startServer(handler, { dialect: "quake" })
      const error = yield* Effect.flip(auto(server.local.port, { password: Redacted.make("wrong"), timeoutMs: 500 }))
      assert.strictEqual(error._tag, "Timeout")
      assert.match(error.message, /Xash3D does not reply/)
    }).pipe(Effect.scoped, Effect.provide(transport))
  )
})
