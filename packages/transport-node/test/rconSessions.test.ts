/** RCON sessions over real TCP: many commands, lost connections, rejections, and masked passwords. */
import { assert, describe, it } from "@effect/vitest"
import { rcon as openRcon } from "@sourcewire/core"
import type { RconError, RconOptions } from "@sourcewire/core"
import type { RconConnectError, RconTraceEvent } from "@sourcewire/core/rcon"
import { makeSourceRcon, startRconServer } from "@sourcewire/server"
import type { CommandHandler, SourceRconServerOptions } from "@sourcewire/server/machines"
import { AUTH, encodePacket, SourceRconFramer } from "@sourcewire/protocol/wire"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Redacted from "effect/Redacted"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as net from "node:net"
import { inspect } from "node:util"
import { rcon as connectRcon } from "../src/index.ts"
import { password, PASSWORD_TEXT, PATIENCE_MS, scripted, makeText, transport } from "./rconSetup.ts"

const startServer = (handler: CommandHandler, options?: Partial<SourceRconServerOptions>) =>
  makeSourceRcon({ password, port: 0, handler, ...options })
const connect = (port: number, options?: Partial<RconOptions>) =>
  openRcon(`127.0.0.1:${port}`, { password, engine: "source", timeoutMs: PATIENCE_MS, ...options })

describe.concurrent("Source RCON sessions", () => {
  it.live.each(["auto", "mirror", "quiet"] as const)(
    "run many commands at the same time, with the terminator %s",
    (terminator) =>
      Effect.gen(function* () {
        const server = yield* startServer((command) =>
          command === "0"
            ? Effect.as(Effect.sleep("50 millis"), "slow")
            : `reply to ${command} `.repeat(Number(command) % 7)
        )
        const rcon = yield* connect(server.local.port, { terminator })
        const count = terminator === "quiet" ? 20 : 200
        const replies = yield* Effect.forEach(
          Array.from({ length: count }, (_, i) => i),
          (i) => rcon.exec(String(i)),
          { concurrency: "unbounded" }
        )
        replies.forEach((reply, i) => assert.strictEqual(reply, i === 0 ? "slow" : `reply to ${i} `.repeat(i % 7)))
      }).pipe(Effect.scoped, Effect.provide(transport))
  )

  it.live("can return a long reply in parts, and never divide a character between two parts", () =>
    Effect.gen(function* () {
      const text = makeText(20_000)
      const server = yield* startServer(() => text, { behaviour: { maxBodyBytes: 1001 } })
      const rcon = yield* connect(server.local.port)
      const parts = yield* Stream.runCollect(rcon.stream("anything"))
      assert.isAbove(parts.length, 15)
      assert.strictEqual(parts.join(""), text)
      assert.isFalse(parts.some((part) => part.includes("\ufffd")))
    }).pipe(Effect.scoped, Effect.provide(transport))
  )

  it.live("return a replacement character for a truncated character at the end of a reply", () =>
    Effect.gen(function* () {
      const server = yield* scripted(({ body, id }, { socket }) => {
        if (body.length > 0) socket.write(encodePacket({ id, type: 0, body: Uint8Array.of(0x5a, 0x6f, 0xc3) }))
      })
      const rcon = yield* connect(server.port, { terminator: "quiet", encoding: "utf-8" })
      assert.strictEqual((yield* Stream.runCollect(rcon.stream("x"))).join(""), "Zo\ufffd")
    }).pipe(Effect.scoped, Effect.provide(transport))
  )

  it.live("use the configured encoding", () =>
    Effect.gen(function* () {
      const server = yield* startServer((command) => command.toUpperCase(), { encoding: "windows-1251" })
      const rcon = yield* connect(server.local.port, { encoding: "windows-1251" })
      assert.strictEqual(yield* rcon.exec("привет"), "ПРИВЕТ")
      const failure = yield* Effect.flip(rcon.exec("★"))
      assert.deepInclude(failure, { _tag: "EncodeError", field: "command" })
    }).pipe(Effect.scoped, Effect.provide(transport))
  )
})

describe.concurrent("a command", () => {
  it.live.each(["status\nquit", "status\r\nquit", "quit\r", "\n"])(
    "is not sent if it contains a line break: %j",
    (command) =>
      Effect.gen(function* () {
        const seen: Array<string> = []
        const server = yield* startServer((command) => {
          seen.push(command)
          return ""
        })
        const rcon = yield* connect(server.local.port)
        const error = yield* Effect.flip(rcon.exec(command))
        assert.deepInclude(error, { _tag: "EncodeError", field: "command" })
        assert.match(error.message, /line break/)
        yield* rcon.exec("users")
        assert.deepStrictEqual(seen, ["users"])
      }).pipe(Effect.scoped, Effect.provide(transport))
  )
})

