import { describe, expect, it } from "vitest"
import { type Row, complaints, functionsOf } from "../../../tooling/testing/hostile.ts"
import * as games from "../src/index.ts"
import { info } from "./said.ts"

const rust = () => games.gameOf("rust")!
const said = () => ({
  info: info(),
  players: { players: [{ name: "a" }] },
  rules: { rules: [{ name: "a", value: "b" }] }
})

const rows: Readonly<Record<string, Row>> = {
  bohemiaRules: { call: games.bohemiaRules, good: [() => said().rules, () => "arma3", () => "auto"] },
  findGames: { call: games.findGames, good: [() => "rust"] },
  gameOf: { call: games.gameOf, good: [() => "rust"] },
  identify: { call: games.identify, good: [info] },
  queryPortsOf: { call: games.queryPortsOf, good: [rust, () => 28_015] },
  readFacts: { call: games.readFacts, good: [rust, said, () => "auto"] },
  summary: { call: games.summary, good: [() => "127.0.0.1:28015", said, rust] },
  unaskable: { call: games.unaskable, good: [() => "127.0.0.1", rust] }
}

describe("what JavaScript can hand to every function", () => {
  it("is looked at in a row for each of them", () => {
    expect(functionsOf(games).toSorted()).toEqual(Object.keys(rows).toSorted())
  })

  for (const [name, row] of Object.entries(rows)) {
    it(`${name} ends in a value or an error of ours`, async () => {
      expect(await complaints(row)).toEqual([])
    })
  }
})
