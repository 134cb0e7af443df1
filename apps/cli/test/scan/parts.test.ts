import { Excluded } from "@sourcewire/core"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { coloured, plain } from "../../src/output/text.ts"
import { Changes } from "../../src/scan/changes.ts"
import { makeFormatter } from "../../src/scan/formats.ts"
import { type ResultLine, resultLine } from "../../src/scan/resultLine.ts"
import { isInShard, parseShard } from "../../src/scan/targets.ts"
import { parsePredicate } from "../../src/scan/where.ts"

const info = { name: "My server", map: "de_dust2", players: 3, maxPlayers: 32, passwordProtected: false, steamId: "90" }
const line = { address: "127.0.0.1:27015", ok: true, rttMs: 12.5, info, rules: { announced: 7, rules: [] } }

describe("--where", () => {
  it.each([
    ["players > 0", true],
    ["players >= 3 && players <= 3 && !(players < 3)", true],
    ['map == "de_dust2"', true],
    ["map != 'de_dust2'", false],
    ['players > 5 || map == "de_dust2" && rttMs < 20', true],
    ['(players > 5 || map == "de_dust2") && rttMs > 20', false],
    ['name ~ "MY S"', true],
    ["passwordProtected", false],
    ["!passwordProtected && ok == true", true],
    ["info.players == 3", true],
    ["rules.announced == 7", true],
    ["steamId == 90", true],
    ["gameId == 1", false],
    ["gameId != 1", true],
    ["gameId < 1 || gameId > 1", false],
    ["sourceTv.port == 1 || info.sourceTv.name ~ 'x'", false],
    ["players.announced == 1 || error._tag == 'Timeout'", false],
    ["gameId == sourceTv.port", false],
    ["gameId != sourceTv.port", true],
    ["'undefined' ~ gameId", false],
    ['players > "2"', false],
    [String.raw`name == "My \"server\""`, false],
    ["-1 < players", true],
    ["ok", true]
  ])("evaluates %s to %s", (source, expected) => {
    expect(Result.getOrThrow(parsePredicate(source))(line)).toBe(expected)
  })

  it.each([
    ["players >", "a value is missing", 10],
    ["players = 3", 'unexpected "= 3"', 9],
    ["(players > 3", "not closed", 13],
    ["players 3", 'unexpected "3"', 9],
    ["&& 3", 'unexpected "&&"', 1],
    ["", "a value is missing", 1],
    ["ok && plyers > 0", 'no field "plyers"; did you mean players?', 7],
    ["map.length == 8", 'no field "length"', 1],
    ["info.nmae ~ 'x'", 'no field "nmae"; did you mean name?', 1],
    ["sourceTv.prot == 1", 'no field "prot"; did you mean port?', 1],
    ["__proto__ || constructor", 'no field "__proto__"', 1]
  ])("rejects %j with an error that contains the reason and the position", (source, message, character) => {
    const error = Result.getOrThrow(Result.flip(parsePredicate(source)))
    expect(error.message).toContain(message)
    expect(error.message).toContain(`character ${character}`)
  })
})

describe("resultLine", () => {
  it.each([
    ["127.0.0.1", "127.0.0.1:27015"],
    ["::1", "[::1]:27015"],
    ["play.example", "play.example"],
    ["bad.cafe", "bad.cafe"],
    ["bad.cafe:27015", "bad.cafe:27015"]
  ])("prints the target %s as %s", (target, address) => {
    const resolved = target.includes("::") ? "::1" : "127.0.0.1"
    const error = new Excluded({ message: "excluded" })
    const place = { index: 0, target, address: resolved, port: 27_015 }
    expect(resultLine({ _tag: "Failed", ...place, sent: 0, received: 0, error }).address).toBe(address)
  })
})

describe("--shard", () => {
  it.each(["0/3", "4/3", "1", "a/b", "1/0", ""])("%j is invalid", (text) =>
    expect(Result.isFailure(parseShard(text))).toBe(true)
  )

  it("assigns each target to exactly one shard, and all shards have a similar size", () => {
    const targets = Array.from({ length: 6000 }, (_, i) => `10.0.${i >> 8}.${i & 255}:27015`)
    const shards = [1, 2, 3].map((index) => ({ index, count: 3 }))
    const homes = targets.map((target) => shards.filter((shard) => isInShard(target, shard)))
    expect(homes.every(({ length }) => length === 1)).toBe(true)
    for (const shard of shards) {
      const share = homes.filter(([home]) => home === shard).length / targets.length
      expect(Math.abs(share - 1 / 3)).toBeLessThan(0.03)
    }
    expect(shards.map((shard) => isInShard("10.0.0.1", shard))).toEqual(
      shards.map((shard) => isInShard("10.0.0.1:27015", shard))
    )
  })
})

