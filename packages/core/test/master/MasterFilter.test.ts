import { describe, expect, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as MasterFilter from "../../src/master/MasterFilter.ts"
import { seededRandom } from "../../src/testing/Testing.ts"

const format = (filter: MasterFilter.MasterFilter): string => Result.getOrThrow(MasterFilter.format(filter))
const parse = (text: string): MasterFilter.MasterFilter => Result.getOrThrow(MasterFilter.parse(text))

const LINUX: MasterFilter.Term = { key: "linux", value: "1" }
const map = (value: string): MasterFilter.Term => ({ key: "map", value })
const nor = (...terms: ReadonlyArray<MasterFilter.Term>): MasterFilter.Term => ({ operator: "nor", terms })

describe("MasterFilter", () => {
  it.each<readonly [filter: MasterFilter.Conditions, text: string]>([
    [{}, ""],
    [{ gamedir: "cstrike", secure: true }, "\\gamedir\\cstrike\\secure\\1"],
    [{ map: "de_dust2", dedicated: true }, "\\map\\de_dust2\\dedicated\\1"],
    [{ appId: 440, notAppId: 570 }, "\\appid\\440\\napp\\570"],
    [{ withoutPassword: true, notEmpty: true, notFull: true }, "\\password\\0\\empty\\1\\full\\1"],
    [{ noPlayers: true, proxy: true, whitelisted: true }, "\\noplayers\\1\\proxy\\1\\white\\1"],
    [{ linux: true, secure: false, map: undefined, oncePerAddress: true }, "\\linux\\1\\collapse_addr_hash\\1"],
    [{ tags: ["alltalk", "increased_maxplayers"] }, "\\gametype\\alltalk,increased_maxplayers"],
    [{ hiddenTags: ["a"], anyHiddenTag: ["b", "c"] }, "\\gamedata\\a\\gamedataor\\b,c"],
    [{ name: "*duel*", version: "1.1*" }, "\\name_match\\*duel*\\version_match\\1.1*"],
    [{ gameAddress: "192.0.2.1" }, "\\gameaddr\\192.0.2.1"],
    [{ other: { clver: "0.21", n: 2 } }, "\\clver\\0.21\\n\\2"],
    [{ none: { map: "de_dust", appId: 10 }, linux: true }, "\\nor\\2\\map\\de_dust\\appid\\10\\linux\\1"],
    [{ none: [{ map: "a" }, { map: "b" }] }, "\\nor\\2\\map\\a\\map\\b"],
    [
      { notAll: { secure: true, none: { linux: true } }, dedicated: true },
      "\\nand\\2\\secure\\1\\nor\\1\\linux\\1\\dedicated\\1"
    ]
  ])("writes and reads %j", (filter, text) => {
    const terms = Result.getOrThrow(MasterFilter.toTerms(filter))
    expect(format(terms)).toBe(text)
    expect(parse(text)).toEqual(terms)
  })

  it.each([
    ["filter.map", { map: 1 }],
    ["filter.appId", { none: { appId: "440" } }],
    ["filter.tags", { tags: "alltalk" }],
    ["filter.linux", { linux: 1 }],
    ["filter.other", { other: "clver" }],
    ["filter.gamdir", { gamdir: "cstrike" }],
    ["filter", { none: [7] }],
    ["filter", null]
  ])("names the invalid condition %s in the error for %j", (option, filter) => {
    expect(MasterFilter.toTerms(filter as never)).toMatchObject({ failure: { _tag: "InvalidOption", option } })
  })

  it.each([
    ["a closing backslash", "\\gamedir\\cstrike\\", "\\gamedir\\cstrike"],
    ["keys in upper case", "\\GameDir\\cstrike", "\\gamedir\\cstrike"],
    ["only spaces", "  ", ""]
  ])("reads %s", (_, text, again) => {
    expect(format(parse(text))).toBe(again)
  })

  it.each([
    ["a text without a backslash", "gamedir"],
    ["a key without a value", "\\gamedir\\a\\map"],
    ["a group whose size is not a number", "\\nor\\x\\map\\a"],
    ["a group of size 0", "\\nor\\0\\map\\a"],
    ["a group with too few terms", "\\nor\\2\\map\\a"],
    ["groups that are nested too deeply", "\\nor\\1".repeat(20) + "\\map\\a"],
    ["an empty key", "\\\\a"],
    ["too many terms", "\\a\\b".repeat(200)],
    ["too much text", `\\map\\${"a".repeat(2000)}`]
  ])("rejects %s", (_, text) => {
    expect(MasterFilter.parse(text)).toMatchObject({ failure: { _tag: "InvalidFilter" } })
  })

  const groups = (depth: number): MasterFilter.Term => (depth === 0 ? LINUX : nor(groups(depth - 1)))

  it.each([
    ["a backslash in a value", [map("a\\secure\\1")]],
    ["a NUL in a value", [map("a\0")]],
    ["a group's name as key", [{ key: "nor", value: "2" }]],
    ["an empty group", [nor()]],
    ["groups that are nested too deeply", [groups(12)]],
    ["too many terms", Array.from({ length: 200 }, () => LINUX)],
    ["too much text", [map("a".repeat(2000))]]
  ])("rejects a filter that cannot be written: %s", (_, filter) => {
    expect(MasterFilter.format(filter)).toMatchObject({ failure: { _tag: "InvalidFilter" } })
  })

  it("writes random filters with nested groups as text, and reads the same filters from this text", () => {
    const random = seededRandom(7)
    const term = (depth: number): MasterFilter.Term => {
      const kind = random()
      const some = () => Array.from({ length: 1 + Math.floor(random() * 3) }, () => term(depth + 1))
      if (depth < 4 && kind < 0.2) return nor(...some())
      if (depth < 4 && kind < 0.4) return { operator: "nand", terms: some() }
      return { key: `k${Math.floor(random() * 9)}`, value: Math.floor(random() * 1000).toString(36) }
    }
    for (let i = 0; i < 200; i++) {
      const filter = [term(0), term(0)]
      const written = MasterFilter.format(filter)
      if (Result.isSuccess(written)) expect(parse(written.success)).toEqual(filter)
    }
  })

  it("never throws on random text", () => {
    const random = seededRandom(8)
    const alphabet = "\\nor1a2and\0 é"
    for (let i = 0; i < 2000; i++) {
      const text = Array.from(
        { length: Math.floor(random() * 40) },
        () => alphabet[Math.floor(random() * alphabet.length)]
      ).join("")
      const parsed = MasterFilter.parse(`\\${text}`)
      if (Result.isSuccess(parsed)) MasterFilter.format(parsed.success)
    }
  })
})
