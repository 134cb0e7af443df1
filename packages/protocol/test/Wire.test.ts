import { describe, expect, it } from "vitest"
import { declarations } from "../src/declarations/declarations.ts"
import { fromHex } from "../src/Hex.ts"
import * as MessageType from "../src/MessageType.ts"
import {
  CHALLENGE_BYTES,
  readChallenge,
  isConnectionless,
  FRAGMENT,
  isSplit,
  datagramKind,
  messageType
} from "../src/Wire.ts"

const bytes = (hex: string): Uint8Array => fromHex(hex)!

describe("the header of a datagram", () => {
  it.each([
    { hex: "ffffffff", whole: true, split: false },
    { hex: "feffffff", whole: false, split: true },
    { hex: "ffffffff49", whole: true, split: false },
    { hex: "feffffff49", whole: false, split: true },
    { hex: "ffffff", whole: false, split: false },
    { hex: "feffff", whole: false, split: false },
    { hex: "", whole: false, split: false },
    { hex: "fdffffff49", whole: false, split: false },
    { hex: "fffeffff49", whole: false, split: false },
    { hex: "fffffeff49", whole: false, split: false },
    { hex: "fffffffe49", whole: false, split: false },
    { hex: "00ffffffff49", whole: false, split: false }
  ])("is recognized in '$hex' (complete message: $whole, fragment: $split)", ({ hex, split, whole }) => {
    expect([isConnectionless(bytes(hex)), isSplit(bytes(hex))]).toEqual([whole, split])
  })
})

describe("the type of a message", () => {
  it("is the byte after the header of a complete message", () => {
    expect(messageType(bytes("ffffffff00"))).toBe(0)
    expect(messageType(bytes("ffffffff49aa"))).toBe(MessageType.S2A_INFO_SRC)
    for (const hex of ["", "ffffffff", "feffffff49", "0000000049"]) expect(messageType(bytes(hex))).toBe(-1)
  })

  it("is returned by `datagramKind`, which also recognizes fragments", () => {
    const kinds = ["ffffffff49aa", "ffffffff", "", "0000000049", "feffffff", "feffffff49"].map((hex) =>
      datagramKind(bytes(hex))
    )
    expect(kinds).toEqual([MessageType.S2A_INFO_SRC, -1, -1, -1, FRAGMENT, FRAGMENT])
  })

  it("has at most one name in `MessageType`, which is Valve's name of a message with this type", () => {
    const names = Object.entries(MessageType)
    expect(new Set(names.map(([, type]) => type)).size).toBe(names.length)
    for (const [name, type] of names) {
      expect(declarations.filter((each) => each.type === type).map(({ valve }) => valve.split(" ")[0])).toContain(name)
    }
  })
})

describe("the number of a challenge", () => {
  it.each([
    { hex: "ffffffff414ba1d522", challenge: 0x22d5a14b },
    { hex: "ffffffff41ffffffff", challenge: -1 },
    { hex: "ffffffff4100000080", challenge: -(2 ** 31) },
    { hex: "ffffffff414ba1d52200000000", challenge: 0x22d5a14b },
    { hex: "ffffffff4133494f5a", challenge: 0x5a4f4933 }
  ])("is read from $hex as $challenge", ({ challenge, hex }) => {
    expect(readChallenge(bytes(hex))).toBe(challenge)
  })

  it.each([
    { hex: "ffffffff414ba1d5", why: "the number is incomplete" },
    { hex: "ffffffff444ba1d522", why: "the type is different" },
    { hex: "feffffff414ba1d522", why: "the datagram is a fragment" },
    { hex: "ffffffff414ba1d52201", why: "a text follows the number" },
    { hex: "ffffffff414ba1d5220001", why: "a text with a NUL follows the number" },
    { hex: "ffffffff4133494f5a00000000", why: "the datagram is a handshake" }
  ])("is not read from $hex: $why", ({ hex }) => {
    expect(readChallenge(bytes(hex))).toBe(undefined)
    expect(bytes("ffffffff414ba1d522")).toHaveLength(CHALLENGE_BYTES)
  })
})
