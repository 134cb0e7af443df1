import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { decode, dissect, encode } from "../src/Datagram.ts"
import { fromHex, toHex } from "../src/Hex.ts"

/** Converts a text such as `"\xff…"`, with one character per byte, to bytes. */
const bytes = (text: string): Uint8Array => Uint8Array.from(text, (character) => character.charCodeAt(0))
const whole = (text: string): Uint8Array => bytes(`\xff\xff\xff\xff${text}`)
const decodeTag = (datagram: Uint8Array): string => {
  const result = decode(datagram)
  if (Result.isSuccess(result)) return result.success._tag
  // If the message is incomplete, the error contains the tag of the message as `messageTag`.
  return result.failure._tag === "Malformed" ? `${result.failure.messageTag}!` : result.failure._tag
}

describe("the kind of a datagram", () => {
  it.each([
    ["I", "InfoReply!"],
    ["D", "PlayersReply!"],
    ["E", "RulesReply!"],
    ["m", "GoldSourceInfoReply!"],
    ["T", "InfoRequest!"],
    ["U", "PlayersRequest"],
    ["V", "RulesRequest"],
    ["W", "GetChallengeRequest"],
    ["j", "PingReply"],
    ["9rejected\0", "ConnectionRejected"],
    ["q", "HandshakeRequest!"],
    ["k", "ConnectRequest!"],
    ["B", "ConnectionAccepted"],
    ["RL x\0", "LogLine"],
    ["S1L x\0", "SecretLogLine"],
    ["lhello\0", "PrintReply"],
    ["log L 11/21/2026\n\0", "GoldSourceLogLine"],
    ["\0", "UnknownMessage"],
    ["z", "UnknownMessage"]
  ])("is found by the first bytes of the message: %j", (text, tag) => {
    expect(decodeTag(whole(text))).toBe(tag)
  })

  // Clients append a space, a newline or a NUL to a command.
  it.each([
    ["i", "PingRequest"],
    ["i\n\0 ", "PingRequest"],
    ["ix", "UnknownMessage"],
    ["i\n\0x", "UnknownMessage"],
    ["challenge rcon", "RconChallengeRequest"],
    ["challenge rcon\n\0", "RconChallengeRequest"],
    ["challenge rcon 123\n", "RconChallengeReply"],
    ["challenge rconx", "UnknownMessage"],
    ["challenge rco", "UnknownMessage"],
    ['rcon 1 "a" b', "RconRequest"],
    ["rconx", "UnknownMessage"],
    ["getchallenge", "GoldSourceHandshakeRequest"],
    ["getchallenge steam\n", "GoldSourceHandshakeRequest"],
    ["getchallenges", "UnknownMessage"],
    ["rcon", "UnknownMessage"],
    ["print\nhello\n", "QuakePrint"],
    ["print\n", "QuakePrint"],
    ["print", "UnknownMessage"],
    ["printer\n", "UnknownMessage"],
    ["i\0sourcewire age", "ProxyAgeRequest"],
    ["i\0sourcewire age\0\0\0", "ProxyAgeRequest"],
    ["i\0sourcewire", "UnknownMessage"],
    ["s\n\x01\x02\x03\x04", "MasterChallenge"],
    ["s\n\x01\x02\x03\x04\x05\x06\x07\x08", "MasterChallenge"],
    ["s\n\x01\x02\x03\x04\x05", "MasterChallenge!"],
    ["s\n\x01\x02\x03", "UnknownMessage"],
    ["sx", "UnknownMessage"],
    ["f\n", "MasterReply"],
    ["f\x0b", "UnknownMessage"],
    ["f", "UnknownMessage"]
  ])("is found by the text if the type byte does not suffice: %j", (text, tag) => {
    expect(decodeTag(whole(text))).toBe(tag)
  })

  it.each([
    ["A", "ChallengeReply!"],
    ["A\x01\x02\x03\x04", "ChallengeReply"],
    ["A\x01\x02\x03\x04\0\0", "ChallengeReply"],
    ["A\x01\x02\x03\x04\0x", "CsgoHandshakeChallenge!"],
    ["A\x01\x02\x03\x04x", "CsgoHandshakeChallenge!"],
    ["A00000000 1234 2\n", "GoldSourceHandshakeChallenge"],
    ["A00000000 1234 3\n", "GoldSourceHandshakeChallenge!"]
  ])("depends on the bytes after the challenge: %j", (text, tag) => {
    expect(decodeTag(whole(text))).toBe(tag)
  })

  it("can be `QuakePrint`, `ProxyAgeRequest` or `MasterChallenge`", () => {
    const read = (text: string) => Result.getOrThrow(decode(whole(text)))
    expect(read("print\nBad rcon_password.\n\0")).toEqual({ _tag: "QuakePrint", text: "Bad rcon_password.\n" })
    expect(read(`i\0sourcewire age${"\0".repeat(2)}`)).toEqual({ _tag: "ProxyAgeRequest", padding: "0000" })
    expect(read("s\n\x01\0\0\0")).toEqual({ _tag: "MasterChallenge", challenge: 1 })
    expect(read("s\n\xff\xff\xff\xff\x02\0\0\0")).toEqual({
      _tag: "MasterChallenge",
      challenge: 4_294_967_295,
      serverChallenge: 2
    })
  })

  // A datagram without FF FF FF FF can be a request to a master or a connection message. A connection message can begin with any byte.
  it.each([
    ["1\xff0.0.0.0:0\0\\gamedir\\x\0", "MasterRequest"],
    ["1\x03255.255.255.255:65535\0\0", "MasterRequest"],
    ["1\xff0.0.0.0:0\0", "MasterRequest"],
    ["1\xff0.0.0:0\0\0\0\0", "ConnectionMessage"],
    ["1\xffx0.0.0.0:0\0\0", "ConnectionMessage"],
    ["1\xff0.0.0.0:0x\0\0", "ConnectionMessage"],
    ["1\xff0.0.0.0:\0\0", "ConnectionMessage"],
    ["1\xff1234.0.0.0:0\0\0", "ConnectionMessage"],
    ["1\xff0.0.0.0:0", "ConnectionMessage"],
    ["1\xff0.0.0.0:01", "ConnectionMessage"],
    [`1\xff${"0".repeat(30)}.0.0.0:0\0\0`, "ConnectionMessage"],
    ["2\xff0.0.0.0:0\0\0", "ConnectionMessage"],
    ["\x01\0\0\0", "ConnectionMessage!"]
  ])(
    "is a request to a master only if the datagram begins with the digit 1, a region and an address: %j",
    (text, tag) => {
      expect(decodeTag(bytes(text))).toBe(tag)
    }
  )
})

