/**
 * Tests that the parser returns the values that an emulated console has written into a status text, even if player names look like other
 * parts of the text.
 */
import { assert, describe, it } from "@effect/vitest"
import { readStatus, type StatusPlayer } from "@sourcewire/core/text"
import * as Effect from "effect/Effect"
import * as Arbitrary from "effect/Arbitrary"
import * as Schema from "effect/Schema"
import { type StatusStyle, statusText } from "../../src/console/statusText.ts"

const LAYOUTS = { goldsource: "goldsource", source: "source", csgo: "source", cs2: "source2" } as const

const whole = (maximum: number) => Schema.Int.check(Schema.isBetween({ minimum: 0, maximum }))
/** Parts of names. Many of these texts look like parts of a row or like separators, to mislead a parser. */
const Piece = Schema.Literals([
  "Zoë",
  "a",
  " ",
  "  ",
  '"',
  "'",
  "#",
  "# 3",
  "\n",
  "BOT",
  "active",
  "玩家",
  ":",
  "12:34",
  "[U:1:7]",
  "0 0",
  "'x'",
  "#end"
])
const Row = Schema.Struct({
  pieces: Schema.Array(Piece).check(Schema.isMaxLength(7)),
  isBot: Schema.Boolean,
  account: whole(2_000_000_000),
  connectedSeconds: whole(400_000),
  ping: whole(999),
  loss: whole(99),
  hasAddress: Schema.Boolean
})
const rows = Arbitrary.schema(Schema.Array(Row).check(Schema.isMaxLength(12)))

type Row = typeof Row.Type

/** Returns a player with only those values that a row of a status text in this style contains. */
const makePlayer = (style: StatusStyle, row: Row, i: number): StatusPlayer => {
  const { account, connectedSeconds, hasAddress, isBot, loss, ping } = row
  // The name keeps at most one line end. A real name never contains two line ends, so a parser does not need to support such names.
  const name = row.pieces.join("").replace("\n", "\u0000").replaceAll("\n", "").replace("\u0000", "\n")
  const uniqueId = isBot
    ? "BOT"
    : style === "goldsource"
      ? `STEAM_0:${account % 2}:${Math.floor(account / 2)}`
      : `[U:1:${account}]`
  const known = { userId: i + 2, name, isBot }
  const id =
    style === "cs2"
      ? {}
      : { uniqueId, ...(isBot ? {} : { steamId: String(76_561_197_960_265_728n + BigInt(account)) }) }
  const times = { connectedSeconds, ping, loss }
  const address = hasAddress ? { address: "192.0.2.7:27005" } : {}
  switch (style) {
    case "goldsource":
      return { ...known, ...id, ...times, score: 3, ...address }
    case "source":
      return { ...known, ...id, ...(isBot ? {} : { ...times, ...address }), state: "active" }
    case "csgo":
      return { ...known, ...id, ...(isBot ? {} : { ...times, ...address }), state: "active", rate: 64 }
    case "cs2":
      return { ...known, ...(isBot ? { ping, loss } : times), state: "active", rate: 786_432, ...address }
  }
}

describe.each(Object.keys(LAYOUTS) as ReadonlyArray<StatusStyle>)("a status text in the style of %s", (style) => {
  it("contains the values that the console wrote, and the parser returns the same values", async () => {
    const result = await Effect.runPromise(
      Arbitrary.checkEffect(
        rows,
        (made) => {
          const players = made.map((row, i) => makePlayer(style, row, i))
          const values = {
            hostname: "A: b",
            version: "1/2",
            address: "192.0.2.1:27015",
            map: "de_dust2",
            maxPlayers: 64,
            players
          }
          const read = readStatus(statusText(style, values))
          const [bots, others] = [players.filter(({ isBot }) => isBot).length, players.length]
          assert.deepStrictEqual(read.players, players)
          assert.deepStrictEqual(read.unread, [])
          assert.strictEqual(read.layout, LAYOUTS[style])
          assert.deepInclude(read, { hostname: "A: b", address: "192.0.2.1:27015", map: "de_dust2" })
          assert.deepInclude(
            read.announced,
            style === "goldsource" ? { players: others } : { humans: others - bots, bots }
          )
          return true
        },
        // The seed is fixed, because about one name in tens of thousands looks like the end of a row (such as `" BOT active`). No parser
        // can detect such a name.
        { runs: 400, seed: 7 }
      )
    )
    assert.strictEqual(result._tag, "Passed", JSON.stringify(result))
  })
})