describe.concurrent("a lost connection", () => {
  it.live("ends the command in flight with ConnectionClosed, and does not affect the next command", () =>
    Effect.gen(function* () {
      const server = yield* scripted(({ body, id }, { reply, socket }, nth) => {
        if (body.length === 0) return reply(id, "")
        reply(id, `connection ${nth}`)
        // After the first reply, the server sends half a packet and closes the connection.
        if (nth === 1) socket.end(Uint8Array.of(0x20, 0, 0, 0, 1, 0))
        return undefined
      })
      const rcon = yield* connect(server.port, { terminator: "quiet" })
      const parts: Array<string> = []
      const lost = yield* Effect.flip(
        Stream.runForEach(rcon.stream("first"), (part) => Effect.sync(() => void parts.push(part)))
      )
      assert.strictEqual(lost._tag, "ConnectionClosed")
      assert.deepStrictEqual(parts, ["connection 1"])
      assert.strictEqual(yield* rcon.exec("second"), "connection 2")
    }).pipe(Effect.scoped, Effect.provide(transport))
  )

  it.live("causes no retry of the command in flight; waiting commands use the next connection", () =>
    Effect.gen(function* () {
      const seen: Array<string> = []
      const server = yield* scripted(({ body, id }, { reply, socket }, nth) => {
        const command = new TextDecoder().decode(body)
        if (command === "") return reply(id, "")
        seen.push(command)
        if (nth === 1) socket.resetAndDestroy()
        else reply(id, command)
        return undefined
      })
      const rcon = yield* connect(server.port, { terminator: "quiet" })
      const exits = yield* Effect.forEach(["a", "b", "c"], (command) => Effect.exit(rcon.exec(command)), {
        concurrency: "unbounded"
      })
      assert.deepStrictEqual(exits.map(Exit.isSuccess), [false, true, true])
      assert.deepStrictEqual(seen, ["a", "b", "c"])
    }).pipe(Effect.scoped, Effect.provide(transport))
  )

  it.live("is replaced with a new connection when the server is up again", () =>
    Effect.gen(function* () {
      const first = yield* Scope.make()
      const server = yield* Scope.provide(
        startServer((command) => `old ${command}`),
        first
      )
      const { port } = server.local
      const rcon = yield* connect(port)
      assert.strictEqual(yield* rcon.exec("x"), "old x")
      yield* Scope.close(first, Exit.void)
      // The client must receive the end of the connection before it sends the next command. Otherwise the client would send the command over
      // the old connection, and the command would be lost.
      yield* Effect.sleep("50 millis")
      const waiting = yield* Effect.forkChild(rcon.exec("y"))
      yield* Effect.sleep("300 millis")
      yield* startServer((command) => `new ${command}`, { port })
      assert.strictEqual(yield* Fiber.join(waiting), "new y")
    }).pipe(Effect.scoped, Effect.provide(transport))
  )

  it.live("causes PortClosed if the server stays down, or ConnectionClosed if `reconnect` is `false`", () =>
    Effect.gen(function* () {
      for (const reconnect of [true, false]) {
        const first = yield* Scope.make()
        const server = yield* Scope.provide(
          startServer(() => ""),
          first
        )
        const rcon = yield* connect(server.local.port, { timeoutMs: 400, reconnect })
        yield* Scope.close(first, Exit.void)
        yield* Effect.sleep("50 millis")
        const error = yield* Effect.flip(rcon.exec("x"))
        assert.strictEqual(error._tag, reconnect ? "PortClosed" : "ConnectionClosed")
      }
    }).pipe(Effect.scoped, Effect.provide(transport))
  )
})

describe.concurrent("a login that gets no reply", () => {
  it.live("ends at the total time limit, and leaves no connection open", () =>
    Effect.gen(function* () {
      const closed = yield* Effect.acquireRelease(
        Effect.callback<{ readonly port: number; readonly gone: Promise<void>; readonly server: net.Server }>(
          (resume) => {
            let leave = (): void => {}
            const gone = new Promise<void>((resolve) => (leave = resolve))
            const server = net.createServer(
              (socket) =>
                void socket
                  .on("error", () => {})
                  .on("close", leave)
                  .resume()
            )
            server.listen(0, "127.0.0.1", () =>
              resume(Effect.succeed({ port: (server.address() as net.AddressInfo).port, gone, server }))
            )
          }
        ),
        ({ server }) => Effect.callback<void>((resume) => void server.close(() => resume(Effect.void)))
      )
      const error = yield* Effect.flip(connect(closed.port, { totalTimeoutMs: 300 }))
      assert.deepInclude(error, { _tag: "Timeout", phase: "connect" })
      assert.match(error.message, /total time limit/)
      // The connection must close before the scope of the client ends.
      yield* Effect.promise(() => closed.gone)
    }).pipe(Effect.scoped, Effect.provide(transport))
  )
})

