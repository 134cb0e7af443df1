import { assert, describe, it } from "@effect/vitest"
import { seededRandom } from "@sourcewire/core/testing"
import { ChallengeReply } from "@sourcewire/protocol"
import { CsgoHandshakeChallenge, HandshakeChallenge, HandshakeRequest, encodeAs } from "@sourcewire/protocol/wire"
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

const getReply = (responder: HandshakeResponder, datagram: Uint8Array, now = 0, address: string = FROM[0]) =>
  responder.respond(datagram, address, FROM[1], now)

/** Sends a request, and then a second request with the plain challenge from the first reply. Returns the second reply. */
const completeHandshake = (responder: HandshakeResponder, now = 0): HandshakeChallenge => {
  const [plain] = getReply(responder, request(OURS), now)
  const { challenge } = Result.getOrThrow(ChallengeReply.decode(plain!))
  const [reply] = getReply(responder, request(challenge), now)
  const handshake = Result.getOrThrow(HandshakeChallenge.decode(reply!))
  assert.strictEqual(handshake.clientChallenge, challenge)
  return handshake
}

describe("HandshakeResponder", () => {
  it("completes the handshake if the client sends back the challenge", () => {
    const responder = new HandshakeResponder({
      steamId: "90071997434128265",
      vac: true,
      encryptionKey: Uint8Array.of(1, 2),
      rest: Uint8Array.of(3)
    })
    const { serverChallenge, ...handshake } = completeHandshake(responder)
    assert.deepInclude(handshake, {
      authProtocol: 3,
      encryptionKeySize: 2,
      encryptionKey: "0102",
      steamId: "90071997434128265",
      vac: true,
      rest: "03"
    })
    assert.isTrue(responder.accepts(serverChallenge, ...FROM, 0))
    assert.isFalse(responder.accepts(serverChallenge, "192.0.2.2", FROM[1], 0))
    assert.isFalse(responder.accepts(serverChallenge, FROM[0], FROM[1] + 1, 0))
    assert.isFalse(responder.accepts(serverChallenge, ...FROM, 3_600_000))
  })

  it("by default, sends the SteamID 0 and reports VAC as off", () => {
    assert.deepInclude(completeHandshake(new HandshakeResponder()), {
      steamId: "0",
      vac: false,
      encryptionKeySize: 0,
      rest: ""
    })
  })

  it("sends a new challenge if the challenge in the request is old or belongs to another address", () => {
    const responder = new HandshakeResponder()
    const [plain] = getReply(responder, request(OURS))
    const { challenge } = Result.getOrThrow(ChallengeReply.decode(plain!))
    for (const [address, now] of [
      ["192.0.2.2", 0],
      [FROM[0], 3_600_000]
    ] as const) {
      const [reply] = getReply(responder, request(challenge), now, address)
      assert.isTrue(Result.isSuccess(ChallengeReply.decode(reply!)))
      assert.strictEqual(reply!.length, 9)
    }
  })

  it("completes the handshake in reply to the first request if this request is padded, or if repliesToUnverified is set", () => {
    const [padded] = getReply(new HandshakeResponder(), request(OURS, 14))
    assert.strictEqual(Result.getOrThrow(HandshakeChallenge.decode(padded!)).clientChallenge, OURS)
    const [open] = getReply(new HandshakeResponder({ repliesToUnverified: true }), request(OURS))
    assert.strictEqual(Result.getOrThrow(HandshakeChallenge.decode(open!)).clientChallenge, OURS)
    const size = open!.length
    const lengths = [size - 1, size].map(
      (bytes) => getReply(new HandshakeResponder(), request(OURS, bytes - request(OURS).length))[0]!.length
    )
    assert.deepStrictEqual(lengths, [9, size])
  })

  it("limits the rate of replies that are larger than their request", () => {
    const responder = new HandshakeResponder({
      repliesToUnverified: true,
      limit: new RateLimiter({ perSecond: 1, burst: 2 })
    })
    const counts = (now: number, address?: string) =>
      [1, 2, 3].map(() => getReply(responder, request(OURS), now, address).length)
    assert.deepStrictEqual(counts(0), [1, 1, 0])
    assert.deepStrictEqual(counts(0, "192.0.2.2"), [1, 1, 0])
    assert.deepStrictEqual(counts(999), [0, 0, 0])
    assert.deepStrictEqual(counts(1000), [1, 0, 0])
    assert.deepStrictEqual(counts(60_000), [1, 1, 0])
    // A reply that is not larger than its request is not limited.
    const size = getReply(responder, request(OURS), 120_000)[0]!.length
    const padded = request(OURS, size - request(OURS).length)
    for (let i = 0; i < 10; i++) assert.lengthOf(getReply(responder, padded, 120_000), 1)
  })

  it("by default, limits each unverified address to a hundred replies per second, and does not limit verified addresses", () => {
    const open = new HandshakeResponder({ repliesToUnverified: true })
    const count = (now: number) =>
      Array.from({ length: 1000 }, () => getReply(open, request(OURS), now).length).reduce((sum, one) => sum + one, 0)
    assert.deepStrictEqual([count(0), count(1000)], [200, 100])
    const cautious = new HandshakeResponder()
    const [proof] = getReply(cautious, request(OURS))
    const verified = request(new DataView(proof!.buffer).getInt32(5, true))
    for (let i = 0; i < 1000; i++) assert.isAbove(getReply(cautious, verified)[0]!.length, verified.length)
  })

  it("does not throw for any datagram, and replies to unverified addresses with at most as many bytes as the datagram contains", () => {
    const random = seededRandom(4)
    const options: ReadonlyArray<HandshakeResponderOptions> = [
      {},
      { rest: new Uint8Array(40) },
      { redirect: "192.0.2.7:27016" },
      { form: "csgo", password: "pw" },
      { form: "csgo", redirect: "192.0.2.7:27016" }
    ]
    const heads = ["q", "qconnect0x00000000\0", "k\u0018\0\0\0\u0002\0\0\0", "k\u00be5\0\0\u0003\0\0\0"]
    for (const option of options) {
      const responder = new HandshakeResponder(option)
      const types = new Set<number>()
      for (let i = 0; i < 1000; i++) {
        const length = Math.floor(random() * 120)
        const datagram = Uint8Array.from({ length }, () => (random() < 0.3 ? 0 : random() * 256))
        const head = Buffer.from(`\u00ff\u00ff\u00ff\u00ff${heads[i % heads.length]}`, "latin1")
        datagram.set(head.subarray(0, datagram.length))
        const replies = getReply(responder, datagram, i)
        assert.isAtMost(
          replies.reduce((sum, { length }) => sum + length, 0),
          datagram.length
        )
        for (const reply of replies) types.add(reply[4]!)
      }
      assert.sameMembers([...types], [0x41, 0x39])
    }
  })

  it("ignores queries and pings, and requests to join that are too short", () => {
    for (const type of [0x54, 0x55, 0x6b, 0x69]) {
      assert.deepStrictEqual(
        getReply(new HandshakeResponder(), Uint8Array.of(255, 255, 255, 255, type, 0, 0, 0, 0, 0)),
        []
      )
    }
  })
})

