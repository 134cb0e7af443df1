import * as Arbitrary from "effect/Arbitrary"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { describe, expect, it } from "vitest"
import { type Game, gameOf, readFacts, unaskable } from "../src/index.ts"
import { readers } from "../src/facts/readers.ts"
import type { FactValue } from "../src/facts/declaration.ts"
import { games } from "../src/records/games.ts"
import { info, rulesOf } from "./said.ts"

const valuesOf = (id: string, keywords: string, rules: Readonly<Record<string, string>> = {}) =>
  readFacts(gameOf(id)!, { info: info({ keywords }), rules: rulesOf(rules) }).values

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
    ["nmrih", "survival,ff:on", { mode: "survival", friendlyFire: true }],
    ["conanexiles", "BUILDID:1,OWNINGNAME:A,P2PPORT:7", { build: "1", owner: "A", gamePort: 7 }]
  ])("of %s are in the keywords %s", (id, keywords, values) => {
    expect(valuesOf(id, keywords)).toEqual(values)
  })

  // Nobody's recordings: what others report that these servers send.
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
  ])("of %s are in the rules", (id, rules, values) => {
    expect(valuesOf(id, "", rules)).toEqual(values)
  })

  it("are none where a value is not what it must be; such keywords are unknown", () => {
    const read = readFacts(gameOf("rust")!, {
      info: info({ keywords: "cp,cpx,cp1e3,mp-1,born0,born99999999999999,constructor" }),
      rules: rulesOf({ "world.size": "big", constructor: "1", __proto__: "1" })
    })
    expect(read.values).toEqual({})
    expect(read.unknown).toEqual(["cp", "cpx", "cp1e3", "mp-1", "born0", "born99999999999999", "constructor"])
    expect(valuesOf("ase", "", { MOD0_s: "no mod" })).toEqual({})
    expect(valuesOf("insurgencysandstorm", "", { ModList_s: "1,x", Pwd_b: "maybe" })).toEqual({})
  })

  it("of a game that nobody knows are its keywords", () => {
    expect(readFacts(undefined, { info: info({ keywords: "a,b" }) })).toEqual({
      values: {},
      facts: [],
      unknown: ["a", "b"]
    })
  })

  it("say where every name is hidden", () => {
    const players = (...names: ReadonlyArray<string>) => ({
      _tag: "PlayersReply" as const,
      announced: names.length,
      truncated: false,
      players: names.map((name, index) => ({ index, name, score: 0, duration: 1 }))
    })
    const values = (...names: ReadonlyArray<string>) =>
      readFacts(gameOf("counterstrike2"), { info: info(), players: players(...names) }).values
    expect(values("", "")).toEqual({ namesHidden: true })
    expect(values("", "a")).toEqual({})
    expect(values()).toEqual({})
  })

  it("never throw, whatever a server says, and account for every keyword", () => {
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
          const read = readFacts(gameOf(game) as Game, { info: info({ keywords }), rules: rulesOf(rules) })
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

describe("who cannot be asked", () => {
  it("is behind Steam's relays, or of a game without A2S", () => {
    expect(unaskable("169.254.3.4")).toMatchObject({ _tag: "Unaskable", reason: "relayed" })
    expect(unaskable("169.253.3.4")).toBeUndefined()
    expect(unaskable("192.0.2.1", gameOf("asa"))?.message).toBe(
      "ARK: Survival Ascended does not answer A2S; it uses Epic Online Services."
    )
    expect(unaskable("192.0.2.1", gameOf("rust"))).toBeUndefined()
    expect(unaskable("192.0.2.1", gameOf("squad"))).toBeUndefined()
  })
})