describe("changes between two rounds", () => {
  const alive = (players: number, map = "de_dust2", names?: ReadonlyArray<string>): ResultLine => ({
    address: "s",
    ok: true,
    info: { name: "n", map, players },
    ...(names === undefined ? {} : { players: { players: names.map((name) => ({ name })) } })
  })
  const dead: ResultLine = { address: "s", ok: false, error: { _tag: "Timeout" } }

  it.each<[string, ResultLine, ResultLine, ReadonlyArray<unknown>]>([
    ["are empty if nothing has changed", alive(1), alive(1), []],
    [
      "contain the numbers of players before and after players join",
      alive(1),
      alive(3),
      [{ event: "joined", from: 1, to: 3 }]
    ],
    [
      "contain the numbers of players before and after players leave",
      alive(3),
      alive(1),
      [{ event: "left", from: 3, to: 1 }]
    ],
    [
      "contain the old and the new map",
      alive(1),
      alive(1, "cs_office"),
      [{ event: "map", from: "de_dust2", to: "cs_office" }]
    ],
    ["contain the event `gone` if the server no longer replies", alive(1), dead, [{ event: "gone" }]],
    ["contain the event `back` if the server replies again", dead, alive(1), [{ event: "back" }]],
    ["are empty if the server still does not reply", dead, dead, []],
    [
      "contain the names of players who left or joined",
      alive(3, "m", ["a", "a", "b"]),
      alive(3, "m", ["a", "b", "c"]),
      [
        { event: "left", players: ["a"] },
        { event: "joined", players: ["c"] }
      ]
    ]
  ])("%s", (_, before, after, expected) => {
    const changes = new Changes()
    expect(changes.of(before)).toEqual([])
    expect(changes.of(after)).toMatchObject(expected)
    expect(changes.of(after)).toEqual([])
  })
})

describe("formats", () => {
  const surface = { columns: 80, palette: plain } as Parameters<typeof makeFormatter>[1]

  it("quote values in CSV, and escape values that a spreadsheet would interpret as formulas", () => {
    const csv = makeFormatter("csv", surface)
    const row = csv.line({ ...line, info: { ...info, name: '=cmd|"x",1', map: "a\nb" } })
    expect(row).toContain(`,"'=cmd|""x"",1",a␊b,`)
    expect(row.split(",").length).toBeGreaterThan(10)
    expect(csv.line({ address: "x", ok: false, error: { _tag: "Timeout" } })).toMatch(/^x,false,.*,Timeout,$/)
  })

  it("mark an ambiguous round-trip time", () => {
    const guess: ResultLine = { ...line, rttAmbiguous: true }
    expect(makeFormatter("table", surface).line(guess)).toContain(" ≈12.5 ")
    expect(makeFormatter("table", surface).line(line)).not.toContain("≈")
    const [head, ...rows] = [
      makeFormatter("csv", surface).head!,
      ...[guess, line].map(makeFormatter("csv", surface).line)
    ]
    expect(head.split(",").at(-1)).toBe("rttAmbiguous")
    expect(rows.map((row) => row.split(",").at(-1))).toEqual(["true", ""])
  })

  it("keep colour codes in CSV and JSON, but not in the table", () => {
    const named = { ...line, info: { ...info, name: "^1Red ^7server" } }
    expect(makeFormatter("table", surface).line(named)).toMatch(/ Red server$/)
    expect(makeFormatter("table", { ...surface, palette: coloured }).line(named)).toContain("\u001b[31mRed \u001b[39m")
    for (const format of ["csv", "json"] as const)
      expect(makeFormatter(format, surface).line(named)).toContain("^1Red ^7")
  })

  it("limit the table to the width of the terminal", () => {
    const table = makeFormatter("table", surface)
    const row = table.line({ ...line, info: { ...info, name: `\u001b[31m${"é".repeat(90)}`, map: "m".repeat(40) } })
    expect(row.length).toBeLessThanOrEqual(80)
    expect(row).not.toContain("\u001b")
    expect(table.line({ ...line, info: undefined, rules: { rules: [1, 2] } })).toContain("2 rules")
  })
})
