import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { make } from "../src/Codec.ts"
import { dissectAs, encodeAs } from "../src/internal/interpret/byCodec.ts"
import { decode, dissect, encode } from "../src/Datagram.ts"
import type { ListElement } from "../src/declarations/Declaration.ts"
import { toHex } from "../src/Hex.ts"
import { MAX_PLAYERS, MAX_RULES } from "../src/Limits.ts"
import type { Message } from "../src/Message.ts"
import { ChallengeReply, InfoReply, PlayersReply, RulesReply } from "../src/Message.ts"
import { info } from "./plainInfo.ts"

const whole = (text: string): Uint8Array =>
  Uint8Array.from(`\xff\xff\xff\xff${text}`, (character) => character.charCodeAt(0))
const getFailure = <A, E>(result: Result.Result<A, E>): E => Result.getOrThrow(Result.flip(result))

describe("a message that cannot be decoded", () => {
  it.each([
    ["U\x01\0", "PlayersRequest", "challenge", 5, "needs 4 bytes, only 2 left"],
    ["D", "PlayersReply", "announced", 5, "needs 1 byte, none left"],
    ["E\x01", "RulesReply", "announced", 5, "needs 2 bytes, only 1 left"],
    ["TSource Engine Quer\0", "InfoRequest", "payload", 23, 'needs the text "Source Engine Query\\u0000"'],
    ["TSource Engine Que", "InfoRequest", "payload", 22, 'needs the text "Source Engine Query\\u0000"'],
    ["Sx", "SecretLogLine", "secret", 5, "needs a number in decimal digits"],
    ["S1234567890123456L", "SecretLogLine", "secret", 5, "needs a number in decimal digits"],
    ["rcon ", "RconRequest", "password", 9, "needs a word or a text in quotes"],
    ['rcon 1 "open', "RconRequest", "password", 11, "needs a word or a text in quotes"],
    [
      `A3IOZ${"\0".repeat(8)}\x03\0\0\0\x09\0\xab\xcd\xef`,
      "HandshakeChallenge",
      "encryptionKey",
      23,
      "needs 9 bytes, 3 left"
    ]
  ])("is reported with the position of the error: %j", (text, messageTag, field, offset, reason) => {
    expect(getFailure(decode(whole(text)))).toMatchObject({
      _tag: "Malformed",
      messageTag,
      field,
      offset,
      message: `${messageTag}.${field} at byte ${offset} ${reason}`
    })
  })

  it("is reported with the name of the text field that is incomplete", () => {
    const cut = (text: string) => getFailure(decode(whole(text))).message
    expect(cut("I\x11name")).toBe("the datagram ends inside InfoReply.name at byte 6: 4 bytes, no NUL")
    expect(cut("I\x11name\0d")).toBe("the datagram ends inside InfoReply.map at byte 11: 1 byte, no NUL")
  })

  it("is dissected into the complete fields and the unread bytes", () => {
    expect(dissect(whole("I\x11name\0de_")).fields.at(-1)).toMatchObject({ path: "unread", offset: 11, length: 3 })
    expect(dissect(whole("I\x11name")).fields.map(({ path }) => path)).toEqual(["header", "type", "protocol", "unread"])
  })

  it("is rejected by a codec that expects another header or another type", () => {
    expect(getFailure(ChallengeReply.decode(Uint8Array.of(1, 2, 3, 4, 0x41)))).toMatchObject({
      field: "header",
      offset: 0,
      message: "ChallengeReply.header at byte 0 must be FF FF FF FF"
    })
    expect(getFailure(ChallengeReply.decode(whole("I\x01\x02\x03\x04")))).toMatchObject({
      field: "type",
      offset: 4,
      message: "ChallengeReply.type at byte 4 is 0x49, not the 0x41 of this message"
    })
  })

  it("is neither decoded nor dissected if the encoding is unknown", () => {
    const unknown = { encoding: "utf8" as never }
    const { fields, result } = dissectAs(ChallengeReply, whole("A\x01\x02\x03\x04"), unknown)
    expect(fields).toEqual([])
    for (const outcome of [result, ChallengeReply.decode(whole("A\x01\x02\x03\x04"), unknown)]) {
      expect(getFailure(outcome)).toMatchObject({ messageTag: "ChallengeReply", field: "encoding", offset: 0, hex: "" })
    }
  })

  it("is reported with its first 32 bytes, or only with its header if it may contain a password", () => {
    const long = whole(`I\x11${"n".repeat(100)}`)
    expect(getFailure(decode(long))).toMatchObject({ hex: toHex(long, 0, 32) })
    expect(getFailure(decode(whole('rcon 1 "secret')))).toMatchObject({ hex: "ffffffff" })
    expect(getFailure(decode(whole("Sx")))).toMatchObject({ hex: "ffffffff" })
  })
})

