/**
 * Irregular datagrams, such as lists with wrong counts, lists with extra bytes at the end, and incomplete commands. The generated decoders
 * do not support most of these datagrams. In this case, the interpreter of the layouts decodes the datagram.
 */
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { decode, dissect } from "../src/index.ts"
import { RconRequest } from "../src/Message.ts"
import { captures } from "./captures.ts"
import { cases } from "./dissections.ts"

const whole = (text: string): Uint8Array => Uint8Array.from(`\xff\xff\xff\xff${text}`, (c) => c.charCodeAt(0))
const i32 = (...numbers: ReadonlyArray<number>): string =>
  numbers.map((n) => String.fromCharCode(n & 0xff, (n >> 8) & 0xff, (n >> 16) & 0xff, (n >> 24) & 0xff)).join("")

/** Returns the message of a datagram without its tag, and the paths of all fields except the header and the message type. */
const read = (text: string) => {
  const bytes = whole(text)
  const { fields, result } = dissect(bytes)
  expect(result).toStrictEqual(decode(bytes))
  // Every byte belongs to exactly one field.
  expect(fields.reduce((at, { length, offset }) => (offset === at ? at + length : Number.NaN), 0)).toBe(bytes.length)
  const { _tag, ...message } = Result.getOrThrow(result) as { readonly _tag: string }
  return { message, paths: fields.map(({ path }) => path).filter((path) => path !== "header" && path !== "type") }
}

describe("lists of players", () => {
  const player = (name: string) => ({ index: 0, name, score: 1, duration: 1 })
  const entry = (name: string): string => `\0${name}\0${i32(1)}\0\0\x80?`
  const reply = (announced: number, ...rest: ReadonlyArray<string>) =>
    read(`D${String.fromCharCode(announced)}${rest.join("")}`)

  it("can have the deaths and the money of all players after the last entry, as on The Ship", () => {
    const { message, paths } = reply(2, entry("a"), entry("b"), i32(1, 2, 3, -4))
    expect(message).toStrictEqual({
      announced: 2,
      players: [
        { ...player("a"), deaths: 1, money: 2 },
        { ...player("b"), deaths: 3, money: -4 }
      ],
      truncated: false
    })
    expect(paths.slice(-4)).toEqual([0, 1].flatMap((i) => [`players[${i}].deaths`, `players[${i}].money`]))
    expect(paths).toHaveLength(13)
  })

  it("can have one more entry than announced, even if this entry has the same length as The Ship's fields", () => {
    const { message } = reply(2, entry("a"), entry("b"), entry("sixsix"))
    expect((message as { readonly players: ReadonlyArray<object> }).players).toHaveLength(3)
  })

  it.each([
    [0x0100_0000, -0x0100_0000, true],
    [0x0100_0001, 0, false],
    [0, -0x0100_0001, false]
  ])(
    "have deaths and money, as on The Ship, only if both values are plausible: deaths %i, money %i",
    (deaths, money, isPlausible) => {
      const { message } = reply(1, entry("a"), i32(deaths, money))
      const appended = isPlausible ? { deaths, money } : {}
      expect(message).toMatchObject({ players: [{ ...player("a"), ...appended }], truncated: false })
      expect("trailing" in message).toBe(!isPlausible)
    }
  )

  it.each<readonly [string, number, ReadonlyArray<string>, ReadonlyArray<string>, boolean, string | undefined]>([
    [
      "can lack some of the announced entries, and can have The Ship's fields",
      3,
      [entry("a"), entry("b"), i32(1, 2, 3, 4)],
      ["a", "b"],
      true,
      undefined
    ],
    ["can lack some of the announced entries", 2, [entry("a")], ["a"], true, undefined],
    [
      "can have more entries than announced",
      1,
      [entry("a"), entry("b"), entry("c")],
      ["a", "b", "c"],
      false,
      undefined
    ],
    [
      "can end with zeros, which are not decoded as entries if all announced entries precede them",
      1,
      [entry("a"), "\0".repeat(20)],
      ["a"],
      false,
      "00".repeat(20)
    ],
    ["can have entries of zeros if these entries are announced", 2, ["\0".repeat(20)], ["", ""], false, undefined],
    ["can end within the first entry if no entry is announced", 0, ["\0a\0\x01\0"], [], true, "0061000100"],
    ["can end within an entry that is not announced", 1, [entry("a"), "\0b\0\x01"], ["a"], false, "00620001"],
    [
      "can have more entries than announced, and can end within an additional entry",
      1,
      [entry("a"), entry("b"), "\0c"],
      ["a", "b"],
      true,
      "0063"
    ],
    [
      "can have more entries than announced, and zeros after these entries",
      1,
      [entry("a"), entry("b"), "\0".repeat(20)],
      ["a", "b"],
      false,
      "00".repeat(20)
    ],
    ["can be empty", 0, [], [], false, undefined],
    [
      "can consist of zeros, which are not decoded as entries if no entry is announced",
      0,
      ["\0\0\0\0"],
      [],
      false,
      "00000000"
    ]
  ])("%s", (_, announced, rest, names, truncated, trailing) => {
    const { message, paths } = reply(announced, ...rest)
    expect(message).toMatchObject({ announced, truncated })
    const { players, trailing: left } = message as {
      readonly players: ReadonlyArray<{ readonly name: string }>
      readonly trailing?: string
    }
    expect(players.map(({ name }) => name)).toEqual(names)
    expect(left).toBe(trailing)
    expect(paths.filter((path) => path.endsWith(".name"))).toEqual(names.map((_, i) => `players[${i}].name`))
  })
})

