/**
 * Tests the RCON functions that programs use: the choice of the protocol, commands, streams and traces. The tests simulate TCP and UDP in
 * memory.
 */
import { assert, describe, it } from "@effect/vitest"
import { decode, encode } from "@sourcewire/protocol"
import {
  AUTH,
  AUTH_RESPONSE,
  encodePacket,
  EXEC_COMMAND,
  RESPONSE_VALUE,
  SourceRconFramer
} from "@sourcewire/protocol/wire"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { Datagrams } from "../../src/engine/Datagrams.ts"
import { PortClosed } from "../../src/engine/QueryError.ts"
import { type StreamHandle, Streams } from "../../src/engine/Streams.ts"
import { open, type Rcon } from "../../src/rcon/Rcon.ts"
import type { RconOptions } from "../../src/rcon/options.ts"
import type { RconTraceEvent } from "../../src/rcon/trace.ts"
import { makeNetwork } from "../../src/testing/Testing.ts"
import { concatBytes } from "@sourcewire/inside/bytes"
import { bytes, EMPTY, AFTER_MIRROR, text } from "./sourceServer.ts"

const PORT = 27_015
const ADDRESS = `127.0.0.1:${PORT}`
const PASSWORD = "secret-word"

/**
 * Returns the packets that a Source server sends in reply to a packet. The server sends the output of the command `parts` in two packets,
 * and the output of any other command in one packet.
 */
const answerTo = ({ body, id, type }: { readonly id: number; readonly type: number; readonly body: Uint8Array }) => {
  if (type === AUTH) {
    const isRight = text(body) === PASSWORD
    return [
      { id, type: RESPONSE_VALUE, body: EMPTY },
      { id: isRight ? id : -1, type: AUTH_RESPONSE, body: EMPTY }
    ]
  }
  if (type === EXEC_COMMAND) {
    const command = text(body)
    const parts = command === "parts" ? ["one ", "two"] : [`ran ${command}`]
    return parts.map((part) => ({ id, type: RESPONSE_VALUE, body: bytes(part) }))
  }
  // The packet is the mirror packet. A Source server replies with an empty packet, and then sends a packet with the bytes of
  // `AFTER_MIRROR`.
  return [EMPTY, AFTER_MIRROR].map((mirrored) => ({ id, type: RESPONSE_VALUE, body: mirrored }))
}

interface Servers {
  /** The TCP port: a Source server accepts connections, the port is closed, or a connection attempt gets no reply. */
  readonly tcp: "server" | "closed" | "silent"
  /** The UDP port: HLDS replies, Xash3D or a similar server replies but ignores challenge requests, or the port is closed. */
  readonly udp: "hlds" | "quake" | "closed"
}

/**
 * Simulates these TCP and UDP ports at one address. Returns a list of the packets and datagrams that the servers received, and a function
 * that opens an RCON session.
 */
const makeServers = Effect.fnUntraced(function* ({ tcp, udp }: Servers) {
  const received: Array<string> = []
  const network = yield* makeNetwork({ reportsClosedPorts: true })
  if (udp !== "closed") {
    const socket = { send: (_bytes: Uint8Array, _address: string, _port: number): void => undefined }
    const handle = yield* network.datagrams.open(
      { family: 4, bind: { address: "127.0.0.1", port: PORT } },
      {
        onDatagram: (datagram: Uint8Array, address: string, port: number) => {
          const request = Result.getOrThrow(decode(datagram))
          received.push(`udp ${request._tag}`)
          if (request._tag === "RconChallengeRequest" && udp === "hlds") {
            socket.send(Result.getOrThrow(encode({ _tag: "RconChallengeReply", challenge: 7 })), address, port)
          }
          if (request._tag !== "RconRequest" || request.password !== PASSWORD) return
          const printed = `${request.command.replace(/^echo /, "")}\n`
          // Servers with Quake's protocol reply with the word `print`, and HLDS replies with the type `l`.
          const quake = concatBytes([Uint8Array.of(255, 255, 255, 255), bytes(`print\n${printed}`)])
          const hlds = Result.getOrThrow(encode({ _tag: "PrintReply", text: printed }))
          // HLDS ignores requests without a challenge.
          const isForQuake = request.challenge === undefined
          if (isForQuake === (udp === "quake")) socket.send(isForQuake ? quake : hlds, address, port)
        },
        onFault: () => undefined
      }
    )
    socket.send = (reply, address, port) => handle.send(reply, address, port)
  }
  const streams: (typeof Streams)["Service"] = {
    listen: () => Effect.die("no listener"),
    connect: (_options, handler) => {
      const connecting = Effect.suspend((): Effect.Effect<StreamHandle, PortClosed> => {
        if (tcp === "closed") return Effect.fail(new PortClosed({ message: "The TCP port is closed." }))
        if (tcp === "silent") return Effect.never
        const framer = new SourceRconFramer()
        let isSilent = false
        /**
         * Reply packets for the command `late`. The server stores them until the next packet arrives, and sends them before the reply to
         * that packet.
         */
        const late: Array<Parameters<typeof encodePacket>[0]> = []
        const endpoint = { address: "127.0.0.1", port: PORT }
        return Effect.succeed({
          local: endpoint,
          remote: endpoint,
          write: (segment) => {
            for (const packet of framer.push(segment)) {
              received.push(`tcp ${packet.type}`)
              if (packet.type !== RESPONSE_VALUE) isSilent = text(packet.body) === "silent"
              if (packet.type === EXEC_COMMAND && text(packet.body) === "late") {
                late.push(...answerTo(packet))
                continue
              }
              const replies = isSilent ? [] : [...late.splice(0), ...answerTo(packet)]
              queueMicrotask(() => {
                for (const reply of replies) handler.onData(encodePacket(reply))
              })
            }
          },
          queuedBytes: () => 0,
          pause: () => undefined,
          resume: () => undefined,
          end: () => undefined,
          destroy: () => void received.push("tcp closed")
        })
      })
      return Effect.acquireRelease(connecting, (handle) => Effect.sync(() => handle.destroy()), { interruptible: true })
    }
  }
  const connect = (options: Partial<RconOptions> = {}) =>
    open(ADDRESS, { password: Redacted.make(PASSWORD), timeoutMs: 500, ...options }).pipe(
      Effect.provideService(Datagrams, network.datagrams),
      Effect.provideService(Streams, streams)
    )
  return { received, connect }
})