describe("the maximum number of entries in a list", () => {
  it("is accepted, and one more entry is an error", () => {
    const few = make<{ readonly _tag: string; readonly list: ReadonlyArray<object> }>({
      ...RulesReply.layout,
      fields: [{ ...(RulesReply.layout.fields[0] as ListElement), name: "list", max: 2, limit: "FEW" }]
    })
    expect(Result.getOrThrow(few.decode(rules(2))).list).toHaveLength(2)
    expect(getFailure(few.decode(rules(3)))).toMatchObject({
      _tag: "LimitExceeded",
      limit: "FEW",
      max: 2,
      message: "the RulesReply contains more than 2 entries"
    })
  })

  const players = (count: number) => {
    const entry = [0, 0x61, 0, 1, 0, 0, 0, 0, 0, 0, 0]
    return Uint8Array.from([...whole("D\0"), ...Array.from({ length: count }, () => entry).flat()])
  }
  const rules = (count: number) => whole(`E\0\0${"a\0b\0".repeat(count)}`)

  it.each([
    ["8 192 players", PlayersReply, players, "MAX_PLAYERS", MAX_PLAYERS],
    ["65 535 rules", RulesReply, rules, "MAX_RULES", MAX_RULES]
  ] as const)("is %s, and one more entry is an error", (title, codec, bytes, limit, max) => {
    expect(Result.getOrThrow<object, unknown>(codec.decode(bytes(max)))).toHaveProperty(
      `${title.split(" ").at(-1)}.length`,
      max
    )
    for (const result of [codec.decode(bytes(max + 1)), dissectAs<unknown>(codec, bytes(max + 1)).result]) {
      expect(getFailure<unknown, unknown>(result)).toMatchObject({
        _tag: "LimitExceeded",
        limit,
        max,
        message: `the ${codec.tag} contains more than ${max} entries`
      })
    }
  })
})

const challenge = {
  _tag: "HandshakeChallenge",
  serverChallenge: 1,
  clientChallenge: 2,
  authProtocol: 3,
  steamId: "1",
  vac: true
} as const

