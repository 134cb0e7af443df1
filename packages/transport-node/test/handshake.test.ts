import { assert, describe, it } from "@effect/vitest"
import { startServer } from "@sourcewire/emulator"
import { HandshakeResponder, inFront } from "@sourcewire/server/machines"
import * as dgram from "node:dgram"
import { layer } from "../src/effect.ts"
import { connect } from "../src/index.ts"

describe("the handshake over UDP", () => {
  it.each(["127.0.0.1", "::1"])("answers and is understood on %s", async (host) => {
    const responder = new HandshakeResponder({ rest: Uint8Array.of(1, 2, 3) })
    await using server = await startServer({ transport: layer, host, intercept: inFront(responder) })
    await using client = await connect()
    const answer = await client.handshake({ host, port: server.port })
    assert.deepInclude(answer.reply, { _tag: "HandshakeChallenge", authProtocol: 3, rest: "010203" })
    assert.strictEqual(answer.authProtocolName, "steam")
    assert.isAbove(answer.rttMs, 0)
    // Plain challenge first, since a stranger gets no more than it sent.
    assert.deepStrictEqual([answer.sent, answer.received], [2, 2])
    assert.strictEqual((await client.info({ host, port: server.port }))._tag, "InfoReply")
  })

  it("says that nothing listens", async () => {
    const socket = dgram.createSocket("udp4")
    await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve))
    const { port } = socket.address()
    await new Promise<void>((resolve) => socket.close(() => resolve()))
    await using client = await connect()
    const error: unknown = await client.handshake(`127.0.0.1:${port}`).catch((error: unknown) => error)
    assert.propertyVal(error, "_tag", "PortClosed")
  })
})
