import { assert, describe, it } from "@effect/vitest"
import { AUTH, AUTH_RESPONSE, encodePacket, EXEC_COMMAND, RESPONSE_VALUE } from "@sourcewire/protocol/wire"
import type { SourceRconPacket } from "@sourcewire/protocol/wire"
import type { SourceBehaviour } from "../../src/rcon/sourceConnection.ts"
import { SourceConnection } from "../../src/rcon/sourceConnection.ts"

const bytes = (text: string) => new TextEncoder().encode(text)
const text = (body: Uint8Array) => new TextDecoder().decode(body)
const packet = (id: number, type: number, body = ""): Uint8Array => encodePacket({ id, type, body: bytes(body) })
const join = (...packets: ReadonlyArray<Uint8Array>) => Uint8Array.from(packets.flatMap((one) => [...one]))
const plain = (packets: ReadonlyArray<SourceRconPacket>) => packets.map(({ body, id, type }) => [id, type, text(body)])

const connection = (behaviour?: SourceBehaviour) => new SourceConnection(bytes("right"), behaviour)
const logIn = (behaviour?: SourceBehaviour) => {
  const it = connection(behaviour)
  it.receive(packet(1, AUTH, "right"))
  it.takePackets()
  it.takeEvents()
  return it
}
const commands = (it: SourceConnection) =>
  it.takeEvents().map((event) => (event.kind === "command" ? text(event.command) : event.kind))

describe("the login", () => {
  it("gets an empty reply, and then the result", () => {
    const right = connection()
    right.receive(packet(7, AUTH, "right"))
    assert.deepStrictEqual(plain(right.takePackets()), [
      [7, RESPONSE_VALUE, ""],
      [7, AUTH_RESPONSE, ""]
    ])
    assert.isTrue(right.loggedIn)
  })

  it.each(["wrong", "", "righ", "rightr", "right\0"])("fails with the password %j", (password) => {
    const it = connection({ login: "verdict" })
    it.receive(packet(7, AUTH, password))
    assert.deepStrictEqual(plain(it.takePackets()), [[-1, AUTH_RESPONSE, ""]])
    assert.isFalse(it.loggedIn)
  })

  it("checks one password at a time, even if a segment contains several passwords", () => {
    const it = connection()
    it.receive(join(packet(1, AUTH, "a"), packet(2, AUTH, "b"), packet(3, AUTH, "right")))
    assert.deepStrictEqual(commands(it), ["login-failed"])
    it.resume()
    assert.deepStrictEqual(commands(it), ["login-failed"])
    it.resume()
    assert.deepStrictEqual(commands(it), ["logged-in"])
  })

  it("is no longer valid if a later password is wrong", () => {
    const it = logIn()
    it.receive(packet(2, AUTH, "wrong"))
    assert.isFalse(it.loggedIn)
  })

  it("is required for every command", () => {
    const it = connection()
    it.receive(join(packet(5, EXEC_COMMAND, "status"), packet(6, RESPONSE_VALUE)))
    assert.deepStrictEqual(commands(it), [])
    assert.deepStrictEqual(plain(it.takePackets()), [
      [-1, AUTH_RESPONSE, ""],
      [-1, AUTH_RESPONSE, ""]
    ])
  })
})

describe("commands", () => {
  it("run one at a time, and the replies are sent in the order of the received packets", () => {
    const it = logIn()
    it.receive(join(packet(5, EXEC_COMMAND, "a"), packet(6, RESPONSE_VALUE), packet(7, EXEC_COMMAND, "b")))
    assert.deepStrictEqual(commands(it), ["a"])
    assert.deepStrictEqual(it.takePackets(), [])
    it.reply(bytes("A"))
    assert.deepStrictEqual(plain(it.takePackets()), [
      [5, RESPONSE_VALUE, "A"],
      [6, RESPONSE_VALUE, ""],
      [6, RESPONSE_VALUE, "\0\u0001\0\0"]
    ])
    assert.deepStrictEqual(commands(it), ["b"])
  })

  it("get a reply of at least one packet, even if their output is empty", () => {
    const it = logIn({ maxBodyBytes: 4 })
    it.receive(packet(5, EXEC_COMMAND, "a"))
    it.reply(bytes(""))
    it.receive(packet(6, EXEC_COMMAND, "a"))
    it.reply(bytes("123456789"))
    assert.deepStrictEqual(plain(it.takePackets()), [
      [5, RESPONSE_VALUE, ""],
      [6, RESPONSE_VALUE, "1234"],
      [6, RESPONSE_VALUE, "5678"],
      [6, RESPONSE_VALUE, "9"]
    ])
  })

  it.each([
    ["none", RESPONSE_VALUE, []],
    ["text", RESPONSE_VALUE, [[6, RESPONSE_VALUE, "Unknown request 0"]]],
    ["text", 9, [[6, RESPONSE_VALUE, "Unknown request 9"]]],
    ["source", 9, []]
  ] as const)(
    "the option `mirror` determines the reply to a packet that is not a command: %s, type %i",
    (mirror, type, expected) => {
      const it = logIn({ mirror })
      it.receive(packet(6, type))
      assert.deepStrictEqual(plain(it.takePackets()), expected as never)
    }
  )

  it("get one reply each, and a second reply is dropped", () => {
    const it = logIn()
    it.receive(packet(5, EXEC_COMMAND, "a"))
    it.reply(bytes("A"))
    it.reply(bytes("again"))
    assert.deepStrictEqual(plain(it.takePackets()), [[5, RESPONSE_VALUE, "A"]])
  })
})

describe("a connection with a behaviour that differs from the default", () => {
  it("reads only the first packet of a segment if `reads` is `first-of-segment`", () => {
    const it = logIn({ reads: "first-of-segment" })
    it.receive(join(packet(5, EXEC_COMMAND, "a"), packet(6, EXEC_COMMAND, "b")))
    it.reply(bytes("A"))
    it.receive(packet(7, EXEC_COMMAND, "c"))
    assert.deepStrictEqual(commands(it), ["a", "c"])
  })

  it("sends only the first part of a reply if `replies` is `first-part`", () => {
    const it = logIn({ maxBodyBytes: 4, replies: "first-part" })
    for (const text of ["123456789", "", "1234", "12"]) {
      it.receive(packet(5, EXEC_COMMAND, "a"))
      it.reply(bytes(text))
    }
    assert.deepStrictEqual(
      plain(it.takePackets()).map(([, , body]) => body),
      ["1234", "", "1234", "12"]
    )
  })
})

describe("a connection with limits", () => {
  it("reports that it is full while many requests wait", () => {
    const it = logIn()
    it.receive(packet(5, EXEC_COMMAND, "slow"))
    assert.isFalse(it.full)
    for (let i = 0; i < 64; i++) it.receive(packet(6, RESPONSE_VALUE))
    assert.isTrue(it.full)
    it.reply(bytes(""))
    assert.isFalse(it.full)
  })

  it("reports that it is broken after a request that is too large, and after data that is not RCON", () => {
    for (const input of [packet(1, EXEC_COMMAND, "x".repeat(17_000)), bytes("GET / HTTP/1.1\r\n\r\n")]) {
      const it = logIn()
      it.receive(input)
      assert.deepStrictEqual(commands(it), ["broken"])
    }
  })
})
