import type { GoldSourceInfoReply } from "@sourcewire/protocol"
import { describe, expect, it } from "vitest"
import { type Game, findGame, summary } from "../src/index.ts"
import { info, makeRules } from "./replies.ts"

const list = (length: number, name = "") => ({
  _tag: "PlayersReply" as const,
  announced: length & 255,
  truncated: false,
  players: Array.from({ length }, (_, index) => ({ index, name, score: 0, duration: 0 }))
})

describe("summary", () => {
  it("has the same fields for every game, and all values have JSON types", () => {
    const given = summary("192.0.2.7:27016", { info: info({ keywords: "alltalk, stats," }) })
    expect(given).toEqual({
      gameId: "css",
      game: "Counter-Strike: Source",
      name: "A server",
      map: "de_dust2",
      mode: null,
      players: 5,
      bots: 2,
      humans: 3,
      queue: null,
      maxPlayers: 32,
      tags: ["alltalk", "stats"],
      mods: null,
      version: "1.0",
      password: false,
      secure: true,
      connect: "steam://connect/192.0.2.7:27016"
    })
    expect(JSON.parse(JSON.stringify(given))).toEqual(given)
    const unknown = summary("192.0.2.7", { info: info({ appId: 1, folder: "x", game: "Something", version: "" }) })
    expect(unknown).toMatchObject({ gameId: null, game: "Something", version: null })
    expect(Object.keys(unknown)).toEqual(Object.keys(given))
  })

  it("uses the game port from INFO in the join link, or the given port if INFO contains no game port", () => {
    expect(summary("[::1]:27020", { info: info({ port: 27015 }) }).connect).toBe("steam://connect/[::1]:27015")
    expect(summary("192.0.2.7:27020", { info: info({ port: 0 }) }).connect).toBe("steam://connect/192.0.2.7:27020")
  })

  it("uses the number of listed players if the count in INFO has overflowed", () => {
    const counted = (players: number, listed: number) =>
      summary("host", { info: info({ players }), players: list(listed) })
    expect(counted(4, 260)).toMatchObject({ players: 260, humans: 258 })
    expect(counted(4, 255).players).toBe(255)
    expect(counted(4, 254).players).toBe(4)
    expect(counted(5, 1).players).toBe(5)
    expect(counted(8, 170).players).toBe(8)
  })

  it("never has a negative number of humans", () => {
    expect(summary("host", { info: info({ bots: 9 }) })).toMatchObject({ bots: 5, humans: 0 })
  })

  it("if the keywords of a Rust server are valid, the summary uses the counts from the keywords, because INFO contains wrong counts", () => {
    const keywords = "cp300,mp400,qp12"
    const rust = { players: 44, maxPlayers: 144, bots: 0, keywords }
    expect(summary("host", { info: info({ ...rust, appId: 252_490 }) })).toMatchObject({
      players: 300,
      maxPlayers: 400,
      queue: 12
    })
    expect(summary("host", { info: info(rust) })).toMatchObject({ players: 44, maxPlayers: 144, queue: null })
    expect(summary("host", { info: info(rust) }, findGame("rust")).players).toBe(300)
    const invalid = info({ ...rust, appId: 252_490, keywords: "cp3O0,mp" })
    expect(summary("host", { info: invalid })).toMatchObject({ players: 44, maxPlayers: 144 })
  })

  it("uses the player counts from INFO, and not those from the rules, for a game whose INFO is correct", () => {
    const rules = makeRules({ PlrC_i: "8", PlrM_i: "9", GameMode_s: "Checkpoint" })
    expect(summary("host", { info: info(), rules }, findGame("insurgencysandstorm"))).toMatchObject({
      players: 5,
      maxPlayers: 32,
      mode: "Checkpoint"
    })
  })

  it("if the reply is in GoldSource's dialect, the summary has no version and no tags, and its join link contains the given address", () => {
    const goldSource: GoldSourceInfoReply = {
      _tag: "GoldSourceInfoReply",
      address: "192.0.2.9:27099",
      name: "A server",
      map: "de_dust2",
      folder: "cstrike",
      game: "Counter-Strike",
      players: 5,
      maxPlayers: 32,
      protocol: 47,
      serverType: "dedicated",
      environment: "linux",
      passwordProtected: true,
      vac: false,
      bots: 1
    }
    expect(summary("192.0.2.7:27016", { info: goldSource })).toMatchObject({
      gameId: "counterstrike16",
      version: null,
      tags: [],
      password: true,
      secure: false,
      humans: 4,
      connect: "steam://connect/192.0.2.7:27016"
    })
  })

  it("rejects a game that is null, or that is not one of the games of this package", () => {
    for (const game of [null, {}]) {
      expect(() => summary("host", { info: info() }, game as unknown as Game)).toThrow(
        expect.objectContaining({ _tag: "InvalidOption", option: "game" })
      )
    }
  })

  it("uses the number of players from INFO if the only entry in the player list is the placeholder for hidden names", () => {
    const csgo = info({ appId: 730, folder: "csgo", players: 0, bots: 0, version: "1.38.8.1" })
    expect(summary("host", { info: csgo, players: list(1, "Max Players") })).toMatchObject({
      gameId: "csgo",
      players: 0
    })
    expect(summary("host", { info: { ...csgo, version: "1.40.1.2" } }).gameId).toBe("counterstrike2")
  })

  it("if the version in INFO is a placeholder, the summary contains the version from the keywords or the rules, or null", () => {
    const zomboid = { appId: 108_600, folder: "zomboid", version: "1.0.0.0" }
    const version = (keywords: string, rules: Readonly<Record<string, string>> = {}) =>
      summary("host", { info: info({ ...zomboid, keywords }), rules: makeRules(rules) }).version
    expect(version(";modded;pvp;VERSION:42.13.1", { version: "41.78" })).toBe("42.13.1")
    expect(version("", { version: "41.78.16" })).toBe("41.78.16")
    expect(version("")).toBeNull()
    expect(summary("host", { info: info({ appId: 1, folder: "x", version: "1.0.0.0" }) }).version).toBe("1.0.0.0")
    expect(summary("host", { info: info({ version: "1.0.0.0" }) }, findGame("rust")).version).toBe("1.0.0.0")
  })

  it("omits a tag that may be truncated", () => {
    const keywords = `${"a".repeat(55)},commun`
    const cs2 = { appId: 730, folder: "csgo", version: "1.40.1.2" }
    expect(summary("host", { info: info({ ...cs2, keywords: `${keywords}i` }) }).tags).toEqual(["a".repeat(55)])
    expect(summary("host", { info: info({ ...cs2, keywords }) }).tags).toEqual(["a".repeat(55), "commun"])
  })

  it("if the game is Battalion 1944, the summary contains the name, the password setting and the player count from the rules, but the map from INFO", () => {
    const battalion = info({ appId: 489_940, name: "", players: 0, passwordProtected: false })
    const rules = makeRules({
      bat_name_s: "A name",
      bat_has_password_s: "Y",
      bat_player_count_s: "3",
      bat_map_s: "Old"
    })
    expect(summary("host", { info: battalion, rules })).toMatchObject({
      name: "A name",
      map: "de_dust2",
      password: true,
      players: 3
    })
  })
})