const servers = (given: Partial<Servers>) => makeServers({ tcp: "closed", udp: "closed", ...given })

const test = (name: string, use: Effect.Effect<void, unknown, Scope.Scope>) => it.live(name, () => Effect.scoped(use))

describe("a connection with the engine `auto`", () => {
  const cases = [
    [
      "uses Source's protocol if TCP accepts the password, even if UDP sends a challenge",
      { tcp: "server", udp: "hlds" },
      "source"
    ],
    [
      "uses GoldSource's protocol if UDP sends a challenge and the TCP port is closed",
      { tcp: "closed", udp: "hlds" },
      "goldsource"
    ],
    [
      "uses GoldSource's protocol if UDP sends a challenge and TCP does not reply",
      { tcp: "silent", udp: "hlds" },
      "goldsource"
    ],
    [
      "uses Quake's protocol if UDP is open and sends no challenge, and the TCP port is closed",
      { tcp: "closed", udp: "quake" },
      "quake"
    ]
  ] as const
  for (const [name, given, engine] of cases) {
    test(
      name,
      Effect.gen(function* () {
        const { connect } = yield* servers(given)
        const rcon = yield* connect()
        assert.equal(rcon.engine, engine)
        assert.equal((yield* rcon.exec("echo hello")).trim(), engine === "source" ? "ran echo hello" : "hello")
      })
    )
  }

  test(
    "fails and sends no command over UDP if the Source server refuses the password",
    Effect.gen(function* () {
      const { connect, received } = yield* servers({ tcp: "server", udp: "hlds" })
      const error = yield* Effect.flip(connect({ password: Redacted.make("wrong") }))
      assert.equal(error._tag, "AuthenticationFailed")
      assert.isFalse(received.includes("udp RconRequest"))
      assert.include(received, "tcp closed")
    })
  )

  test(
    "fails if both ports are closed, and the error names TCP and UDP",
    Effect.gen(function* () {
      const { connect } = yield* servers({})
      const error = yield* Effect.flip(connect())
      assert.equal(error._tag, "PortClosed")
      assert.match(
        error.message,
        /^Port 27015 is closed, on TCP and on UDP\. Check that the server is running, and that this is its port\./
      )
    })
  )
})

describe("a chosen protocol", () => {
  for (const engine of ["source", "goldsource", "quake"] as const) {
    test(
      `is the only protocol that is tried: ${engine}`,
      Effect.gen(function* () {
        const udp = engine === "quake" ? "quake" : "hlds"
        const { connect, received } = yield* servers({ tcp: "server", udp })
        const rcon = yield* connect({ engine })
        assert.equal(rcon.engine, engine)
        const transport = engine === "source" ? "tcp" : "udp"
        assert.deepEqual(
          received.filter((entry) => !entry.startsWith(transport)),
          []
        )
      })
    )
  }
})