describe("a page of a master", () => {
  it.each([
    [
      "has padding if it has two extra bytes and begins with two zeros",
      "\0\0\x01\x02\x03\x04\x05\x06",
      "1.2.3.4:1286",
      "padding"
    ],
    ["has no padding if its first address begins with zeros", "\0\0\x03\x04\x05\x06", "0.0.3.4:1286", undefined],
    [
      "has trailing bytes if the extra bytes are at the end",
      "\x01\x02\x03\x04\x05\x06\0\0",
      "1.2.3.4:1286",
      "trailing"
    ],
    ["has no padding if only the first byte is zero", "\0\x02\x03\x04\x05\x06\0\0", "0.2.3.4:1286", "trailing"],
    ["has no padding if only the second byte is zero", "\x02\0\x03\x04\x05\x06\0\0", "2.0.3.4:1286", "trailing"]
  ])("%s", (_, bytes, server, extra) => {
    const { message } = read(`f\n${bytes}`)
    expect(message).toStrictEqual({
      servers: [server],
      complete: false,
      ...(extra === undefined ? {} : { [extra]: "0000" })
    })
  })
})

describe("commands", () => {
  it.each<readonly [string, string, object, ReadonlyArray<string>]>([
    [
      "rcon without a challenge, but with a number in the command",
      "rcon secret 5 status",
      { password: "secret", command: "5 status" },
      ["verb", "password", "command"]
    ],
    [
      "rcon without a command",
      "rcon 1 pw",
      { challenge: 1, password: "pw", command: "" },
      ["verb", "challenge", "password", "command"]
    ],
    [
      "rcon with a password that is not UTF-8",
      'rcon 1 "p\xffw" status',
      { challenge: 1, password: "pÿw", command: "status", passwordHex: "70ff77" },
      ["verb", "challenge", "password", "command"]
    ],
    ["challenge rcon", "challenge rcon", {}, ["command"]],
    ["challenge rcon and a newline", "challenge rcon\n", {}, ["command", "end"]],
    ["challenge rcon and a NUL", "challenge rcon\0", {}, ["command", "end"]],
    ["challenge rcon, a newline and a NUL", "challenge rcon\n\0", {}, ["command", "end"]]
  ])("are decoded: %s", (_, text, message, paths) => {
    expect(read(text)).toStrictEqual({ message, paths })
  })

  it.each([
    ["Source Engine QueryX", 24],
    ["Source Engine QuerX\0", 23],
    ["Source Engine Quer", 23]
  ])("a request for INFO with the text %j cannot be decoded", (text, offset) => {
    expect(decode(whole(`T${text}`))).toMatchObject({ failure: { _tag: "Malformed", field: "payload", offset } })
  })

  it("the word rcon is decoded as an RCON request only if a blank follows the word", () =>
    expect(RconRequest.decode(whole("rcon"))).toMatchObject({ failure: { field: "verb", offset: 8 } }))

  it("the NUL after the text of an INFO request can be missing", () =>
    expect(read("TSource Engine Query").paths).toEqual(["payload"]))
})

