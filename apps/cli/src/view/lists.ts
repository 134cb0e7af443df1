/** Formats the players of a server, sorted by score, and the rules of a server, sorted by name. */
import type { Player, PlayersReply, Rule, RulesReply } from "@sourcewire/protocol"
import { inColours, uncoloured, safe } from "../output/text.ts"
import { type Column, inColumns, left, right, table } from "../output/table.ts"
import { remarks } from "./card.ts"
import type { Canvas } from "../output/output.ts"
import { duration } from "./quantities.ts"

const nameCell: Column<Player>["cell"] = ({ name }, palette) =>
  uncoloured(name) === "" ? { text: "(no name)", paint: palette.faint } : inColours(name, palette)

const COLUMNS: ReadonlyArray<Column<Player>> = [
  right("#", (_, { faint }, i) => ({ text: String(i + 1), paint: faint })),
  left("Player", nameCell, { flexible: true }),
  right("Score", ({ score }, { bad, strong }) => ({ text: String(score), paint: score < 0 ? bad : strong })),
  right("Time", (player) => duration(player.duration))
]

/** The columns for players of The Ship: all usual columns, and two columns that only this game has. */
const SHIP_COLUMNS: ReadonlyArray<Column<Player>> = [
  ...COLUMNS,
  right("Deaths", ({ deaths = "" }) => String(deaths)),
  right("Money", ({ money = "" }) => String(money))
]

const byScore = (a: Player, b: Player): number => b.score - a.score || b.duration - a.duration

/**
 * The lines of the table of players, and remarks about the reply. The rows are sorted by score. If there are no players, a sentence
 * replaces the table.
 */
export const playersTable = (reply: PlayersReply, canvas: Canvas): ReadonlyArray<string> => {
  const { palette } = canvas
  if (reply.players.length === 0) return [`  ${palette.faint("No players.")}`, ...remarks(reply, canvas)]
  const isShip = reply.players.some((player) => player.deaths !== undefined)
  const lines = table(isShip ? SHIP_COLUMNS : COLUMNS, reply.players.toSorted(byScore), canvas, "  ")
  return [...lines, ...remarks(reply, canvas)]
}

/** Compares the names of two rules. The order does not depend on the case of letters or on the language of the system. */
const byName = (a: Rule, b: Rule): number => {
  const [one, other] = [a.name.toLowerCase(), b.name.toLowerCase()]
  return Number(one > other) - Number(one < other)
}

/** The rules that contain `text` in their name or value. The case of letters is ignored. */
export const rulesWith = (rules: ReadonlyArray<Rule>, text: string): ReadonlyArray<Rule> => {
  const wanted = text.toLowerCase()
  return rules.filter(({ name, value }) => name.toLowerCase().includes(wanted) || value.toLowerCase().includes(wanted))
}

export const rulesList = (reply: RulesReply, canvas: Canvas, text = ""): ReadonlyArray<string> => {
  const rules = rulesWith(reply.rules, text).toSorted(byName)
  const emptyText = reply.rules.length === 0 ? "The server has no public settings." : "No rule contains this text."
  const pairs = rules.map(({ name, value }) => ({
    name: safe(name),
    value: value === "" ? '""' : uncoloured(value)
  }))
  return [
    ...(pairs.length === 0 ? [`  ${canvas.palette.faint(emptyText)}`] : inColumns(pairs, canvas, "  ")),
    ...remarks(reply, canvas)
  ]
}
