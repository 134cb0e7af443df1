import type { InfoReply, Player } from "@sourcewire/protocol"
import { describe, expect, it } from "vitest"
import { coloured, plain, displayWidth } from "../../src/output/text.ts"
import { infoCard, remarksOn } from "../../src/view/card.ts"
import { playersTable } from "../../src/view/lists.ts"
import { bar, duration, milliseconds, roundTrip, roundTripJson } from "../../src/view/quantities.ts"

const canvas = { columns: 60, palette: plain }

const info: InfoReply = {
  _tag: "InfoReply",
  protocol: 17,
  name: "日本 👾 server\u001b[31m",
  map: "de_dust2",
  folder: "cstrike",
  game: "Counter-Strike",
  appId: 240,
  players: 32,
  maxPlayers: 32,
  bots: 1,
  serverType: 0,
  environment: "mac",
  passwordProtected: true,
  vac: false,
  version: "1.0"
}

describe("infoCard", () => {
  it("shows the number of players without a bar if a narrow terminal has no space for a bar", () => {
    const lines = infoCard({ ...info, players: 300, maxPlayers: 300, bots: 137 }, "", { columns: 40, palette: plain })
    expect(lines.filter((line) => displayWidth(line) > 40)).toEqual([])
    expect(lines.join("\n")).toMatch(/Players +300\/300 \(137 bots\)/)
  })

  it("shows names in any script, shows unknown server types as numbers, and reports a guessed encoding and additional bytes", () => {
    expect(
      infoCard({ ...info, nameHex: "ff", trailing: "0011" }, "127.0.0.1:27015 · 1.00 ms", canvas)
    ).toMatchSnapshot()
  })

  it("applies colour codes if the output has colours, and otherwise omits the codes", () => {
    const named = { ...info, name: "^1Red ^7server", game: "^2Half-Life" }
    const [heading, game] = infoCard(named, "aside", canvas)
    expect(heading).toMatch(/^Red server +aside$/)
    expect(game).toContain(" Half-Life (")
    const painted = infoCard(named, "aside", { columns: 60, palette: coloured })
    expect(painted[0]).toContain("\u001b[31mRed \u001b[39mserver")
    expect(infoCard({ ...info, name: "^1" }, "", canvas)[0]).toBe("(no name)")
  })

  it("shows the app id of the message, even if the game id is different", () => {
    const lines = infoCard({ ...info, appId: 730, gameId: "0" }, "", canvas)
    expect(lines.join("\n")).toContain("app 730)")
  })

  it("fits the width of the terminal, even with a long name", () => {
    const lines = infoCard(
      { ...info, name: "字".repeat(200), keywords: "tag,".repeat(60) },
      "127.0.0.1:27015 · 1.00 ms",
      canvas
    )
    expect(Math.max(...lines.map(displayWidth))).toBeLessThanOrEqual(60)
  })

  it("has the same text with and without colours", () => {
    const strip = (line: string) => line.replaceAll(/\u001b\[\d+m/g, "")
    const painted = infoCard(info, "aside", { columns: 60, palette: coloured })
    expect(painted.map(strip)).toEqual(infoCard(info, "aside", canvas))
    expect(painted.join("")).toContain("\u001b[")
  })
})

const player = (name: string, score: number, seconds: number): Player => ({ index: 0, name, score, duration: seconds })

describe("playersTable", () => {
  it("sorts players by score, and marks unknown values and missing players", () => {
    const players = [player("", 3, -1), player("Zoë ★", 12, 3723), player("日本語", -4, 59)]
    expect(playersTable({ _tag: "PlayersReply", announced: 5, players, truncated: true }, canvas)).toMatchSnapshot()
  })

  it("shows the colours of names if the output has colours", () => {
    const players = [player("^4Blue^7 Bob", 1, 1), player("^1", 0, 1)]
    const reply = { _tag: "PlayersReply", announced: 2, players, truncated: false } as const
    const lines = playersTable(reply, canvas)
    expect(lines[1]).toMatch(/ Blue Bob +1 /)
    expect(lines[2]).toContain("(no name)")
    expect(playersTable(reply, { columns: 60, palette: coloured })[1]).toContain("\u001b[34mBlue\u001b[39m Bob")
  })

  it("truncates names, but not numbers", () => {
    const players = [player("x".repeat(200), 1, 1)]
    const lines = playersTable({ _tag: "PlayersReply", announced: 1, players, truncated: false }, canvas)
    expect(lines.map(displayWidth)).toEqual([60, 60])
    expect(lines[1]).toMatch(/x… +1 +0:01$/)
  })

  it("reports that there are no players", () => {
    expect(playersTable({ _tag: "PlayersReply", announced: 0, players: [], truncated: false }, canvas)).toEqual([
      "  No players."
    ])
  })
})

describe("remarksOn", () => {
  it("finds texts whose encoding was guessed, even inside lists", () => {
    const players = [{ ...player("é", 0, 0), nameHex: "e9" }]
    expect(remarksOn({ _tag: "PlayersReply", announced: 1, players, truncated: false })).toEqual([
      expect.stringMatching(/^Guessed: name is/)
    ])
  })
})

describe("quantities", () => {
  it("formats durations", () => {
    expect([0, 59.9, 61, 3600, 360_000, -1, Number.NaN].map(duration)).toEqual([
      "0:00",
      "0:59",
      "1:01",
      "1:00:00",
      "100:00:00",
      "–",
      "–"
    ])
  })

  it("formats milliseconds with two or three significant digits", () => {
    expect([0.412, 12.34, 123.4].map(milliseconds)).toEqual(["0.41 ms", "12.3 ms", "123 ms"])
  })

  it("marks an ambiguous round-trip time", () => {
    expect([roundTrip({ rttMs: 12.34 }), roundTrip({ rttMs: 289, rttAmbiguous: true })]).toEqual(["12.3 ms", "≈289 ms"])
    expect(roundTripJson({ rttMs: 1.23456, rttAmbiguous: true })).toEqual({ rttMs: 1.235, rttAmbiguous: true })
    expect(roundTripJson({ rttMs: 2 })).toEqual({ rttMs: 2 })
  })

  it("draws a full bar only if the value has reached the maximum", () => {
    expect(
      [bar(0, 32), bar(1, 255), bar(254, 255), bar(255, 255), bar(40, 32), bar(3, 0)].map(([full]) => full.length)
    ).toEqual([0, 1, 19, 20, 20, 0])
  })
})
