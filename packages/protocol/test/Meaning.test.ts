import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import type { Message } from "../src/index.ts"
import { dissect, encode, fromHex } from "../src/index.ts"
import { listBits, findDeclaration, dissectFragment, explainField } from "../src/WireFormat.ts"
import { info } from "./plainInfo.ts"

/** Returns the meanings of all fields of a datagram, by path. */
const explainFields = (datagram: Uint8Array): Readonly<Record<string, string | undefined>> => {
  const { fields, result } = dissect(datagram)
  const declaration = findDeclaration(Result.getOrThrow(result)._tag)
  return Object.fromEntries(fields.map((field) => [field.path, explainField(field, datagram, declaration)]))
}

const explainMessage = (message: Message) => explainFields(Result.getOrThrow(encode(message)))

describe("the meaning of a value", () => {
  it("contains the character of a byte, the name of a code, and the names of the flags that are set", () => {
    const found = explainMessage({
      ...info,
      protocol: 48,
      serverType: "dedicated",
      environment: 0x78,
      port: 27015,
      keywords: "x"
    })
    expect(found).toMatchObject({
      header: "a whole message",
      type: "0x49 'I'",
      protocol: "GoldSource",
      serverType: "0x64 'd'",
      environment: "0x78 'x', which has no name",
      edf: "port, keywords",
      port: "the usual port of a server"
    })
    expect(found["name"]).toBeUndefined()
    expect(found["vac"]).toBeUndefined()
    expect(explainMessage({ ...info, vac: true, vacCode: 3, serverType: 0 })).toMatchObject({
      vac: "0x03; must be 0 or 1",
      serverType: "0x00, which has no name"
    })
  })

  it.each([
    [0.4, "less than a second"],
    [59.9, "59 s"],
    [3725.4, "1 h 2 min 5 s"],
    [266_400, "3 d 2 h 0 min"],
    [-1, "no time: some engines send this for bots"],
    [Number.NaN, "not a number"],
    [Number.POSITIVE_INFINITY, "without end"]
  ])("shows a duration of %d s in words", (duration, words) => {
    const player = { index: 0, name: "a", score: 1, duration }
    const found = explainMessage({ _tag: "PlayersReply", announced: 1, players: [player], truncated: false })
    expect(found["players[0].duration"]).toBe(words)
    expect(found["players[0].score"]).toBeUndefined()
  })

  it("contains the parts of a SteamID and of a game id", () => {
    expect(
      explainMessage({ ...info, steamId: "90071996842377216", gameId: "1150669704793161728", appId: 0, port: 4660 })
    ).toMatchObject({
      steamId: "anonymous game server, public universe, account 0, instance 1",
      gameId: expect.stringContaining("app"),
      port: "0x1234"
    })
    expect(explainMessage({ ...info, steamId: "76561197960287930", gameId: "16777456", appId: 240 })).toMatchObject({
      steamId: "person, public universe, account 22202, instance 1",
      gameId: "mod of app 240"
    })
  })

  it("is available for challenges, regions, the end of an address list, and the fields of a fragment", () => {
    expect(explainMessage({ _tag: "PlayersRequest", challenge: -1 })["challenge"]).toBe("none yet: requests one")
    expect(explainMessage({ _tag: "ChallengeReply", challenge: 0x22d5a14b })["challenge"]).toBe("0x22d5a14b")
    expect(explainMessage({ _tag: "MasterRequest", region: 3, seed: "0.0.0.0:0", filter: "" })["region"]).toBe("Europe")
    expect(explainMessage({ _tag: "MasterReply", servers: ["127.0.0.1:1"], complete: true })).toMatchObject({
      "servers[0]": undefined,
      end: "the end of the list"
    })
    const fragment = fromHex("feffffff07000080020001000200000003000000425a68")!
    const found = dissectFragment(fragment, "source").map((field) => [field.path, explainField(field, fragment)])
    expect(Object.fromEntries(found)).toMatchObject({
      header: "a fragment of a split reply",
      id: "0x80000007, compressed",
      crc32: "0x00000003",
      total: undefined
    })
  })
})