describe.concurrent("a login", () => {
  const wrong = Redacted.make("not the password")

  it.live("fails with AuthenticationFailed if the password is wrong", () =>
    Effect.gen(function* () {
      const server = yield* startServer(() => "never")
      const error = yield* Effect.flip(connect(server.local.port, { password: wrong }))
      assert.strictEqual(error._tag, "AuthenticationFailed")
    }).pipe(Effect.scoped, Effect.provide(transport))
  )

  it.live(
    "fails with AuthenticationFailed for an empty password, even if the password of the server is also empty",
    () =>
      Effect.gen(function* () {
        const none = Redacted.make("")
        const server = yield* startServer(() => "never", { password: none })
        const error = yield* Effect.flip(connect(server.local.port, { password: none }))
        assert.strictEqual(error._tag, "AuthenticationFailed")
      }).pipe(Effect.scoped, Effect.provide(transport))
  )

  it.live(
    "causes a ban after too many wrong passwords; the right password is then rejected until the ban is removed",
    () =>
      Effect.gen(function* () {
        const server = yield* startServer(() => "in", { attempts: { maxFailures: 2 } })
        const { local: address, unban } = server
        const tags: Array<string> = []
        for (let i = 0; i < 3; i++) tags.push((yield* Effect.flip(connect(address.port, { password: wrong })))._tag)
        const banned = yield* Effect.flip(connect(address.port))
        assert.deepStrictEqual(tags, ["AuthenticationFailed", "AuthenticationFailed", "Refused"])
        assert.deepInclude(banned, { _tag: "Refused", text: "" })
        assert.match(banned.message, /banned.*removeip/)
        unban("127.0.0.1")
        const rcon = yield* connect(address.port)
        assert.strictEqual(yield* rcon.exec("x"), "in")
      }).pipe(Effect.scoped, Effect.provide(transport))
  )

  it.live(
    "causes a ban after the allowed number of wrong passwords, even if one segment contains a hundred passwords",
    () =>
      Effect.gen(function* () {
        const server = yield* startServer(() => "in", { attempts: { maxFailures: 3 } })
        const socket = net.connect(server.local.port, "127.0.0.1")
        const framer = new SourceRconFramer()
        const results: Array<number> = []
        socket.on("data", (bytes: Uint8Array) => results.push(...framer.push(bytes).map(({ id }) => id)))
        const guess = encodePacket({ id: 5, type: AUTH, body: new TextEncoder().encode("guess") })
        socket.write(Buffer.concat(Array.from({ length: 100 }, () => guess)))
        yield* Effect.callback<void>((resume) => void socket.once("close", () => resume(Effect.void)))
        assert.isAtMost(results.filter((id) => id === -1).length, 3)
        assert.strictEqual((yield* Effect.flip(connect(server.local.port)))._tag, "Refused")
      }).pipe(Effect.scoped, Effect.provide(transport))
  )

  it.live("fails with PortClosed if the port is closed, and with Refused if there are too many connections", () =>
    Effect.gen(function* () {
      const closed = yield* Scope.make()
      const { local: address } = yield* Scope.provide(
        startServer(() => ""),
        closed
      )
      yield* Scope.close(closed, Exit.void)
      assert.strictEqual((yield* Effect.flip(connect(address.port)))._tag, "PortClosed")
      const connections = yield* startServer(() => "", { maxConnections: 1 })
      yield* connect(connections.local.port)
      assert.strictEqual((yield* Effect.flip(connect(connections.local.port)))._tag, "Refused")
    }).pipe(Effect.scoped, Effect.provide(transport))
  )
})

