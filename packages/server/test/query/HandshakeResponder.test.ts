import { assert, describe, it } from "@effect/vitest"
import { seededRandom } from "@sourcewire/core/testing"
import { ChallengeReply } from "@sourcewire/protocol"
import { HandshakeChallenge, HandshakeRequest, encodeAs } from "@sourcewire/protocol/machines"
import * as Result from "effect/Result"
import type { HandshakeResponderOptions } from "../../src/query/HandshakeResponder.ts"
import { RateLimiter } from "../../src/index.ts"
import { HandshakeResponder, inFront } from "../../src/Machines.ts"

const request = (challenge: number, padding = 0): Uint8Array =>
  Result.getOrThrow(
    encodeAs(HandshakeRequest, {
      _tag: "HandshakeRequest",
      challenge,
      payload: "0000000000",
      ...(padding === 0 ? {} : { trailing: "00".repeat(padding) })
    })
  )

const FROM = ["192.0.2.1", 27_005] as const
const OURS = 0x12345678

const askedBy = (responder: HandshakeResponder, datagram: Uint8Array, now = 0, address: string = FROM[0]) =>
  responder.respond(datagram, address, FROM[1], now)

/** What a client sees that brings a plain challenge back. */
const proved = (responder: HandshakeResponder, now = 0): HandshakeChallenge => {
  const [plain] = askedBy(responder, request(OURS), now)
  const { challenge } = Result.getOrThrow(ChallengeReply.decode(plain!))
  const [reply] = askedBy(responder, request(challenge), now)
  const handshake = Result.getOrThrow(HandshakeChallenge.decode(reply!))
  assert.strictEqual(handshake.clientChallenge, challenge)
  return handshake
}

describe("HandshakeResponder", () => {
  it("gives the handshake to whoever brings its challenge back", () => {
    const responder = new HandshakeResponder({
      authProtocol: 2,
      encryptionKey: Uint8Array.of(1, 2),
      rest: Uint8Array.of(3)
    })
    const { authProtocol, encryptionKey, encryptionKeySize, rest, serverChallenge } = proved(responder)
    assert.deepStrictEqual([authProtocol, encryptionKeySize, encryptionKey, rest], [2, 2, "0102", "03"])
    assert.isTrue(responder.accepts(serverChallenge, ...FROM, 0))
    assert.isFalse(responder.accepts(serverChallenge, "192.0.2.2", FROM[1], 0))
    assert.isFalse(responder.accepts(serverChallenge, FROM[0], FROM[1] + 1, 0))
    assert.isFalse(responder.accepts(serverChallenge, ...FROM, 3_600_000))
  })

  it("does not take another's proof, nor an old one", () => {
    const responder = new HandshakeResponder()
    const [plain] = askedBy(responder, request(OURS))
    const { challenge } = Result.getOrThrow(ChallengeReply.decode(plain!))
    for (const [address, now] of [
      ["192.0.2.2", 0],
      [FROM[0], 3_600_000]
    ] as const) {
      const [reply] = askedBy(responder, request(challenge), now, address)
      assert.isTrue(Result.isSuccess(ChallengeReply.decode(reply!)))
      assert.strictEqual(reply!.length, 9)
    }
  })

  it("answers a padded request at once, and strangers when told to", () => {
    const [padded] = askedBy(new HandshakeResponder(), request(OURS, 10))
    assert.strictEqual(Result.getOrThrow(HandshakeChallenge.decode(padded!)).clientChallenge, OURS)
    const [open] = askedBy(new HandshakeResponder({ answersStrangers: true }), request(OURS))
    assert.strictEqual(Result.getOrThrow(HandshakeChallenge.decode(open!)).clientChallenge, OURS)
    const size = open!.length
    const lengths = [size - 1, size].map(
      (bytes) => askedBy(new HandshakeResponder(), request(OURS, bytes - request(OURS).length))[0]!.length
    )
    assert.deepStrictEqual(lengths, [9, size])
  })

  it("rations what is larger than its request", () => {
    const responder = new HandshakeResponder({
      answersStrangers: true,
      limit: new RateLimiter({ perSecond: 1, burst: 2 })
    })
    const replies = Array.from({ length: 4 }, () => askedBy(responder, request(OURS)).length)
    assert.deepStrictEqual(replies, [1, 1, 0, 0])
  })

  it("gives strangers a hundred a second, unless told otherwise, and whoever proves itself any number", () => {
    const open = new HandshakeResponder({ answersStrangers: true })
    const count = (now: number) =>
      Array.from({ length: 1000 }, () => askedBy(open, request(OURS), now).length).reduce((sum, one) => sum + one, 0)
    assert.deepStrictEqual([count(0), count(1000)], [200, 100])
    const cautious = new HandshakeResponder()
    const [proof] = askedBy(cautious, request(OURS))
    const proved = request(new DataView(proof!.buffer).getInt32(5, true))
    for (let i = 0; i < 1000; i++) assert.isAbove(askedBy(cautious, proved)[0]!.length, proved.length)
  })

  it("sends strangers no more than they sent, all replies of a kind in one size, and never throws", () => {
    const random = seededRandom(4)
    const options: ReadonlyArray<HandshakeResponderOptions> = [{}, { rest: new Uint8Array(40) }]
    for (const option of options) {
      const responder = new HandshakeResponder(option)
      const sizes = new Set<number>()
      for (let i = 0; i < 2000; i++) {
        const datagram = Uint8Array.from({ length: Math.floor(random() * 80) }, () => random() * 256)
        datagram.set([255, 255, 255, 255, 0x71].slice(0, datagram.length))
        for (const reply of askedBy(responder, datagram, i)) {
          assert.isAtMost(reply.length, datagram.length)
          sizes.add(reply.length)
        }
      }
      assert.isAtMost(sizes.size, 2)
    }
  })

  it("leaves other datagrams alone", () => {
    for (const type of [0x54, 0x55, 0x6b, 0x69]) {
      assert.deepStrictEqual(
        askedBy(new HandshakeResponder(), Uint8Array.of(255, 255, 255, 255, type, 0, 0, 0, 0, 0)),
        []
      )
    }
  })
})

describe("inFront", () => {
  const intercept = inFront(new HandshakeResponder(), () => 0)
  const sent = (datagram: Uint8Array): readonly [isAnswered: boolean, replies: number] => {
    const replies: Array<Uint8Array> = []
    const isAnswered = intercept(datagram, ...FROM, (reply) => void replies.push(reply))
    return [isAnswered, replies.length]
  }

  it("sends what the responder answers, and leaves the rest to the server", () => {
    assert.deepStrictEqual(sent(request(OURS)), [true, 1])
    assert.deepStrictEqual(sent(Uint8Array.of(255, 255, 255, 255, 0x55)), [false, 0])
  })
})