// The datagrams of the following tests are written by hand. They have the same layouts as the datagrams of real servers and clients.
const ascii = (text: string): string => Buffer.from(text, "latin1").toString("hex")
const parseHex = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex.replaceAll(" ", ""), "hex"))
const formatHex = (datagrams: ReadonlyArray<Uint8Array>): ReadonlyArray<string> =>
  datagrams.map((one) => Buffer.from(one).toString("hex"))
const number = (value: number): string => {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32LE(value)
  return bytes.toString("hex")
}

const OURS_HEX = "78563412"
const BAD_CHALLENGE = ascii("#GameUI_ServerRejectBadChallenge\0")
const OLD_VERSION = ascii("#GameUI_ServerRejectOldVersion\0")
const BAD_PASSWORD = ascii("#GameUI_ServerRejectBadPassword\0")

describe("HandshakeResponder in the form of Source 2013", () => {
  const open = { repliesToUnverified: true, version: "9543365" }
  const ASK = `ffffffff71${OURS_HEX}${ascii("0000000000\0")}`
  const TICKET = `0800${"ab".repeat(8)}`

  it("sends SteamID and VAC if the server uses Steam, and otherwise ends the reply after the authentication protocol", () => {
    const [steam] = getReply(
      new HandshakeResponder({ ...open, steamId: "90071997434128265", vac: true }),
      parseHex(ASK)
    )
    assert.match(
      Buffer.from(steam!).toString("hex"),
      new RegExp(`^ffffffff4133494f5a.{8}${OURS_HEX}030000000000896745230100400101$`)
    )
    const [relay] = getReply(new HandshakeResponder({ ...open, authProtocol: 2 }), parseHex(ASK))
    assert.match(Buffer.from(relay!).toString("hex"), new RegExp(`^ffffffff4133494f5a.{8}${OURS_HEX}02000000$`))
    assert.strictEqual(relay!.length, 21)
  })

  /** Returns a request to join. By default, the request contains a challenge that the responder has sent. */
  const makeConnectRequest = (
    responder: HandshakeResponder,
    {
      challenge,
      version = "9543365",
      password = "",
      protocol = "18000000",
      ticket = TICKET
    }: Record<string, string> = {}
  ): Uint8Array => {
    const [reply] = getReply(responder, parseHex(ASK))
    const own = Buffer.from(reply!.subarray(9, 13)).toString("hex")
    return parseHex(
      `ffffffff6b${protocol}03000000${challenge ?? own}${OURS_HEX}${ascii(`player\0${password}\0${version}\0`)}${ticket}`
    )
  }

  it.each<readonly [title: string, fields: Record<string, string>, reply: string]>([
    ["accepts a client", {}, `ffffffff42${OURS_HEX}${ascii("0000000000\0")}`],
    ["rejects an unknown challenge", { challenge: "01020304" }, `ffffffff39${OURS_HEX}${BAD_CHALLENGE}`],
    ["rejects another version of the game", { version: "1" }, `ffffffff39${OURS_HEX}${OLD_VERSION}`],
    ["rejects another version of the protocol", { protocol: "0f000000" }, `ffffffff39${OURS_HEX}${OLD_VERSION}`],
    ["rejects a wrong password", { password: "x" }, `ffffffff39${OURS_HEX}${BAD_PASSWORD}`]
  ])("%s", (_, fields, reply) => {
    const responder = new HandshakeResponder(open)
    assert.deepStrictEqual(formatHex(getReply(responder, makeConnectRequest(responder, fields))), [reply])
  })

  it("rejects a client that does not send the password of the server", () => {
    const responder = new HandshakeResponder({ ...open, password: "pw" })
    assert.deepStrictEqual(formatHex(getReply(responder, makeConnectRequest(responder))), [
      `ffffffff39${OURS_HEX}${BAD_PASSWORD}`
    ])
    const [accepted] = formatHex(getReply(responder, makeConnectRequest(responder, { password: "pw" })))
    assert.match(accepted!, /^ffffffff42/)
  })

  it("if a rejection is larger than its request, sends the rejection only for a valid challenge, and at a limited rate", () => {
    const limit = new RateLimiter({ perSecond: 1, burst: 2 })
    const responder = new HandshakeResponder({ ...open, limit })
    const bare = `ffffffff6b1800000002000000${"01020304"}${OURS_HEX}${ascii("\0\0\0\0")}`
    assert.deepStrictEqual(getReply(responder, parseHex(bare)), [])
    const known = number(new DataView(getReply(responder, parseHex(ASK))[0]!.buffer).getInt32(9, true))
    const short = parseHex(bare.replace("01020304", known))
    const replies = Array.from({ length: 4 }, () => getReply(responder, short).length)
    assert.deepStrictEqual(replies, [1, 0, 0, 0])
  })

  it("ignores a truncated request to join", () => {
    assert.deepStrictEqual(getReply(new HandshakeResponder(open), parseHex("ffffffff6b18000000")), [])
  })
})

