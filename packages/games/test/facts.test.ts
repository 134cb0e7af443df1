import * as Arbitrary from "effect/Arbitrary"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { describe, expect, it } from "vitest"
import { type Game, findGame, playerNames, readFacts, notQueryable } from "../src/index.ts"
import { readers } from "../src/facts/readers.ts"
import type { FactValue } from "../src/facts/declaration.ts"
import { games } from "../src/records/games.ts"
import { info, makeRules } from "./replies.ts"

const readValues = (id: string, keywords: string, rules: Readonly<Record<string, string>> = {}) =>
  readFacts(findGame(id)!, { info: info({ keywords }), rules: makeRules(rules) }).values

describe("facts", () => {
  it.each<readonly [id: string, keywords: string, values: Readonly<Record<string, FactValue>>]>([
    [
      "rust",
      "mp50,cp3,qp0,born1600000000,pve",
      { maxPlayers: 50, players: 3, queue: 0, born: "2020-09-13T12:26:40.000Z", pve: true }
    ],
    [
      "dayz",
      "no3rd,lqs7,etm2.500000,23:59,isDLC",
      { thirdPerson: false, queue: 7, dayAcceleration: 2.5, timeOfDay: "23:59", dlc: true }
    ],
    [
      "arma3",
      "bt,s7,i-1,lf,tcoop,f2,pl",
      {
        battlEye: true,
        state: "playing",
        difficulty: -1,
        locked: false,
        mode: "coop",
        filePatching: "everybody",
        platform: "linux"
      }
    ],
    [
      "insurgency",
      "g:push,t:default,pure:0,noff",
      { mode: "push", theater: "default", pure: false, friendlyFire: false }
    ],
    ["garrysmod", "gm:sandbox gmc:other ver:1", { mode: "sandbox", category: "other", gameVersion: "1" }],
    ["valheim", "g=0.1.2,n=3,m=", { version: "0.1.2", networkVersion: 3, modifiers: "" }],
    ["valheim", "0.1.2", { version: "0.1.2" }],
    [
      "spaceengineers",
      "groupId0 mods2 gamemodeS1-3-3 view99",
      { group: "0", modCount: 2, mode: "survival", viewDistance: 99 }
    ],
    ["spaceengineers", "gamemodeC", { mode: "creative" }],
    ["codmw3", "gt\\dm\\hc\\1\\x", { mode: "dm", hardcore: true }],
    ["unturned", "PVE,HARD,FIRST", { mode: "pve", difficulty: "hard", camera: "first" }],
    ["teamfortress2", "alltalk,nocrits,payload,mine", { allTalk: true, criticals: false, mode: "payload" }],
    ["css", "alltalk2,gravity", { gravity: "changed" }],
    ["projectzomboid", ";modded;pvp;VERSION:42.13.1", { modded: true, pvp: true, version: "42.13.1" }],
    ["nmrih", "survival,ff:on", { mode: "survival", friendlyFire: true }],
    ["conanexiles", "BUILDID:1,OWNINGNAME:A,P2PPORT:7", { build: "1", owner: "A", gamePort: 7 }]
  ])("are read for %s from the keywords %s", (id, keywords, values) => {
    expect(readValues(id, keywords)).toEqual(values)
  })

  // No recording contains these rules, so their values are examples.
  it.each<readonly [id: string, rules: Readonly<Record<string, string>>, values: Readonly<Record<string, FactValue>>]>([
    [
      "sdtd",
      { GameMode: "GameModeSurvival", LevelName: "Navezgane", CurrentServerTime: "48000" },
      { mode: "GameModeSurvival", world: "Navezgane", gameTime: 48_000 }
    ],
    ["soulmask", { NO_s: "1.2" }, { version: "1.2" }],
    [
      "insurgencysandstorm",
      { GameMode_s: "Checkpoint", PlrC_i: "8", Pwd_b: "true", ModList_s: "1,2" },
      { mode: "Checkpoint", players: 8, password: true, mods: [{ id: "1" }, { id: "2" }] }
    ],
    [
      "ase",
      { MOD0_s: "5:00112233445566778899AABBCCDDEEFF", SESSIONISPVE_i: "1" },
      { mode: "pve", mods: [{ id: "5", hash: "00112233445566778899aabbccddeeff" }] }
    ],
    [
      "projectzomboid",
      { "description:2/2": "b", "description:1/2": "a", mods: "x; y;", open: "0" },
      { description: "ab", mods: [{ name: "x" }, { name: "y" }], whitelist: true }
    ],
    ["spaceengineers", { mod10: "k", mod2: "b", mods: "2" }, { modCount: 2, mods: [{ name: "b" }, { name: "k" }] }]
  ])("are read for %s from the rules", (id, rules, values) => {
    expect(readValues(id, "", rules)).toEqual(values)
  })

  it("are absent if their values are invalid, and a keyword with an invalid value is listed as unknown", () => {
    const read = readFacts(findGame("rust")!, {
      info: info({ keywords: "cp,cpx,cp1e3,mp-1,born0,born99999999999999,constructor" }),
      rules: makeRules({ "world.size": "big", constructor: "1", __proto__: "1" })
    })
    expect(read.values).toEqual({})
    expect(read.unknown).toEqual(["cp", "cpx", "cp1e3", "mp-1", "born0", "born99999999999999", "constructor"])
    const mod = "5:00112233445566778899AABBCCDDEEFF"
    for (const one of ["no mod", `${mod}0`, `x${mod}`]) {
      expect(readValues("ase", "", { MOD0_s: mod, MOD1_s: one })).toEqual({})
    }
    expect(readValues("insurgencysandstorm", "", { ModList_s: "1,x", Pwd_b: "maybe" })).toEqual({})
  })

  it.each<
    readonly [id: string, keywords: string, rules: Readonly<Record<string, string>>, facts: ReadonlyArray<object>]
  >([
    ["rust", "qp12", {}, [{ from: "keywords", raw: "qp12", name: "queue", value: 12 }]],
    ["rust", "", { fps: "60" }, [{ from: "rules", raw: "fps=60", name: "framesPerSecond", value: 60 }]],
    ["projectzomboid", "", { mods: "x" }, [{ from: "rules", raw: "mods=x", name: "mods", value: [{ name: "x" }] }]],
    ["rust", "", { description_00: "a" }, [{ from: "rules", raw: "description_00", name: "description", value: "a" }]],
    [
      "rust",
      "",
      { description_01: "b", description_00: "a" },
      [{ from: "rules", raw: "description_00 … description_01", name: "description", value: "ab" }]
    ]
  ])("name their source: game %s, keywords '%s', rules %o", (id, keywords, rules, facts) => {
    expect(readFacts(findGame(id), { info: info({ keywords }), rules: makeRules(rules) }).facts).toMatchObject(facts)
  })

  it.each(["x1", "1x", "123456789012345678901", "1,", ""])("contain no mods if the list of mod ids is '%s'", (ids) => {
    expect(readValues("insurgencysandstorm", "", { ModList_s: ids })).toEqual({})
  })

  it("are absent if the game is unknown, and all keywords are then listed as unknown", () => {
    const rules = makeRules({ a: "1" })
    expect(readFacts(undefined, { info: info({ keywords: "a,b" }), rules })).toEqual({
      values: {},
      facts: [],
      unknown: ["a", "b"],
      unreadRules: rules.rules
    })
  })

  it("are read from keywords in which keys and values alternate: unknown keys are listed with their values, and empty keys are skipped", () => {
    const read = readFacts(findGame("codmw3"), { info: info({ keywords: "gt\\dm\\\\x\\zz\\1\\qp" }) })
    expect(read.values).toEqual({ mode: "dm" })
    expect(read.unknown).toEqual(["zz\\1", "qp\\"])
  })

  it.each([
    ["gamemodeS", "survival"],
    ["gamemodeS10-20-30", "survival"],
    ["gamemodeS1-2", undefined],
    ["gamemodeSx1-2-3", undefined],
    ["gamemodeS1-2-3x", undefined]
  ])("if the keyword of Space Engineers is %s, the mode is %s", (keywords, mode) => {
    expect(readValues("spaceengineers", keywords)["mode"]).toBe(mode)
  })

  it("have a label and a text, and the text contains the unit of the value", () => {
    const shown = (id: string, keywords: string, rules: Readonly<Record<string, string>> = {}) =>
      readFacts(findGame(id)!, { info: info({ keywords }), rules: makeRules(rules) }).facts.map(({ label, text }) => [
        label,
        text
      ])
    expect(
      shown("rust", "qp12,born1600000000,pve,vanilla", { uptime: "97200", "world.size": "4250", ent_cnt: "123456" })
    ).toEqual([
      ["Waiting to join", "12"],
      ["Last wipe", "2020-09-13 12:26 UTC"],
      ["PvE", "yes"],
      ["Modded", "no"],
      ["Uptime", "1 d 3 h"],
      ["Map size", "4250 m"],
      ["Entities", "123456"]
    ])
    expect(shown("arma3", "r206,e125")).toEqual([
      ["Required version", "2.06"],
      ["Mission time left", "2 h 5 min"]
    ])
    expect(shown("dayz", "etm2.500000", { timeLeft: "9" })).toEqual([
      ["Day speed", "2.5×"],
      ["Time until restart", "9 min"]
    ])
    expect(shown("sdtd", "", { CurrentServerTime: "61500" })).toEqual([["Time in the game", "day 3, 13:30"]])
    expect(shown("killingfloor2", "", { FriendlyFire: "40", MutatorsRunning: "" })).toEqual([
      ["Friendly fire", "40 %"],
      ["Mutators", "none"]
    ])
    expect(shown("insurgencysandstorm", "", { ModList_s: "12,13" })).toEqual([["Mods", "Workshop 12, Workshop 13"]])
    expect(shown("projectzomboid", "", { mods: "x;y" })).toEqual([["Mods", "x, y"]])
    expect(shown("rust", "", { uptime: "59" })).toEqual([["Uptime", "59 s"]])
    expect(shown("rust", "", { uptime: "3600" })).toEqual([["Uptime", "1 h"]])
  })

  it("have labels that are words, not identifiers", () => {
    const labels = Object.values(readers).flatMap(({ gathered = [], keywords = [], rules = [] }) =>
      [...keywords, ...rules, ...gathered].map(([, , , label]) => label)
    )
    expect(
      labels.filter(
        (label) =>
          !/^[A-Z0-9]/.test(label) || /[a-z][A-Z](?!P|E)/.test(label.replace(/BattlEye|SteamID|DLCs?|Pv[PE]/g, ""))
      )
    ).toEqual([])
  })

  it("a rule is listed as unread if no fact is read from this rule", () => {
    const unread = (id: string, rules: Readonly<Record<string, string>>) =>
      readFacts(findGame(id)!, { info: info(), rules: makeRules(rules) }).unreadRules.map(({ name }) => name)
    expect(unread("rust", { fps: "60", description_00: "x", description_01: "y", other: "z" })).toEqual(["other"])
    expect(unread("rust", { fps: "many" })).toEqual(["fps"])
  })

  it("are not read from the last keyword if this keyword may be truncated", () => {
    // Counter-Strike 2 truncates keywords after 63 bytes. These keywords have 63 bytes, so `gravity` may be the start of `gravity_low`.
    const full = `${"a".repeat(47)},alltalk,gravity`
    expect(full).toHaveLength(63)
    const read = (keywords: string, id = "counterstrike2") =>
      readFacts(findGame(id)!, { info: info({ keywords, appId: 730, folder: "csgo", version: "1.40" }) })
    expect(read(full)).toMatchObject({
      values: { allTalk: true },
      truncatedKeyword: "gravity",
      unknown: ["a".repeat(47)]
    })
    expect(read(full).values).not.toHaveProperty("gravity")
    expect(read(full.slice(1))).toMatchObject({ values: { allTalk: true, gravity: "changed" } })
    expect(read(full.slice(1))).not.toHaveProperty("truncatedKeyword")
    // If a separator follows, the last keyword is complete.
    expect(read(`${full.slice(1)},`)).toMatchObject({ values: { gravity: "changed" } })
    expect(read(`${full.slice(1)},`)).not.toHaveProperty("truncatedKeyword")
    // The limit is 63 bytes, not 63 characters. Only Counter-Strike 2 has this limit.
    expect(read(`${"é".repeat(24)},alltalk,gravit`)).toMatchObject({ truncatedKeyword: "gravit" })
    expect(read(full, "css").values).toMatchObject({ gravity: "changed" })
  })

  it("contain `namesHidden` if the server hides the names of all players", () => {
    const players = (...names: ReadonlyArray<string>) => ({
      _tag: "PlayersReply" as const,
      announced: names.length,
      truncated: false,
      players: names.map((name, index) => ({ index, name, score: 0, duration: 1 }))
    })
    const values = (...names: ReadonlyArray<string>) =>
      readFacts(findGame("counterstrike2"), { info: info(), players: players(...names) }).values
    expect(values("", "")).toEqual({ namesHidden: true })
    expect(values("Max Players")).toEqual({ namesHidden: true })
    expect(values("", "a")).toEqual({})
    expect(values("Max Players", "a")).toEqual({})
    expect(values()).toEqual({})
    expect(playerNames(players("", "a", "Max Players"))).toEqual(["a", "Max Players"])
    expect(playerNames(players("Max Players"))).toEqual([])
    expect(playerNames(players("a"))).toEqual(["a"])
  })

  it("random keywords and rules cause no exception, and the field `raw` of a fact from the keywords is a part of the keywords", () => {
    const pieces = Object.values(readers).flatMap(({ keywords, rules }) => [
      ...(keywords ?? []).map(([key]) => key),
      ...(rules ?? []).map(([key]) => key)
    ])
    const word = Schema.Union([
      Schema.String,
      Schema.Literals(pieces),
      Schema.Literals(["0", "1", "-1", "t", ",", " ", "\\", ":"])
    ])
    const known = games.filter(({ reader }) => reader !== null)
    const result = Effect.runSync(
      Arbitrary.checkEffect(
        Arbitrary.schema(
          Schema.Struct({ game: Schema.Literals(known.map(({ id }) => id)), words: Schema.Array(word) })
        ),
        ({ game, words }) => {
          const keywords = words.join("")
          const rules = Object.fromEntries(words.map((one, i) => [one, words[i + 1] ?? ""]))
          const read = readFacts(findGame(game) as Game, { info: info({ keywords }), rules: makeRules(rules) })
          expect(JSON.parse(JSON.stringify(read.values))).toEqual(read.values)
          for (const { from, raw } of read.facts) if (from === "keywords") expect(keywords).toContain(raw)
          return true
        },
        { runs: 2000, seed: 5 }
      )
    )
    expect(Arbitrary.formatCheckFailure(result)).toBeUndefined()
  })
})