describe("the list of bits in a byte of flags", () => {
  it("contains all named bits, and the unnamed bits that are set", () => {
    const datagram = Result.getOrThrow(encode({ ...info, port: 1, edf: 0x80 }))
    datagram[datagram.length - 3] = 0x82
    const field = dissect(datagram).fields.find(({ path }) => path === "edf")!
    expect(
      listBits(field, findDeclaration("InfoReply")!).map(({ name, pattern, set }) => `${pattern} ${name} ${set}`)
    ).toEqual([
      "1... .... port true",
      ".0.. .... sourceTv false",
      "..0. .... keywords false",
      "...0 .... steamId false",
      ".... ..1. undefined true",
      ".... ...0 gameId false"
    ])
    expect(explainField(field, datagram, findDeclaration("InfoReply")!)).toBe("port, 0x02, which has no name")
    for (const path of ["name", "port"]) {
      expect(listBits({ ...field, path }, findDeclaration("InfoReply")!)).toEqual([])
    }
  })
})

describe("the meaning of a single field", () => {
  const meaning = (tag: Message["_tag"] | undefined, path: string, type: string, value: string | number, byte = 0) =>
    explainField({ path, type, value, offset: 0, length: 1, doc: "" }, Uint8Array.of(byte), tag && findDeclaration(tag))

  it.each<readonly [string, () => ReturnType<typeof meaning>, string | undefined]>([
    ["a text field with the name type", () => meaning("InfoReply", "type", "text", "x", 0x49), undefined],
    ["a type without a character", () => meaning("InfoReply", "type", "u8", 0x20, 0x20), "0x20"],
    ["the first type with a character", () => meaning("InfoReply", "type", "u8", 0x21, 0x21), "0x21 '!'"],
    ["the last type with a character", () => meaning("InfoReply", "type", "u8", 0x7e, 0x7e), "0x7e '~'"],
    ["the type after the last type with a character", () => meaning("InfoReply", "type", "u8", 0x7f, 0x7f), "0x7f"],
    ["the eleventh player's time", () => meaning("PlayersReply", "players[10].duration", "f32", 5), "5 s"],
    ["a time of 0 s", () => meaning("PlayersReply", "players[0].duration", "f32", 0), "less than a second"],
    ["a rule's name", () => meaning("RulesReply", "rules[0].name", "text", "x"), undefined],
    ["a path that does not exist", () => meaning("InfoReply", "name.part", "text", "x"), undefined],
    [
      "a flag that is neither 0 nor 1",
      () => meaning("GoldSourceInfoReply", "isMod", "flag", 7, 7),
      "0x07; must be 0 or 1"
    ],
    ["a code within a group", () => meaning("GoldSourceInfoReply", "mod.type", "code", "multiplayerOnly", 1), "0x01"],
    ["port 0", () => meaning("InfoReply", "port", "u16", 0), "none"],
    ["a fragment's id", () => meaning(undefined, "id", "i32", 5), "0x00000005, not compressed"],
    ["a compressed fragment's id", () => meaning(undefined, "id", "i32", 0x8000_0000), "0x80000000, compressed"],
    [
      "a SteamID with unknown type and universe",
      () => meaning("InfoReply", "steamId", "u64", String((9n << 56n) | (15n << 52n))),
      "type 15, universe 9, account 0, instance 0"
    ],
    [
      "an invalid SteamID with digits at its start",
      () => meaning("InfoReply", "steamId", "u64", "12x"),
      "invalid, no universe, account 0, instance 0"
    ],
    [
      "an invalid SteamID with digits at its end",
      () => meaning("InfoReply", "steamId", "u64", "x12"),
      "invalid, no universe, account 0, instance 0"
    ],
    [
      "a game id of an unknown type",
      () => meaning("InfoReply", "gameId", "u64", String((7n << 24n) | 5n)),
      "type 7 of app 5"
    ],
    [
      "a game id with a number",
      () => meaning("InfoReply", "gameId", "u64", String((3n << 32n) | 5n)),
      "app 5, number 3"
    ],
    ["a game id without a number", () => meaning("InfoReply", "gameId", "u64", "5"), "app 5"]
  ])("is correct for %s", (_, found, expected) => expect(found()).toBe(expected))

  it("has an empty list of bits if the field contains no flags", () => {
    const field = { path: "protocol", type: "u8", value: 17, offset: 5, length: 1, doc: "" }
    expect(listBits(field, findDeclaration("InfoReply")!)).toEqual([])
  })

  it("causes an error if the value or the declaration is invalid", () => {
    const field = { path: "x", type: "u8", value: null as never, offset: 0, length: 1, doc: "" }
    expect(() => explainField(field, new Uint8Array(1))).toThrow(
      "field.value must be a text, a number, or true or false."
    )
    expect(() => explainField({ ...field, value: 1 }, new Uint8Array(1), {} as never)).toThrow(
      "declaration must be the declaration of a message, which findDeclaration returns."
    )
  })
})