describe("a reply to INFO", () => {
  const reply = (rest: string) => read(`I\x11n\0m\0f\0g\0\xda\x01\x01\x02\0dl\0\x01v\0${rest}`)
  const port = "\x87\x69"

  it.each<readonly [string, string, object]>([
    ["one flag", `\x80${port}`, { edf: 0x80, port: 27_015 }],
    ["two flags", `\x81${port}${i32(5, 0)}`, { edf: 0x81, port: 27_015, gameId: "5" }],
    ["a flag without a known field", `\x02x`, { edf: 2, trailing: "78" }]
  ])("has the fields that its flags announce: %s", (_, rest, expected) => {
    const { message, paths } = reply(rest)
    expect(message).toMatchObject(expected)
    expect(paths.slice(paths.indexOf("edf"))).toEqual([
      "edf",
      ...Object.keys(expected).filter((name) => name !== "edf")
    ])
  })

  it("has no properties for fields that are missing in the datagram", () => {
    expect(Object.keys(reply("").message)).not.toContain("truncated")
    expect(Object.values(reply(`\x80${port}`).message)).not.toContain(undefined)
  })

  it.each<readonly [string, string, string, object, number]>([
    [
      "HLTV's fields if exactly their bytes are left",
      "p",
      `\x01${i32(5, 9)}`,
      { hltv: { spectators: 5, slots: 9 } },
      0
    ],
    ["bots if HLTV's fields are missing", "p", "\x01\x07", { bots: 7 }, 0],
    ["bots if the server is not HLTV", "d", `\x01\x07${i32(5, 9).slice(1)}`, { bots: 7 }, 7],
    ["neither HLTV's fields nor bots if no bytes are left", "p", "\x01", {}, 0]
  ])("in GoldSource's dialect, ends with %s", (_, type, rest, expected, left) => {
    const { message } = read(`m127.0.0.1:27015\0n\0m\0f\0g\0\x01\x02\x2f${type}l\0\0${rest}`)
    const { bots, hltv, trailing = "" } = message as { bots?: number; hltv?: object; trailing?: string }
    expect({ ...(bots === undefined ? {} : { bots }), ...(hltv === undefined ? {} : { hltv }) }).toEqual(expected)
    expect(trailing).toHaveLength(2 * left)
  })

  it("has no `nameHex` if encoding the decoded name returns the original bytes", () => {
    const { message } = read(`I\x11Zo\xc3\xab\0m\0f\0g\0\xda\x01\x01\x02\0dl\0\x01v\0`)
    expect(message).toMatchObject({ name: "Zoë" })
    expect(Object.keys(message)).not.toContain("nameHex")
  })

  it("in GoldSource's dialect, has `isModCode` only if the mod flag is neither 0 nor 1", () => {
    const { message } = read("m127.0.0.1:27015\0n\0m\0f\0g\0\x01\x02\x2fdl\0\0\x01\0")
    expect(Object.keys(message)).not.toContain("isModCode")
    expect(read("m127.0.0.1:27015\0n\0m\0f\0g\0\x01\x02\x2fdl\0\x07\x01\0").message).toMatchObject({ isModCode: 7 })
  })
})

it("`decode` and `dissect` return the same result for datagrams that are truncated or have extra bytes at the end", () => {
  const datagrams = [...cases.map(({ bytes }) => bytes), ...captures.slice(0, 20).flatMap(({ packets }) => packets)]
  for (const bytes of datagrams) {
    for (let length = Math.max(5, bytes.length - 40); length <= bytes.length; length++) {
      const cut = bytes.subarray(0, length)
      expect(dissect(cut).result).toStrictEqual(decode(cut))
    }
    for (const more of [[0], [1], [0, 0, 0, 0, 0, 0, 0, 0], [1, 2, 3, 4, 5, 6, 7, 8]]) {
      const longer = Uint8Array.of(...bytes, ...more)
      expect(dissect(longer).result).toStrictEqual(decode(longer))
    }
  }
})
