import type { InfoReply, PlayersReply, RulesReply } from "@sourcewire/protocol"
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
    it(`with any arguments, ${name} returns a value or one of our errors`, async () => {
      expect(await complaints(row)).toEqual([])
    })
  }
})

describe("a reply to INFO", () => {
  const goldSource = { ...info(), _tag: "GoldSourceInfoReply" }

  it.each<readonly [what: string, reply: unknown]>([
    ["a name that is not a text", { ...info(), name: 1 }],
    ["a map that is not a text", { ...info(), map: undefined }],
    ["a folder that is not a text", { ...info(), folder: null }],
    ["a game that is not a text", { ...info(), game: 1 }],
    ["a protocol that is not a number", { ...info(), protocol: "17" }],
    ["a player count that is not a number", { ...info(), players: Number.NaN }],
    ["a player limit that is not a number", { ...info(), maxPlayers: Number.POSITIVE_INFINITY }],
    ["a bot count that is not a number", { ...info(), bots: "2" }],
    ["a version that is not a text", { ...info(), version: 1 }],
    ["an app id that is not a number", { ...info(), appId: "240" }],
    ["keywords that are not a text", { ...info(), keywords: ["a"] }],
    ["a port that is not a number", { ...info(), port: "27015" }],
    ["a bot count in GoldSource's dialect that is not a number", { ...goldSource, bots: null }]
  ])("is rejected because of %s, and the error names the argument", (_, reply) => {
    expect(() => games.identify(reply as InfoReply)).toThrow(
      expect.objectContaining({ option: "info", message: "info must be a reply to INFO, not an object." })
    )
    expect(() => games.summary("127.0.0.1:28015", { info: reply as InfoReply })).toThrow(
      expect.objectContaining({
        option: "answer",
        message: "answer must be an object with info, and optionally players and rules, not an object."
      })
    )
  })

  it("is accepted without a bot count, and in GoldSource's dialect also without an app id and a version", () => {
    const { bots: _, ...rest } = info()
    expect(games.identify(rest as InfoReply)?.id).toBe("css")
    const { appId: __, version: ___, ...gold } = goldSource
    expect(games.identify(gold as unknown as InfoReply)?.id).toBe("counterstrike16")
  })
})

describe("a list of players", () => {
  it.each<readonly [what: string, reply: unknown]>([
    ["players that are not an array", { players: {} }],
    ["a name that is not a text", { players: [{ name: "a" }, { name: 1 }] }]
  ])("is rejected because of %s, and the error names the argument", (_, reply) => {
    const players = reply as PlayersReply
    expect(() => games.playerNames(players)).toThrow(
      expect.objectContaining({ option: "players", message: "players must be a reply to PLAYER, not an object." })
    )
    expect(() => games.readFacts(rust(), { info: info(), players })).toThrow(
      expect.objectContaining({ option: "answer" })
    )
  })
})

describe("an id, a text and a host", () => {
  it("must be strings", () => {
    const number = 1 as unknown as string
    expect(() => games.findGame(number)).toThrow("id must be a text, not 1.")
    expect(() => games.findGames(number)).toThrow("text must be a text, not 1.")
    expect(() => games.notQueryable(number)).toThrow("host must be a text, not 1.")
  })
})

describe("a port", () => {
  it.each([0, -1, 0.5, 65_536, Number.NaN])("is rejected if it is %d", (port) => {
    expect(() => games.likelyQueryPorts(rust(), port)).toThrow(`port must be a port, not ${port}.`)
  })
})

describe("a reply to RULES", () => {
  const rule = { name: "a", value: "b" }

  it.each<readonly [what: string, entry: object]>([
    ["a name that is not a text", { ...rule, name: 1 }],
    ["a value that is not a text", { ...rule, value: undefined }],
    ["a `nameHex` that is not a text", { ...rule, nameHex: 1 }],
    ["a `valueHex` that is not a text", { ...rule, valueHex: null }]
  ])("is rejected because of %s, and the error names the option", (_, entry) => {
    const rules = { ...replies().rules, rules: [rule, entry] } as unknown as RulesReply
    expect(() => games.bohemiaRules(rules, "arma3")).toThrow(
      expect.objectContaining({ _tag: "InvalidOption", option: "rules" })
    )
    expect(() => games.summary("127.0.0.1:28015", { info: info(), rules })).toThrow(
      expect.objectContaining({ _tag: "InvalidOption", option: "answer" })
    )
  })
})
