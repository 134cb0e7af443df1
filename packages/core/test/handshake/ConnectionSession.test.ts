import { describe, expect, it } from "@effect/vitest"
import { toHex } from "@sourcewire/protocol"
import { ConnectionMessage, encodeAs } from "@sourcewire/protocol/wire"
import * as Result from "effect/Result"
import { ConnectionSession, KNOWN_TYPES, MAX_REMEMBERED_MESSAGES } from "../../src/handshake/ConnectionSession.ts"

const bytes = (...values: ReadonlyArray<number>): Uint8Array => Uint8Array.from(values)

const datagram = (messageId: number, responseId = 0, type = 0x20, payload = ""): Uint8Array =>
  Result.getOrThrow(encodeAs(ConnectionMessage, { _tag: "ConnectionMessage", messageId, responseId, type, payload }))

describe("ConnectionSession", () => {
  it("numbers its own messages from 1", () => {
    const session = new ConnectionSession()
    expect(session.lastSent).toBe(0)
    const first = Result.getOrThrow(session.send(0x20, bytes(1, 2)))
    expect(first.messageId).toBe(1)
    expect(toHex(first.datagram)).toBe("0100000000000000200102")
    expect(toHex(Result.getOrThrow(session.send(0xa1, bytes(), 7)).datagram)).toBe("0200000007000000a1")
    expect(session.lastSent).toBe(2)
  })

  it("numbers sent and received messages separately", () => {
    const client = new ConnectionSession()
    const server = new ConnectionSession()
    for (const type of KNOWN_TYPES) {
      const queried = Result.getOrThrow(client.send(type, bytes(type)))
      const received = Result.getOrThrow(server.receive(queried.datagram))
      expect(received).toMatchObject({ order: "next", missing: 0, message: { type, messageId: queried.messageId } })
      const reply = Result.getOrThrow(server.send(type, bytes(), received.message.messageId))
      expect(Result.getOrThrow(client.receive(reply.datagram)).answers).toEqual({ messageId: queried.messageId, type })
    }
    expect([client.lastSent, client.lastReceived, server.lastSent, server.lastReceived]).toEqual([3, 3, 3, 3])
    expect(client.awaiting).toEqual([])
    expect(server.awaiting.length).toBe(3)
  })

  it.each([
    { ids: [1, 2, 3], orders: ["next", "next", "next"], missing: [0, 0, 0] },
    { ids: [1, 4, 2, 5], orders: ["next", "ahead", "behind", "next"], missing: [0, 2, 0, 0] },
    { ids: [1, 1], orders: ["next", "behind"], missing: [0, 0] },
    { ids: [0], orders: ["behind"], missing: [0] },
    { ids: [3], orders: ["ahead"], missing: [2] }
  ])(
    "reports whether each received message is next, ahead or behind, and how many messages are missing: $ids",
    ({ ids, missing, orders }) => {
      const session = new ConnectionSession()
      const received = ids.map((id) => Result.getOrThrow(session.receive(datagram(id))))
      expect(received.map(({ order }) => order)).toEqual(orders)
      expect(received.map(({ missing }) => missing)).toEqual(missing)
      expect(session.lastReceived).toBe(Math.max(0, ...ids))
    }
  )

  it("expects −2^31 after 2^31 − 1; expects 1 after −1, because no message has the number 0", () => {
    const session = new ConnectionSession()
    session.receive(datagram(2 ** 30))
    session.receive(datagram(2 ** 31 - 1))
    expect(Result.getOrThrow(session.receive(datagram(-(2 ** 31))))).toMatchObject({ order: "next" })
    session.receive(datagram(-(2 ** 30)))
    session.receive(datagram(-1))
    expect(Result.getOrThrow(session.receive(datagram(1)))).toMatchObject({ order: "next" })
  })

  it("finds the message to which a reply belongs, but finds no message for a second reply or for an unknown number", () => {
    const session = new ConnectionSession()
    session.send(0x21, bytes())
    expect(Result.getOrThrow(session.receive(datagram(1, 9))).answers).toBeUndefined()
    expect(Result.getOrThrow(session.receive(datagram(2, 1))).answers).toEqual({ messageId: 1, type: 0x21 })
    expect(Result.getOrThrow(session.receive(datagram(3, 1))).answers).toBeUndefined()
  })

  it("drops the oldest sent message if too many sent messages have no reply", () => {
    const session = new ConnectionSession()
    for (let i = 0; i < MAX_REMEMBERED_MESSAGES + 2; i++) session.send(0x20, bytes())
    expect(session.awaiting.length).toBe(MAX_REMEMBERED_MESSAGES)
    expect(session.awaiting[0]!.messageId).toBe(3)
  })

  it("does not change if a message cannot be encoded or decoded", () => {
    const session = new ConnectionSession()
    expect(Result.isFailure(session.send(256, bytes()))).toBe(true)
    expect(Result.isFailure(session.receive(bytes(1, 2, 3)))).toBe(true)
    expect([session.lastSent, session.lastReceived]).toEqual([0, 0])
  })
})