describe("a value that cannot be encoded", () => {
  const U64 = "must be a decimal string from 0 to 18446744073709551615"
  const NUMBER = (min: number, max: number) => `must be a whole number from ${min} to ${max}`

  it.each<readonly [message: object, field: string, reason: string]>([
    [{ ...info, protocol: 256 }, "protocol", NUMBER(0, 255)],
    [{ ...info, protocol: -1 }, "protocol", NUMBER(0, 255)],
    [{ ...info, protocol: 1.5 }, "protocol", NUMBER(0, 255)],
    [{ ...info, protocol: "1" }, "protocol", NUMBER(0, 255)],
    [{ ...info, port: 65_536 }, "port", NUMBER(0, 65_535)],
    [{ ...info, name: undefined }, "name", "is missing"],
    [{ ...info, name: 5 }, "name", "must be a string"],
    [{ ...info, name: "a\0b" }, "name", "cannot contain a NUL, because a NUL ends the text"],
    [{ ...info, name: "\ud83d" }, "name", "has a character that the encoding auto does not support"],
    [{ ...info, nameHex: "f" }, "nameHex", "must be bytes as hex text"],
    [{ ...info, nameHex: 255 }, "nameHex", "must be bytes as hex text"],
    [{ ...info, nameHex: "6100" }, "name", "cannot contain a NUL, because a NUL ends the text"],
    [{ ...info, vac: 1 }, "vac", "must be true or false"],
    [
      { ...info, vac: false, vacCode: 2 },
      "vacCode",
      "is only allowed if the flag is true and its byte is neither 0 nor 1"
    ],
    [{ ...info, vacCode: 1 }, "vacCode", "is only allowed if the flag is true and its byte is neither 0 nor 1"],
    [{ ...info, vacCode: 256 }, "vac", NUMBER(0, 255)],
    [
      { ...info, serverType: "tv" },
      "serverType",
      "must be a number or one of dedicated, listen, sourcetv, emulatedListen"
    ],
    [{ ...info, serverType: 300 }, "serverType", NUMBER(0, 255)],
    [{ ...info, theShip: { mode: "hunt", witnesses: 1, duration: 2 } }, "theShip", "is only allowed if appId is 2400"],
    [{ ...info, appId: 2400 }, "theShip", "is missing"],
    [{ ...info, appId: 2400, theShip: null }, "theShip", "must be an object"],
    [{ ...info, appId: 2400, theShip: 5 }, "theShip", "must be an object"],
    [{ ...info, appId: 2400, theShip: { mode: "hunt", witnesses: 1 } }, "theShip.duration", "is missing"],
    [{ ...info, sourceTv: { port: 70_000, name: "tv" } }, "sourceTv.port", NUMBER(0, 65_535)],
    [{ ...info, edf: 0x80 }, "port", "is announced by edf, but missing"],
    [{ ...info, edf: 0x90, port: 1 }, "steamId", "is announced by edf, but missing"],
    [{ ...info, trailing: "00" }, "trailing", "would be decoded as edf, so edf is also required"],
    [{ ...info, edf: 0, trailing: "0" }, "trailing", "must be bytes as hex text"],
    [{ ...info, steamId: 1 }, "steamId", U64],
    [{ ...info, steamId: "-1" }, "steamId", U64],
    [{ ...info, steamId: "18446744073709551616" }, "steamId", U64],
    [{ ...info, steamId: 1n }, "steamId", U64],
    [{ ...info, steamId: "0x10" }, "steamId", U64],
    [{ ...info, steamId: "" }, "steamId", U64],
    [{ ...info, steamId: "1.5" }, "steamId", U64],
    [{ ...info, gameId: "730" }, "appId", "is 10, but the low 24 bits of gameId are 730"],
    [{ _tag: "PlayersReply", players: 5 }, "players", "must be an array"],
    [
      { _tag: "PlayersReply", players: [{ index: 0, name: "a", score: 2 ** 31, duration: 0 }] },
      "players[0].score",
      NUMBER(-2_147_483_648, 2_147_483_647)
    ],
    [
      { _tag: "PlayersReply", players: [{ index: 0, name: "a", score: 0, duration: "0" }] },
      "players[0].duration",
      "must be a number"
    ],
    [
      {
        _tag: "PlayersReply",
        players: [
          { index: 0, name: "a", score: 0, duration: 0 },
          { index: 0, name: "b", score: 0, duration: 0, deaths: 1, money: 1 }
        ]
      },
      "players[0].deaths",
      "is missing"
    ],
    [{ _tag: "RulesReply", rules: [], announced: 65_536 }, "announced", NUMBER(0, 65_535)],
    [
      { ...challenge, encryptionKeySize: 2, encryptionKey: "ab", rest: "" },
      "encryptionKey",
      "has 1 bytes, but encryptionKeySize is 2"
    ],
    [
      { _tag: "RconRequest", password: 'a"b', command: "c" },
      "password",
      "cannot contain a quotation mark, because the protocol cannot escape it"
    ],
    [{ _tag: "RconRequest", challenge: 1.5, password: "a", command: "c" }, "challenge", "must be a whole number"],
    [{ _tag: "RconRequest", challenge: "1", password: "a", command: "c" }, "challenge", "must be a whole number"],
    [{ _tag: "SecretLogLine", line: "L x" }, "secret", "is missing"],
    [{ _tag: "SecretLogLine", secret: "1", line: "L x" }, "secret", "must be a whole number"],
    [{ _tag: "CsgoHandshakeRequest", challenge: 2 ** 31 }, "challenge", NUMBER(-2_147_483_648, 2_147_483_647)],
    [{ _tag: "GoldSourceHandshakeRequest", argument: "a b" }, "argument", "must be a word of visible ASCII characters"],
    [
      { _tag: "GoldSourceHandshakeChallenge", serverChallenge: 1, authProtocol: 3, steamId: "-1", vac: true },
      "steamId",
      U64
    ],
    [
      { _tag: "GoldSourceHandshakeChallenge", serverChallenge: 1, authProtocol: 3, steamId: "1", vac: 1 },
      "vac",
      "must be true or false"
    ],
    [
      { ...challenge, authProtocol: 2, encryptionKeySize: 0, encryptionKey: "", rest: "" },
      "encryptionKeySize",
      "is only allowed if authProtocol is 3"
    ],
    [
      {
        _tag: "CsgoConnectRequest",
        hostVersion: 24,
        authProtocol: 3,
        challenge: 1,
        name: "",
        password: "",
        players: 1,
        rest: ""
      },
      "hostVersion",
      NUMBER(256, 4_294_967_295)
    ],
    [
      { _tag: "SecretLogLine", secret: 1, line: "2" },
      "line",
      "cannot begin with a digit: it would be decoded as part of secret"
    ],
    ...["1.2.3.4", "1.2.3.256:1", "256.2.3.4:1", "1.2.3.4:65536", "1.2.3.4:1x", "x1.2.3.4:1", "a.b.c.d:e"].map(
      (address) =>
        [
          { _tag: "MasterReply", servers: ["1.2.3.4:1", address], complete: true },
          "servers[1]",
          "must be an IPv4 address with port, as in 192.0.2.1:27015"
        ] as const
    ),
    [{ _tag: "MasterReply", servers: [], complete: true, padding: "zz" }, "padding", "must be bytes as hex text"]
  ])("is reported with the field and the reason: in %o, %s %s (case %#)", (message, field, reason) => {
    const error = getFailure(encode(message as Message))
    const { _tag: messageTag } = message as Message
    expect(error).toMatchObject({ _tag: "EncodeError", messageTag, field, message: `${messageTag}.${field} ${reason}` })
  })

  it("is reported with the name of the encoding if a text contains a character that the encoding does not support", () => {
    const error = getFailure(encodeAs(InfoReply, { ...info, name: "€" } as never, { encoding: "latin1" }))
    expect(error.message).toBe("InfoReply.name has a character that the encoding latin1 does not support")
  })
})

