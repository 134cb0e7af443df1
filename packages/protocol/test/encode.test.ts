/** Tests the bytes of encoded messages, field by field, and the errors for values that cannot be encoded. */
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { decode, encode, type EncodeError, type Message } from "../src/index.ts"
import { info } from "./plainInfo.ts"

const write = (message: object) => encode(message as Message)
const encodeBytes = (message: object): string => String.fromCharCode(...Result.getOrThrow(write(message)))
const encodeFailure = (message: object): EncodeError => Result.getOrThrow(Result.flip(write(message)))
const HEAD = "\xff\xff\xff\xff"

const legacy = {
  _tag: "GoldSourceInfoReply",
  address: "127.0.0.1:27015",
  name: "n",
  map: "m",
  folder: "f",
  game: "g",
  players: 1,
  maxPlayers: 2,
  protocol: 48,
  serverType: "dedicated",
  environment: "linux",
  passwordProtected: false,
  vac: true
}
const handshake = {
  _tag: "HandshakeChallenge",
  serverChallenge: 1,
  clientChallenge: 2,
  authProtocol: 3,
  steamId: "258",
  vac: true,
  rest: ""
}

describe("an encoded message", () => {
  it.each<readonly [string, object, string]>([
    [
      "a password that begins with a digit",
      { _tag: "RconRequest", challenge: 1, password: "123", command: "" },
      `${HEAD}rcon 1 "123" \0`
    ],
    [
      "a number before the end of the line",
      { _tag: "RconChallengeReply", challenge: 123 },
      `${HEAD}challenge rcon 123\n\0`
    ],
    [
      "a number and a text that contains digits but does not begin with a digit",
      { _tag: "SecretLogLine", secret: 5, line: "L 11/22" },
      `${HEAD}S5L 11/22\0`
    ],
    [
      "no header if the protocol has none",
      { _tag: "MasterRequest", region: 255, seed: "0.0.0.0:0", filter: "" },
      "1\xff0.0.0.0:0\0\0"
    ],
    [
      "addresses and ports with numbers of any length",
      { _tag: "MasterReply", servers: ["10.200.130.255:65535"], complete: false },
      `${HEAD}f\n\x0a\xc8\x82\xff\xff\xff`
    ],
    [
      "as many bytes as the size field states",
      { ...handshake, encryptionKeySize: 2, encryptionKey: "0102", rest: "03" },
      `${HEAD}A3IOZ\x01\0\0\0\x02\0\0\0\x03\0\0\0\x02\0\x01\x02\x02\x01\0\0\0\0\0\0\x01\x03`
    ],
    [
      "a flag that is neither 0 nor 1",
      { ...legacy, vac: true, vacCode: 2 },
      `${HEAD}m127.0.0.1:27015\0n\0m\0f\0g\0\x01\x02\x30dl\0\0\x02`
    ],
    [
      "HLTV's fields",
      { ...legacy, serverType: "sourcetv", hltv: { spectators: 258, slots: 3 } },
      `${HEAD}m127.0.0.1:27015\0n\0m\0f\0g\0\x01\x02\x30pl\0\0\x01\x02\x01\0\0\x03\0\0\0`
    ],
    [
      "no HLTV fields if none are given",
      { ...legacy, serverType: "sourcetv" },
      `${HEAD}m127.0.0.1:27015\0n\0m\0f\0g\0\x01\x02\x30pl\0\0\x01`
    ],
    [
      "a truncated version with its NUL, because other bytes follow",
      { ...info, version: "1", truncated: true, trailing: "7879" },
      `${encodeBytes({ ...info, version: "1" })}xy`
    ]
  ])("contains %s", (_, message, expected) => expect(encodeBytes(message)).toBe(expected))

  it("is decoded to the same message, even if the texts of the message are long", () => {
    for (let length = 200; length < 300; length++) {
      const message = {
        _tag: "RconRequest",
        challenge: 1,
        password: "p".repeat(length),
        command: "c".repeat(length - 190)
      }
      expect(decode(Result.getOrThrow(write(message)))).toMatchObject({ success: message })
    }
  })
})