describe("a malformed datagram", () => {
  it.each([
    ["", "header", 0, "needs 4 bytes"],
    ["ffffff", "header", 0, "needs 4 bytes"],
    ["feffffff0100000002", "header", 0, "is −2: a fragment, to be joined with the others first"],
    ["ffffffff", "type", 4, "is missing"],
    ["ffffffffff49", "type", 4, "is a fifth FF, which is no message type"]
  ])("is reported with the reason: '%s'", (hex, field, offset, reason) => {
    const { fields, result } = dissect(fromHex(hex)!)
    expect(fields).toEqual(
      hex === "" ? [] : [expect.objectContaining({ path: "unread", offset: 0, length: hex.length / 2, value: hex })]
    )
    for (const outcome of [result, decode(fromHex(hex)!)]) {
      expect(Result.getOrThrow(Result.flip(outcome))).toMatchObject({
        _tag: "Malformed",
        messageTag: "Datagram",
        field,
        offset,
        hex,
        message: `the datagram's ${field} at byte ${offset} ${reason}`
      })
    }
  })

  it("is reported with its first 32 bytes", () => {
    const fragment = Uint8Array.of(0xfe, 0xff, 0xff, 0xff, ...new Uint8Array(100))
    expect(Result.getOrThrow(Result.flip(decode(fragment)))).toMatchObject({ hex: toHex(fragment, 0, 32) })
  })
})

describe("an argument of the wrong type", () => {
  it("is reported with `messageTag: Datagram` by decode and dissect", () => {
    for (const outcome of [dissect(5 as never).result, decode("" as never)])
      expect(Result.getOrThrow(Result.flip(outcome))).toMatchObject({ messageTag: "Datagram", field: "datagram" })
  })

  it("is reported with `messageTag: Message` by encode", () => {
    expect(Result.getOrThrow(Result.flip(encode({} as never)))).toMatchObject({ messageTag: "Message", field: "_tag" })
  })
})