describe("an encoded message", () => {
  const encodeHex = (message: object, options?: Parameters<typeof encode>[1]): string =>
    toHex(Result.getOrThrow(encode(message as Message, options))).replace(/^ffffffff/, "")

  it.each<readonly [name: string, message: object, hex: string]>([
    [
      "the number of entries if no count is given",
      { _tag: "RulesReply", rules: [{ name: "a", value: "b" }] },
      "45010061006200"
    ],
    ["the given count", { _tag: "RulesReply", announced: 9, rules: [] }, "450900"],
    [
      "the byte of a flag that is neither 0 nor 1",
      { ...info, vacCode: 7 },
      `4911${"6e006d0066006700"}0a00010200646c00073100`
    ],
    [
      "the first byte of a named code",
      { ...info, serverType: "sourcetv" },
      "49116e006d00660067000a0001020070 6c00013100"
    ],
    ["a code without a name", { ...info, serverType: 0x50 }, "49116e006d00660067000a00010200 506c00013100"],
    [
      "extra fields in the order of the protocol, for any order of the keys",
      { ...info, keywords: "k", port: 1 },
      "49116e006d00660067000a00010200646c00013100 a0 0100 6b00"
    ],
    [
      "extra bytes without a meaning",
      { ...info, edf: 0x02, trailing: "ff" },
      "49116e006d00660067000a00010200646c00013100 02 ff"
    ],
    ["flags that announce no extra fields", { ...info, edf: 0 }, "49116e006d00660067000a00010200646c00013100 00"],
    ["a truncated version, without its NUL", { ...info, truncated: true }, "49116e006d00660067000a00010200646c000131"],
    [
      "a truncated version with its NUL, because flags follow",
      { ...info, truncated: true, edf: 0 },
      "49116e006d00660067000a00010200646c0001310000"
    ],
    [
      "a truncated extra field",
      { ...info, truncated: true, edf: 0x80, trailing: "87" },
      "49116e006d00660067000a00010200646c000131008087"
    ],
    ["no challenge if none is given", { _tag: "PlayersRequest" }, "55"],
    [
      "a command in quotes",
      { _tag: "RconRequest", challenge: 5, password: "p", command: "c" },
      "72636f6e203520227022206300"
    ],
    ["a command without a challenge", { _tag: "RconRequest", password: "p", command: "c" }, "72636f6e20227022206300"],
    [
      "addresses and an end mark",
      { _tag: "MasterReply", servers: ["1.2.3.4:258"], complete: true, padding: "0000" },
      "660a0000010203040102000000000000"
    ],
    [
      "addresses without an end mark",
      { _tag: "MasterReply", servers: ["255.0.0.255:65535"], complete: false },
      "660aff0000ffffff"
    ]
  ])("contains %s", (_, message, hex) => {
    expect(encodeHex(message)).toBe(hex.replaceAll(" ", ""))
  })

  it("contains the highest possible count if the list has more entries than this count", () => {
    const player = { index: 0, name: "", score: 0, duration: 0 }
    const players = Array.from({ length: 300 }, () => player)
    expect(encodeHex({ _tag: "PlayersReply", players }).slice(0, 4)).toBe("44ff")
  })

  it("contains the value of `isModCode` as the mod flag only if this value is neither 0 nor 1", () => {
    const goldSource = { ...info, _tag: "GoldSourceInfoReply", address: "a", protocol: 47 }
    expect(encodeHex({ ...goldSource, isModCode: 5 })).toContain("6c000501")
    expect(encodeHex({ ...goldSource, isModCode: 1 })).toContain("6c000001")
    expect(encodeHex(goldSource)).toContain("6c000001")
  })

  it("contains its texts in the given encoding", () => {
    expect(encodeHex({ ...info, name: "ë" }, { encoding: "latin1" }).slice(4, 8)).toBe("eb00")
    expect(encodeHex({ ...info, name: "ë" }).slice(4, 10)).toBe("c3ab00")
    const read = InfoReply.decode(whole("I\x11\xeb\0m\0f\0g\0\x0a\0\x01\x02\0dl\0\x01"), { encoding: "latin1" })
    expect(Result.isSuccess(read) && read.success.name).toBe("ë")
  })

  it("can contain long texts", () => {
    const long = "x".repeat(5000)
    const bytes = Result.getOrThrow(encode({ ...info, name: long, map: long } as unknown as Message))
    expect(Result.getOrThrow(decode(bytes))).toMatchObject({ name: long, map: long })
  })
})