describe("HandshakeResponder in the form of CS:GO", () => {
  const open = { form: "csgo", repliesToUnverified: true, steamId: "90071997434128265", hostVersion: 13_758 } as const
  const STEAM_ID = "8967452301004001"
  const ask = (challenge: number): Uint8Array =>
    parseHex(`ffffffff71${ascii(`connect0x${(challenge >>> 0).toString(16).toUpperCase().padStart(8, "0")}\0`)}`)

  it("first replies with the text connect-retry; if the next request contains the challenge, replies with the text of that request", () => {
    const responder = new HandshakeResponder({ ...open, lobbyType: "public", password: "pw" })
    const tail = `be350000${ascii("public\0")}01ffffffffffffffff000000`
    const [retry] = getReply(responder, ask(0))
    const challenge = new DataView(retry!.buffer).getInt32(5, true)
    const head = `ffffffff41${number(challenge)}030000000000${STEAM_ID}00`
    assert.strictEqual(formatHex([retry!])[0], `${head}${ascii("connect-retry\0")}${tail}`)
    const digits = (challenge >>> 0).toString(16).toUpperCase().padStart(8, "0")
    assert.deepStrictEqual(formatHex(getReply(responder, ask(challenge))), [
      `${head}${ascii(`connect0x${digits}\0`)}${tail}`
    ])
  })

  it("by default, sends a reply of 59 bytes that reports neither VAC nor a password", () => {
    const responder = new HandshakeResponder(open)
    const [retry] = getReply(responder, ask(0))
    const [granted] = getReply(responder, ask(new DataView(retry!.buffer).getInt32(5, true)))
    assert.strictEqual(granted!.length, 59)
    assert.deepInclude(Result.getOrThrow(CsgoHandshakeChallenge.decode(granted!)), {
      vac: false,
      passwordRequired: false
    })
    const [secure] = getReply(new HandshakeResponder({ ...open, vac: true }), ask(0))
    assert.isTrue(Result.getOrThrow(CsgoHandshakeChallenge.decode(secure!)).vac)
  })

  it("also replies to a request in the form of Source 2013; a responder in the form of Source 2013 also replies to a request in the form of CS:GO", () => {
    const numbered = parseHex("ffffffff7101020304")
    const source = new HandshakeResponder({ repliesToUnverified: true })
    for (const [request, expected] of [
      [numbered, "01020304"],
      [ask(0), Buffer.from("conn").toString("hex")]
    ] as const) {
      const [reply] = getReply(source, request)
      assert.strictEqual(Buffer.from(reply!.subarray(13, 17)).toString("hex"), expected)
    }
    assert.lengthOf(getReply(new HandshakeResponder(open), numbered), 1)
  })

  it("sends a challenge of 9 bytes to unverified addresses, and the complete reply to verified addresses", () => {
    const responder = new HandshakeResponder({ ...open, repliesToUnverified: false })
    const [plain] = getReply(responder, ask(0))
    assert.strictEqual(plain!.length, 9)
    const [granted] = getReply(responder, ask(new DataView(plain!.buffer).getInt32(5, true)))
    assert.strictEqual(granted!.length, 59)
    assert.deepStrictEqual(
      getReply(responder, ask(new DataView(plain!.buffer).getInt32(5, true)), 0, "192.0.2.2").map(
        ({ length }) => length
      ),
      [9]
    )
  })

  it.each<readonly [title: string, isKnown: boolean, version: string, password: string, reply: string]>([
    ["accepts a client", true, "be350000", "", "ffffffff42"],
    ["rejects an unknown challenge", false, "be350000", "", `ffffffff39${BAD_CHALLENGE}`],
    ["rejects another version", true, "00010000", "", `ffffffff39${OLD_VERSION}`],
    ["rejects a wrong password", true, "be350000", "x", `ffffffff39${BAD_PASSWORD}`]
  ])(
    "%s, and sends a reply that does not contain the challenge of the client",
    (_, isKnown, version, password, reply) => {
      const responder = new HandshakeResponder(open)
      const [retry] = getReply(responder, ask(0))
      const challenge = isKnown ? Buffer.from(retry!.subarray(5, 9)).toString("hex") : "01020304"
      const request = `ffffffff6b${version}03000000${challenge}${ascii(`\0${password}\0`)}01${"00".repeat(60)}`
      assert.deepStrictEqual(formatHex(getReply(responder, parseHex(request))), [reply])
    }
  )

  it("redirects clients with a verified address to another server, and redirects all clients if `repliesToUnverified` is set", () => {
    const redirect = "192.0.2.7:27016"
    const expected = `ffffffff39${ascii(`ConnectRedirectAddress:${redirect}\0`)}`
    assert.deepStrictEqual(formatHex(getReply(new HandshakeResponder({ ...open, redirect }), ask(0))), [expected])
    const cautious = new HandshakeResponder({ ...open, repliesToUnverified: false, redirect })
    const [plain] = getReply(cautious, ask(0))
    assert.strictEqual(plain!.length, 9)
    assert.deepStrictEqual(formatHex(getReply(cautious, ask(new DataView(plain!.buffer).getInt32(5, true)))), [
      expected
    ])
  })
})

describe("inFront", () => {
  const intercept = inFront(new HandshakeResponder(), () => 0)
  const sent = (datagram: Uint8Array): readonly [isAnswered: boolean, replies: number] => {
    const replies: Array<Uint8Array> = []
    const isAnswered = intercept(datagram, ...FROM, (reply) => void replies.push(reply))
    return [isAnswered, replies.length]
  }

  it("sends the replies of the responder, and passes a datagram to the server if the responder does not reply to the datagram", () => {
    assert.deepStrictEqual(sent(request(OURS)), [true, 1])
    assert.deepStrictEqual(sent(Uint8Array.of(255, 255, 255, 255, 0x55)), [false, 0])
  })
})
