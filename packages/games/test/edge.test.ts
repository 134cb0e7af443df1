import type { RulesReply } from "@sourcewire/protocol"
import { describe, expect, it } from "vitest"
import { type Row, complaints, listFunctions } from "../../../tooling/testing/hostile.ts"
import * as games from "../src/index.ts"
import { info } from "./replies.ts"

const rust = () => games.findGame("rust")!
const replies = () => ({
  info: info(),
  players: { players: [{ name: "a" }] },
  rules: { rules: [{ name: "a", value: "b" }] }
})

const rows: Readonly<Record<string, Row>> = {
  bohemiaRules: { call: games.bohemiaRules, good: [() => replies().rules, () => "arma3", () => "auto"] },
  findGames: { call: games.findGames, good: [() => "rust"] },
  findGame: { call: games.findGame, good: [() => "rust"] },
  identify: { call: games.identify, good: [info] },
  playerNames: { call: games.playerNames, good: [() => replies().players] },
  likelyQueryPorts: { call: games.likelyQueryPorts, good: [rust, () => 28_015] },
  readFacts: { call: games.readFacts, good: [rust, replies, () => "auto"] },
  summary: { call: games.summary, good: [() => "127.0.0.1:28015", replies, rust] },
  notQueryable: { call: games.notQueryable, good: [() => "127.0.0.1", rust] }
}

describe("arguments from JavaScript", () => {
  it("are tested for every exported function", () => {
    expect(listFunctions(games).toSorted()).toEqual(Object.keys(rows).toSorted())
  })

  for (const [name, row] of Object.entries(rows)) {
    it(`${name} returns a value or one of our errors`, async () => {
      expect(await complaints(row)).toEqual([])
    })
  }
})

describe("a reply to RULES", () => {
  const rule = { name: "a", value: "b" }

  it.each<readonly [what: string, entry: object]>([
    ["a name that is no text", { ...rule, name: 1 }],
    ["a value that is no text", { ...rule, value: undefined }],
    ["bytes of a name that are no text", { ...rule, nameHex: 1 }],
    ["bytes of a value that are no text", { ...rule, valueHex: null }]
  ])("with %s is rejected, and the error names the option", (_, entry) => {
    const rules = { ...replies().rules, rules: [rule, entry] } as unknown as RulesReply
    expect(() => games.bohemiaRules(rules, "arma3")).toThrow(
      expect.objectContaining({ _tag: "InvalidOption", option: "rules" })
    )
    expect(() => games.summary("127.0.0.1:28015", { info: info(), rules })).toThrow(
      expect.objectContaining({ _tag: "InvalidOption", option: "answer" })
    )
  })
})
