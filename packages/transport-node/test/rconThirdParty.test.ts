/**
 * Tests our client with the RCON servers of Nukkit and Glowstone. The servers in this file behave like the real servers that we observed.
 * Nukkit treats the data of one read as one packet, does not support packets of type 0, and sends a reply of any size in one packet.
 * Glowstone replies to packets of unknown types with a text, and drops everything after the first 2048 characters of a reply.
 */
import { assert, describe, it } from "@effect/vitest"
import { rcon as openRcon } from "@sourcewire/core"
import { makeSourceRcon } from "@sourcewire/server"
import type { SourceBehaviour } from "@sourcewire/server/machines"
import {
  AUTH,
  AUTH_RESPONSE,
  encodePacket,
  EXEC_COMMAND,
  RESPONSE_VALUE,
  SourceRconFramer
} from "@sourcewire/protocol/wire"
import type { SourceRconPacket } from "@sourcewire/protocol/wire"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as net from "node:net"
import { password, PASSWORD_TEXT, PATIENCE_MS, makeText, transport } from "./rconSetup.ts"

const bytes = (text: string) => new TextEncoder().encode(text)
const text = (body: Uint8Array) => new TextDecoder().decode(body)

/** Starts a TCP server that calls `onRead` with the packets of each read. */
const listenTcp = (
  onRead: (packets: ReadonlyArray<SourceRconPacket>, send: (packet: SourceRconPacket) => void) => void
) =>
  Effect.acquireRelease(
    Effect.callback<{ readonly port: number; readonly server: net.Server; readonly sockets: Set<net.Socket> }>(
      (resume) => {
        const sockets = new Set<net.Socket>()
        const server = net.createServer((socket) => {
          sockets.add(socket)
          socket.on("error", () => {})
          socket.on("data", (data: Uint8Array) =>
            onRead(new SourceRconFramer().push(data), (packet) => socket.write(encodePacket(packet)))
          )
        })
        server.listen(0, "127.0.0.1", () =>
          resume(Effect.succeed({ port: (server.address() as net.AddressInfo).port, server, sockets }))
        )
      }
    ),
    ({ server, sockets }) =>
      Effect.callback<void>((resume) => {
        server.close(() => resume(Effect.void))
        for (const socket of sockets) socket.destroy()
      })
  )

const makeLoginResult = ({ body, id }: SourceRconPacket): SourceRconPacket => ({
  id: text(body) === PASSWORD_TEXT ? id : -1,
  type: AUTH_RESPONSE,
  body: new Uint8Array(0)
})

/** A text of 340 kB. Nukkit's command `help` can print such a long text if many plugins are installed. */
const LONG = makeText(340_000)
const answerTo = (command: string): string =>
  command === "long" ? LONG : command === "none" ? "" : `you said ${command}`

const nukkit = listenTcp(([packet], send) => {
  if (packet?.type === AUTH) send(makeLoginResult(packet))
  else if (packet?.type === EXEC_COMMAND) {
    send({ id: packet.id, type: RESPONSE_VALUE, body: bytes(answerTo(text(packet.body))) })
  }
})

const glowstone = listenTcp((packets, send) => {
  for (const packet of packets) {
    const { body, id, type } = packet
    const reply = (words: string) => send({ id, type: RESPONSE_VALUE, body: bytes(words) })
    if (type === AUTH) send(makeLoginResult(packet))
    else if (type === EXEC_COMMAND) reply(answerTo(text(body)).slice(0, 2048))
    else reply(`Unknown request ${type}`)
  }
})

const connect = (port: number) => openRcon(`127.0.0.1:${port}`, { password, engine: "source", timeoutMs: PATIENCE_MS })

/**
 * Checks the replies to commands that are sent one after the other, and to commands that are sent at the same time. `long` is the part of
 * the long reply that the server sends.
 */
const check = (port: number, long: string) =>
  Effect.gen(function* () {
    const rcon = yield* connect(port)
    for (const command of ["first", "long", "none", "x".repeat(1000), "last"]) {
      assert.strictEqual(yield* rcon.exec(command), command === "long" ? long : answerTo(command))
    }
    const commands = ["a", "long", "b", "none", "c"]
    const replies = yield* Effect.forEach(commands, (command) => rcon.exec(command), { concurrency: "unbounded" })
    assert.deepStrictEqual(
      replies,
      commands.map((command) => (command === "long" ? long : answerTo(command)))
    )
  })

describe.concurrent("the RCON servers of other programs", () => {
  it.live("return complete replies: Nukkit", () =>
    Effect.gen(function* () {
      const { port } = yield* nukkit
      yield* check(port, LONG)
    }).pipe(Effect.scoped, Effect.provide(transport))
  )

  it.live("return the first part of a long reply, because the server sends no other parts: Glowstone", () =>
    Effect.gen(function* () {
      const { port } = yield* glowstone
      yield* check(port, LONG.slice(0, 2048))
    }).pipe(Effect.scoped, Effect.provide(transport))
  )

  it.live.each([
    ["Nukkit", nukkit],
    ["Glowstone", glowstone]
  ] as const)("reject a wrong password: %s", ([, server]) =>
    Effect.gen(function* () {
      const { port } = yield* server
      const other = openRcon(`127.0.0.1:${port}`, { password: Redacted.make("wrong"), engine: "source" })
      assert.strictEqual((yield* Effect.flip(other))._tag, "AuthenticationFailed")
    }).pipe(Effect.scoped, Effect.provide(transport))
  )

  it.live.each([
    ["Nukkit", { mirror: "none", login: "verdict", maxBodyBytes: 1024 * 1024, reads: "first-of-segment" }, LONG],
    ["Glowstone", { mirror: "text", login: "verdict", maxBodyBytes: 2048, replies: "first-part" }, undefined]
  ] as ReadonlyArray<readonly [string, SourceBehaviour, string | undefined]>)(
    "can be emulated by our server, which then sends the same replies: %s",
    ([, behaviour, long]) =>
      Effect.gen(function* () {
        const { local: address } = yield* makeSourceRcon({ password, port: 0, handler: answerTo, behaviour })
        // Our server counts bytes, not characters. Therefore its part of the long reply can end within a character.
        yield* check(address.port, long ?? text(bytes(LONG).subarray(0, 2048)))
      }).pipe(Effect.scoped, Effect.provide(transport))
  )
})
