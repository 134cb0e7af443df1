import { type RulesReply, toHex } from "@sourcewire/protocol"
import { seededRandom } from "@sourcewire/core/testing"
import { describe, expect, it } from "vitest"
import { bohemiaRules, findGame, readFacts } from "../src/index.ts"
import { mutated } from "./mutated.ts"
import { info } from "./replies.ts"

const text = (value: string): ReadonlyArray<number> => {
  const bytes = [...new TextEncoder().encode(value)]
  return [bytes.length, ...bytes]
}

/** A block of Arma 3 with three DLCs, a difficulty, three mods and a key. The block contains every byte that must be escaped. */
const ARMA = [
  [3, 0, 0b1000_0001, 0b1000_0000],
  [0b1101_0010, 1],
  [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
  [3],
  [0, 1, 0xff, 0x10, 4, 0xff, 0, 1, 0x80, ...text("Ein Mod ★")],
  [1, 0, 0, 0, 0x13, 0x2c, 0xe7, 0x0f, ...text("")],
  [9, 9, 9, 9, 1, 0, ...text("@local")],
  [1, ...text("a3")]
].flat()

const escaped = (bytes: ReadonlyArray<number>): ReadonlyArray<number> =>
  bytes.flatMap((byte) => (byte === 1 ? [1, 1] : byte === 0 ? [1, 2] : byte === 0xff ? [1, 3] : [byte]))

/**
 * Divides an escaped block into chunks, and returns a RULES reply with one rule per chunk. The decoder returns the same fields if the text
 * encoding is `auto`.
 */
const makeReply = (escapedBytes: ReadonlyArray<number>, size = 124): RulesReply => {
  const total = Math.max(1, Math.ceil(escapedBytes.length / size))
  const rules = Array.from({ length: total }, (_, i) => {
    const valueHex = toHex(Uint8Array.from(escapedBytes.slice(i * size, (i + 1) * size)))
    return { name: String.fromCharCode(i + 1, total), value: "", valueHex }
  })
  return { _tag: "RulesReply", announced: total, truncated: false, rules }
}

describe("the rules of Arma 3 and DayZ", () => {
  it("are decoded from a block of escaped bytes that is divided into chunks of any size", () => {
    for (const size of [124, 7, 10]) {
      expect(bohemiaRules(makeReply(escaped(ARMA), size), "arma3")).toEqual({
        bohemia: {
          version: 3,
          overflow: 0,
          dlcs: [
            { name: "Karts", hash: "04030201" },
            { name: "Malden", hash: "08070605" },
            { name: "DLC of bit 15", hash: "0c0b0a09" }
          ],
          difficulty: { level: 2, ai: 2, thirdPerson: true, crosshair: true },
          mods: [
            { name: "Ein Mod ★", id: "2147549439", hash: "10ff0100" },
            { id: "1042220", hash: "00000001", dlc: true },
            { name: "@local", hash: "09090909" }
          ],
          signatures: ["a3"]
        }
      })
    }
  })

  it("contain no difficulty if the game is DayZ, and a rule that follows the chunks is ignored", () => {
    const block = [2, 8, 0, 0, 1, 1, 2, 3, 4, 4, 5, 0, 0, 0, ...text("M"), 0, 0xab]
    const reply = makeReply(escaped(block))
    const rules = [...reply.rules, { name: "island", value: "x" }]
    expect(bohemiaRules({ ...reply, rules }, "dayz")).toEqual({
      bohemia: {
        version: 2,
        overflow: 8,
        dlcs: [],
        mods: [{ name: "M", id: "5", hash: "04030201" }],
        signatures: [],
        trailing: "ab"
      }
    })
  })

  it("are decoded even if the chunks are in reverse order and the reply contains an ordinary rule whose name looks like a chunk's name", () => {
    const mods = Array.from({ length: 200 }, (_, i) => [1, 2, 3, 4, 1, 9, ...text(`A mod of number ${i}`)]).flat()
    const { rules, ...reply } = makeReply(escaped([2, 0, 0, 0, 200, ...mods, 0]))
    expect(rules.length).toBeGreaterThan(40)
    const result = bohemiaRules(
      { ...reply, rules: [{ name: "!~", value: "a setting" }, ...rules.toReversed()] },
      "dayz"
    )
    expect(result.bohemia?.mods).toHaveLength(200)
  })

  it.each([
    [0b0000_0000_1000_0010, { thirdPerson: true, crosshair: false }],
    [0b0000_0000_0100_0010, { thirdPerson: false, crosshair: false }],
    [0b0000_0001_1100_0010, { thirdPerson: true, crosshair: true }],
    [0b0000_0001_0000_0010, { thirdPerson: false, crosshair: true }],
    // The decoder ignores bits 9 to 15.
    [0b1111_1110_0000_0010, { thirdPerson: false, crosshair: false }]
  ])(
    "contain `thirdPerson` and `crosshair`, which are decoded from bits 7 and 8 of the difficulty (the lowest bit is bit 0): %i",
    (bits, expected) => {
      const reply = makeReply(escaped([2, 0, 0, 0, bits & 255, bits >> 8, 0, 0]))
      expect(bohemiaRules(reply, "arma3").bohemia?.difficulty).toEqual({ level: 2, ai: 0, ...expected })
    }
  )

  it("are absent if the server sends no chunks", () => {
    const reply: RulesReply = { _tag: "RulesReply", announced: 1, truncated: false, rules: [{ name: "a", value: "b" }] }
    expect(bohemiaRules(reply, "dayz")).toEqual({})
  })

  it("are decoded with the given text encoding", () => {
    const bytes = escaped([2, 0, 0, 0, 0, 1, 1, 0xe9])
    const value = String.fromCharCode(...bytes)
    const reply: RulesReply = {
      _tag: "RulesReply",
      announced: 1,
      truncated: false,
      rules: [{ name: "\x01\x01", value }]
    }
    expect(bohemiaRules(reply, "dayz", "latin1").bohemia?.signatures).toEqual(["é"])
  })

  it.each([
    ["an unknown version", escaped([1, 0, 0, 0]), "version"],
    ["an invalid escape", [3, 1, 9], "rules"],
    ["an escape at the end", [3, 1], "rules"],
    ["no bytes at all", [], "version"]
  ])("cause an error if they contain %s", (_, bytes, field) => {
    expect(bohemiaRules(makeReply(bytes), "arma3")).toMatchObject({
      malformed: { _tag: "Malformed", messageTag: "RulesReply", field }
    })
  })

  it("cause an error that contains their version number if this version is unknown", () => {
    expect(bohemiaRules(makeReply(escaped([4, 0, 0, 0])), "arma3").malformed?.message).toContain("version 4")
  })

  it.each([
    ["no difficulty if its level is 0", [2, 0, 0, 0, 0, 1, 0, 0], undefined],
    [
      "a difficulty if its level is 1",
      [2, 0, 0, 0, 1, 0, 0, 0],
      { level: 1, ai: 0, thirdPerson: false, crosshair: false }
    ]
  ])("contain %s", (_, block, difficulty) => {
    expect(bohemiaRules(makeReply(escaped(block)), "arma3").bohemia?.difficulty).toEqual(difficulty)
  })

  it("are returned in `bohemia` and in `values`, and are not listed as unread", () => {
    const reply = makeReply(escaped(ARMA), 20)
    const other = { name: "other", value: "x" }
    const read = readFacts(findGame("arma3"), { info: info(), rules: { ...reply, rules: [...reply.rules, other] } })
    expect(read.bohemia).toMatchObject({ version: 3 })
    expect(read.values).toMatchObject({ signatures: ["a3"], thirdPerson: true, crosshair: true })
    expect(read.unreadRules).toEqual([other])
    expect(read).not.toHaveProperty("malformed")
  })

  it("are returned as facts with a label and a text", () => {
    const { facts } = readFacts(findGame("arma3"), { info: info(), rules: makeReply(escaped(ARMA)) })
    expect(facts.every(({ from, raw }) => from === "rules" && raw === "chunks")).toBe(true)
    expect(facts.map(({ label, name, text }) => [name, label, text])).toEqual([
      ["mods", "Mods", "Ein Mod ★, Workshop 1042220, @local"],
      ["dlcs", "Required DLCs", "Karts, Malden, DLC of bit 15"],
      ["signatures", "Accepted keys", "a3"],
      ["thirdPerson", "Third person", "yes"],
      ["crosshair", "Crosshair", "yes"]
    ])
  })

  it("contain no fact about the difficulty if the game is DayZ", () => {
    const rules = makeReply(escaped([2, 0, 0, 0, 0, 0]))
    const { facts } = readFacts(findGame("dayz"), { info: info(), rules })
    expect(facts.map(({ name, text }) => [name, text])).toEqual([
      ["mods", "none"],
      ["dlcs", "none"],
      ["signatures", "none"]
    ])
  })

  it("are listed as unread rules if they are malformed, and the error is returned", () => {
    const reply = makeReply(escaped([4, 0, 0, 0]))
    const read = readFacts(findGame("arma3"), { info: info(), rules: reply })
    expect(read).toMatchObject({ facts: [], malformed: { field: "version" }, unreadRules: reply.rules })
    expect(readFacts(findGame("arma3"), { info: info() }).unreadRules).toEqual([])
  })

  it("cause an error that names a missing chunk", () => {
    const reply = makeReply(escaped(ARMA), 20)
    const result = bohemiaRules({ ...reply, rules: reply.rules.toSpliced(1, 1) }, "arma3")
    expect(result).toMatchObject({
      malformed: { field: "chunks[1]", message: `Chunk 2 of ${reply.rules.length} is missing.` }
    })
  })

  it("cause an error that names the field if they are truncated within a field", () => {
    const ended = (length: number) => bohemiaRules(makeReply(escaped(ARMA.slice(0, length))), "arma3").malformed
    expect(ended(1)).toMatchObject({
      message: "The rules end within overflow.",
      field: "overflow",
      offset: 1,
      hex: "03"
    })
    expect(ended(3)).toMatchObject({ message: "The rules end within dlcs.", field: "dlcs", offset: 2 })
    expect(ended(20)).toMatchObject({ message: "The rules end within mods[0].hash.", offset: 19 })
    expect(ended(ARMA.length - 1)).toMatchObject({ message: "The rules end within signatures[0]." })
  })

  it("cause the error `Malformed`, no matter at which byte they are truncated", () => {
    for (let length = 0; length < ARMA.length; length++) {
      const result = bohemiaRules(makeReply(escaped(ARMA.slice(0, length))), "arma3")
      expect(result).toMatchObject({ malformed: { _tag: "Malformed", offset: expect.any(Number) } })
    }
  })

  it("never cause an exception, even if random bytes are changed", () => {
    const random = seededRandom(20_261_122)
    const block = escaped(ARMA)
    let whole = 0
    const RUNS = 20_000
    for (let i = 0; i < RUNS; i++) {
      const result = bohemiaRules(makeReply(mutated(block, random)), i % 2 === 0 ? "arma3" : "dayz")
      if (result.malformed === undefined) whole++
      else if (result.malformed.field === "") throw new Error(`run ${i}: ${result.malformed.message}`)
    }
    expect(whole).toBeGreaterThan(0)
    expect(whole).toBeLessThan(RUNS)
  })
})