describe("a server that cannot be queried", () => {
  it("is reported with the reason `noA2S` if its game does not support A2S", () => {
    expect(notQueryable("192.0.2.1", findGame("asa"))).toMatchObject({ _tag: "NotQueryable", reason: "noA2S" })
  })

  it("a server can be queried if its game supports A2S, even if no reader for the facts of this game exists", () => {
    expect(findGame("hld")).toMatchObject({ reader: null, instead: null })
    expect(notQueryable("192.0.2.1", findGame("hld"))).toBeUndefined()
  })

  it("is a server behind Steam's relays, or a server of a game that does not support A2S", () => {
    expect(notQueryable("169.254.3.4")).toMatchObject({ _tag: "NotQueryable", reason: "relayed" })
    // The error names the call of Steam's Web API that queries a server behind Steam's relays. This call works from any host.
    expect(notQueryable("169.254.3.4")?.message).toContain("QueryByFakeIP")
    expect(notQueryable("169.254.3.4")?.message).not.toContain("computer")
    expect(notQueryable("169.253.3.4")).toBeUndefined()
    expect(notQueryable("192.0.2.1", findGame("asa"))?.message).toBe(
      "ARK: Survival Ascended does not support A2S. It uses Epic Online Services."
    )
    expect(notQueryable("192.0.2.1", findGame("rust"))).toBeUndefined()
    expect(notQueryable("192.0.2.1", findGame("squad"))).toBeUndefined()
  })
})
