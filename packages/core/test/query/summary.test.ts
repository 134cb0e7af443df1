import type { InfoReply, Player } from "@sourcewire/protocol"
import { describe, expect, it } from "vitest"
import { rulesRecord, summary } from "../../src/query/summary.ts"

const info: InfoReply = {
  _tag: "InfoReply",
  protocol: 17,
  name: "A server",
  map: "de_dust2",
  folder: "cstrike",
  game: "Counter-Strike",
  appId: 240,
  players: 5,
  maxPlayers: 32,
  bots: 2,
  serverType: "dedicated",
  environment: "linux",
  passwordProtected: false,
  vac: true,
  version: "1.0"
}
const list = (length: number) => ({
  _tag: "PlayersReply" as const,
  announced: length & 255,
  truncated: false,
  players: Array.from({ length }, (_, index): Player => ({ index, name: "", score: 0, duration: 0 }))
})

describe("summary", () => {
  it("counts people and bots apart, and says how to join", () => {
    const given = summary("192.0.2.7:27016", { info })
    expect(given).toEqual({
      name: "A server",
      map: "de_dust2",
      players: 5,
      bots: 2,
      humans: 3,
      maxPlayers: 32,
      password: false,
      secure: true,
      connect: "steam://connect/192.0.2.7:27016"
    })
    expect(JSON.parse(JSON.stringify(given))).toEqual(given)
  })

  it("joins at the port of the game, where INFO names one", () => {
    expect(summary("[::1]:27020", { info: { ...info, port: 27015 } }).connect).toBe("steam://connect/[::1]:27015")
    expect(summary("192.0.2.7:27020", { info: { ...info, port: 0 } }).connect).toBe("steam://connect/192.0.2.7:27020")
  })

  it("believes the list where the count has run over", () => {
    expect(summary("host", { info: { ...info, players: 4 }, players: list(260) })).toMatchObject({
      players: 260,
      humans: 258
    })
    expect(summary("host", { info, players: list(1) }).players).toBe(5)
  })

  it("has no fewer than no people", () => {
    expect(summary("host", { info: { ...info, bots: 9 } })).toMatchObject({ bots: 5, humans: 0 })
  })
})

describe("rulesRecord", () => {
  it("has the last value of each name, whatever the name", () => {
    const rules = [
      { name: "mp_timelimit", value: "20" },
      { name: "__proto__", value: "x" },
      { name: "mp_timelimit", value: "30" }
    ]
    const record = rulesRecord({ _tag: "RulesReply", announced: 3, truncated: false, rules })
    expect(Object.entries(record)).toEqual([
      ["mp_timelimit", "30"],
      ["__proto__", "x"]
    ])
  })
})