describe("an invalid message", () => {
  it.each<readonly [string, object, string, string | RegExp]>([
    [
      "a text that would be decoded as part of a number",
      { _tag: "SecretLogLine", secret: 5, line: "1 L" },
      "line",
      /cannot begin with a digit/
    ],
    [
      "fewer bytes than the size field states",
      { ...handshake, encryptionKeySize: 3, encryptionKey: "0102" },
      "encryptionKey",
      "has 2 bytes, but encryptionKeySize is 3"
    ],
    [
      "a number instead of a player",
      { _tag: "PlayersReply", players: [5], truncated: false },
      "players[0]",
      "must be an object"
    ],
    [
      "null instead of a player",
      { _tag: "PlayersReply", players: [null], truncated: false },
      "players[0]",
      "must be an object"
    ],
    [
      "deaths without money",
      { _tag: "PlayersReply", players: [{ index: 0, name: "", score: 0, duration: 0, deaths: 1 }], truncated: false },
      "players[0].money",
      "is missing"
    ],
    ["servers that are not a list", { _tag: "MasterReply", servers: 5, complete: true }, "servers", "must be an array"],
    [
      "HLTV's fields for a server that is not HLTV",
      { ...legacy, hltv: { spectators: 1, slots: 2 } },
      "hltv",
      "is only allowed if serverType is sourcetv"
    ],
    ["a redundant code of a flag", { ...legacy, vac: true, vacCode: 1 }, "vacCode", /neither 0 nor 1/]
  ])("causes an error that names the field: %s", (_, message, field, reason) => {
    const failure = encodeFailure(message)
    expect(failure.field).toBe(field)
    expect(failure.message).toMatch(reason)
    if (typeof reason === "string") expect(failure.message.endsWith(`${field} ${reason}`)).toBe(true)
  })
})

describe("app id and game id", () => {
  const withIds = (appId: unknown, gameId: unknown) => ({ ...info, appId, gameId })

  it.each([
    [730, "730", { appId: 730 }],
    [0x10_0000 + 730, String(0x10_0000 + 730), { appId: 0x10_0000 + 730 }],
    [730, "0", { appId: 730, gameId: "0" }],
    // The app id is the low 24 bits of the game id. A double cannot represent this game id exactly.
    [0xab_cdef, String(2n ** 63n + 0xab_cdefn), { appId: 0xab_cdef }],
    [0xff_ffff, "999999995805695", { appId: 0xff_ffff & Number(999_999_995_805_695n & 0xff_ffffn) }]
  ])("are decoded to the values that were sent: %i and %s", (appId, gameId, expected) => {
    const given = "appId" in expected ? expected.appId : appId
    const read = Result.getOrThrow(decode(Result.getOrThrow(write(withIds(given, gameId)))))
    expect(read).toMatchObject({ gameId, ...expected })
    expect(Object.keys(read)).not.toContain("appId16")
  })

  it("can be in a message whose 16-bit app id differs from the app id; the 16-bit app id is decoded as `appId16`", () => {
    const bytes = Result.getOrThrow(write({ ...withIds(730, "730"), appId16: 5 }))
    expect(decode(bytes)).toMatchObject({ success: { appId: 730, appId16: 5 } })
  })

  it.each([
    [730, "440", "appId", /low 24 bits of gameId are 440/],
    [730, "x", "gameId", /decimal/],
    [730, 730, "gameId", /decimal/],
    ["730", "730", "appId", /whole number/]
  ])("are rejected if they are %j and %j", (appId, gameId, field, reason) => {
    const failure = encodeFailure(withIds(appId, gameId))
    expect(failure.field).toBe(field)
    expect(failure.message).toMatch(reason)
  })
})
