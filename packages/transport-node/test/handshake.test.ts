import { assert, describe, it } from "@effect/vitest"
import { startServer } from "@sourcewire/emulator"
import { HandshakeResponder, inFront } from "@sourcewire/server/machines"
import * as dgram from "node:dgram"
import { layer } from "../src/effect.ts"
import { connect } from "../src/index.ts"

describe("the handshake over UDP", () => {
  it.each(["127.0.0.1", "::1"])("succeeds on %s", async (host) => {
    const responder = new HandshakeResponder({ rest: Uint8Array.of(1, 2, 3) })
    await using server = await startServer({ transport: layer, host, intercept: inFront(responder) })
    await using client = await connect()
    const answer = await client.handshake({ host, port: server.port })
    assert.deepInclude(answer.reply, { _tag: "HandshakeChallenge", authProtocol: 3, rest: "010203" })
    assert.strictEqual(answer.authProtocolName, "steam")
    assert.isAbove(answer.rttMs, 0)
    // The first reply is only a short challenge, because the server has not verified the client's address yet.
    assert.deepStrictEqual([answer.sent, answer.received], [2, 2])
    assert.strictEqual((await client.info({ host, port: server.port }))._tag, "InfoReply")
  })

  const ascii = (text: string): string => Buffer.from(text, "latin1").toString("hex")

  /** Sends requests one after the other, and returns the last reply. Each request is built from the previous reply. */
  const exchangeInTurn = async (port: number, requests: ReadonlyArray<(reply: string) => string>): Promise<string> => {
    const socket = dgram.createSocket("udp4")
    let reply = ""
    for (const request of requests) {
      const received = new Promise<Buffer>((resolve) => socket.once("message", resolve))
      socket.send(Buffer.from(request(reply), "hex"), port, "127.0.0.1")
      reply = (await received).toString("hex")
    }
    socket.close()
    return reply
  }

  it.each([
    ["6630498", "", `4278563412${ascii("0000000000\0")}`],
    ["1", "", `3978563412${ascii("#GameUI_ServerRejectOldVersion\0")}`],
    ["6630498", "x", `3978563412${ascii("#GameUI_ServerRejectBadPassword\0")}`]
  ])(
    "ends with the right reply of an emulated Counter-Strike: Source server to a client with the version %s and the password %j",
    async (version, password, reply) => {
      await using server = await startServer({ transport: layer, profile: "css" })
      const last = await exchangeInTurn(server.port, [
        () => `ffffffff7178563412${ascii("0000000000\0")}`,
        (challenge) =>
          `ffffffff6b1800000003000000${challenge.slice(18, 26)}78563412${ascii(`me\0${password}\0${version}\0`)}0800${"ab".repeat(8)}`
      ])
      assert.strictEqual(last, `ffffffff${reply}`)
    }
  )

  it("succeeds with an emulated CS:GO server; the server rejects a request to join if the version of the client differs from its own", async () => {
    await using server = await startServer({ transport: layer, profile: "csgo" })
    const number = (reply: string): string => reply.slice(10, 18)
    const digits = (reply: string): string => number(reply).match(/../g)!.toReversed().join("").toUpperCase()
    const ask = (text: string): string => `ffffffff71${ascii(`connect0x${text}\0`)}`
    const granted = await exchangeInTurn(server.port, [() => ask("00000000"), (reply) => ask(digits(reply))])
    assert.include(granted, ascii(`connect0x${digits(granted)}\0`))
    const rejected = await exchangeInTurn(server.port, [
      () => ask("00000000"),
      (reply) => `ffffffff6bbe35000003000000${number(reply)}${ascii("\0\0")}01${"00".repeat(40)}`
    ])
    assert.strictEqual(rejected, `ffffffff39${ascii("#GameUI_ServerRejectOldVersion\0")}`)
  })

  it("reports a closed port", async () => {
    const socket = dgram.createSocket("udp4")
    await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve))
    const { port } = socket.address()
    await new Promise<void>((resolve) => socket.close(() => resolve()))
    await using client = await connect()
    const error: unknown = await client.handshake(`127.0.0.1:${port}`).catch((error: unknown) => error)
    assert.propertyVal(error, "_tag", "PortClosed")
  })
})