describe("a session", () => {
  const session = Effect.flatMap(servers({ tcp: "server" }), ({ connect }) => connect({ engine: "source" }))

  test(
    "returns the correct replies to many commands that run in parallel",
    Effect.gen(function* () {
      const rcon = yield* session
      const commands = Array.from({ length: 20 }, (_, i) => `command ${i}`)
      const replies = yield* Effect.forEach(commands, (command) => rcon.exec(command), { concurrency: "unbounded" })
      assert.deepEqual(
        replies,
        commands.map((command) => `ran ${command}`)
      )
    })
  )

  test(
    "`stream` returns the parts of a reply, and `exec` returns the complete reply",
    Effect.gen(function* () {
      const rcon = yield* session
      assert.equal((yield* Stream.runCollect(rcon.stream("parts"))).join("|"), "one |two")
      assert.equal(yield* rcon.exec("parts"), "one two")
    })
  )

  test(
    "ends a command with Timeout if no reply arrives, and then runs the next command",
    Effect.gen(function* () {
      const rcon = yield* session
      const limits = { timeoutMs: 30 }
      const failed = yield* Effect.flip(rcon.exec("silent", limits))
      assert.deepInclude(failed, { _tag: "Timeout", phase: "request" })
      assert.equal(failed.message, "The server did not reply to the command within 30 ms.")
      const streamed = yield* Effect.flip(Stream.runDrain(rcon.stream("silent", limits)))
      assert.equal(streamed._tag, "Timeout")
      assert.equal(yield* rcon.exec("next"), "ran next")
    })
  )

  test(
    "rejects a command with invalid text or an invalid option, and sends nothing",
    Effect.gen(function* () {
      const { connect, received } = yield* servers({ tcp: "server" })
      const rcon = yield* connect({ engine: "source" })
      const before = received.length
      const error = yield* Effect.flip(rcon.exec("a\0b"))
      assert.include(error.message, "command")
      const invalid = yield* Effect.flip(rcon.exec("status", { timeoutMs: -1 }))
      assert.equal(invalid._tag, "InvalidOption")
      assert.lengthOf(received, before)
    })
  )

  test(
    "runs the next command after a command was cancelled",
    Effect.gen(function* () {
      const rcon = yield* session
      const running = yield* Effect.forkChild(rcon.exec("silent"))
      yield* Effect.sleep(5)
      yield* Fiber.interrupt(running)
      assert.equal(yield* rcon.exec("after"), "ran after")
    })
  )

  test(
    "drops the late reply to a cancelled command",
    Effect.gen(function* () {
      const { connect } = yield* servers({ tcp: "server" })
      const events: Array<RconTraceEvent> = []
      const rcon = yield* connect({ engine: "source", trace: (event) => void events.push(event) })
      const running = yield* Effect.forkChild(rcon.exec("late"))
      yield* Effect.sleep(5)
      yield* Fiber.interrupt(running)
      assert.equal(yield* rcon.exec("after"), "ran after")
      const received = events.filter(({ direction }) => direction === "received")
      const arrived = new TextDecoder("latin1").decode(
        Uint8Array.from(received.flatMap((event) => ("bytes" in event ? [...event.bytes] : [])))
      )
      assert.include(arrived, "ran late")
    })
  )
})

describe("the function `trace`", () => {
  test(
    "is called with the sent and the received packets, without the password",
    Effect.gen(function* () {
      const events: Array<RconTraceEvent> = []
      const { connect } = yield* servers({ tcp: "server" })
      const rcon = yield* connect({ engine: "source", trace: (event) => void events.push(event) })
      yield* rcon.exec("status")
      assert.isTrue(events.some(({ direction }) => direction === "sent"))
      assert.isTrue(events.some(({ direction }) => direction === "received"))
      const all = new TextDecoder("latin1").decode(
        Uint8Array.from(events.flatMap((event) => ("bytes" in event ? [...event.bytes] : [])))
      )
      assert.include(all, "status")
      assert.notInclude(all, PASSWORD)
    })
  )

  const failing = (): never => {
    throw new Error("from the trace")
  }

  test(
    "ends the connection attempt with a defect if the function throws",
    Effect.gen(function* () {
      const { connect, received } = yield* servers({ tcp: "server" })
      const exit = yield* Effect.exit(connect({ engine: "source", trace: failing }))
      assert.isTrue(Exit.hasDies(exit))
      assert.include(received, "tcp closed")
    })
  )

  test(
    "ends the command in flight with a defect if the function throws, and is not called again",
    Effect.gen(function* () {
      let isFailing = false
      let calls = 0
      const trace = (): void => {
        calls++
        if (isFailing) throw new Error("from the trace")
      }
      const { connect } = yield* servers({ tcp: "server" })
      const rcon: Rcon = yield* connect({ engine: "source", trace })
      isFailing = true
      const before = calls
      const exit = yield* Effect.exit(rcon.exec("status"))
      assert.isTrue(Exit.hasDies(exit))
      assert.equal(calls, before + 1)
      assert.equal(yield* rcon.exec("again"), "ran again")
      assert.equal(calls, before + 1)
    })
  )
})