describe.concurrent("the password", () => {
  it.live("does not appear in traces, errors, or inspected objects", () =>
    Effect.gen(function* () {
      const traced: Array<RconTraceEvent> = []
      const server = yield* startServer((command) => (command === "leak" ? `it is ${PASSWORD_TEXT}!\n` : ""))
      const options = {
        password,
        engine: "source",
        trace: (event: RconTraceEvent) => void traced.push(event)
      } as const
      const rcon = yield* openRcon(`127.0.0.1:${server.local.port}`, options)
      assert.strictEqual(yield* rcon.exec("leak"), `it is ${PASSWORD_TEXT}!\n`)
      const refused = yield* Effect.flip(connect(server.local.port, { password: Redacted.make("other secret") }))
      const trace = traced.map(({ bytes }) => new TextDecoder("latin1").decode(bytes)).join("")
      assert.include(trace, "********")
      const outputs = [trace, inspect(rcon, { depth: 9, showHidden: true }), inspect(options, { depth: 9 })]
      for (const output of [...outputs, JSON.stringify(refused), inspect(refused, { depth: 9 })]) {
        assert.notInclude(output, PASSWORD_TEXT)
        assert.notInclude(output, "other secret")
      }
    }).pipe(Effect.scoped, Effect.provide(transport))
  )
})

describe.concurrent("the Promise API", () => {
  const run = <A>(test: (port: number) => Promise<A>, handler: CommandHandler) =>
    Effect.gen(function* () {
      const server = yield* startServer(handler)
      return yield* Effect.promise(() => test(server.local.port))
    }).pipe(Effect.scoped, Effect.provide(transport))

  it.live("can log in, run commands, stream replies, and close", () =>
    run(
      async (port) => {
        await using rcon = await connectRcon(`127.0.0.1:${port}`, { password: PASSWORD_TEXT })
        assert.strictEqual(rcon.engine, "source")
        assert.strictEqual(await rcon.exec("status"), makeText(9000))
        let streamed = ""
        for await (const part of rcon.stream("status")) streamed += part
        assert.strictEqual(streamed, makeText(9000))
        const inFlight = rcon.exec("hang").catch((error: RconError) => error._tag)
        await rcon.close()
        assert.strictEqual(await inFlight, "ConnectionClosed")
        assert.strictEqual(await rcon.exec("x").catch((error: RconError) => error._tag), "ConnectionClosed")
      },
      (command) => (command === "hang" ? Effect.never : makeText(9000))
    )
  )

  it.live("aborts a command with the reason of the command's signal", () =>
    run(
      async (port) => {
        await using rcon = await connectRcon(`127.0.0.1:${port}`, { password: PASSWORD_TEXT, engine: "source" })
        const abort = new AbortController()
        const hanging = rcon.exec("hang", { signal: abort.signal })
        const reason = new Error("changed my mind")
        abort.abort(reason)
        assert.strictEqual(await hanging.catch((error: unknown) => error), reason)
      },
      () => Effect.never
    )
  )

  it("can start a server for each engine", async () => {
    for (const engine of ["source", "goldsource", "quake"] as const) {
      await using server = await startRconServer({
        transport,
        engine,
        password: PASSWORD_TEXT,
        port: 0,
        handler: (command, from) => `${from.engine}: ${command}`
      })
      await using rcon = await connectRcon(`127.0.0.1:${server.local.port}`, { password: PASSWORD_TEXT, engine })
      assert.strictEqual(await rcon.exec("hello"), `${engine}: hello`)
    }
  })

  it.live("rejects with typed errors", () =>
    run(
      async (port) => {
        const tag = (address: string, options: { password: string; timeoutMs?: number }) =>
          connectRcon(address, { engine: "source", ...options }).then(
            () => "connected",
            (error: RconConnectError) => error._tag
          )
        assert.strictEqual(await tag(`127.0.0.1:${port}`, { password: "wrong" }), "AuthenticationFailed")
        assert.strictEqual(await tag("127.0.0.1:99999", { password: "x" }), "InvalidAddress")
        assert.strictEqual(await tag(`127.0.0.1:${port}`, { password: "x", timeoutMs: -1 }), "InvalidOption")
        assert.strictEqual(await tag(`127.0.0.1:${port}`, { password: "a\0b" }), "EncodeError")
      },
      () => ""
    )
  )
})

describe("a trace function", () => {
  it.live.each([1, 2, 3, 4])(
    "if it throws at packet %i, causes a defect in the call in flight, and is not called again",
    (nth) =>
      Effect.gen(function* () {
        let seen = 0
        const trace = () => {
          if (++seen === nth) throw new Error("no")
        }
        const server = yield* startServer(() => "reply")
        const port = `127.0.0.1:${server.local.port}`
        const connecting = yield* Effect.exit(openRcon(port, { password, engine: "source", trace }))
        if (Exit.isSuccess(connecting)) {
          assert.isTrue(Exit.hasDies(yield* Effect.exit(connecting.value.exec("status"))))
          assert.strictEqual(yield* connecting.value.exec("status"), "reply")
        } else assert.isTrue(Exit.hasDies(connecting))
        assert.strictEqual(seen, nth)
      }).pipe(Effect.scoped, Effect.provide(transport))
  )
})
