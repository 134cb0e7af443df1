/** Who plays, best first. */
import type { Player, PlayersReply } from "@sourcewire/protocol"
import { inColours, uncoloured } from "../output/colours.ts"
import type { Cell, Column } from "../output/table.ts"
import { table } from "../output/table.ts"
import type { Canvas } from "./card.ts"
import { remark } from "./card.ts"
import { duration } from "./quantities.ts"
import { remarksOn } from "./remarks.ts"

const byScore = (a: Player, b: Player): number => b.score - a.score || b.duration - a.duration

/** Lines of the table, sorted by score; a sentence when there is nobody. */
export const playersTable = (reply: PlayersReply, canvas: Canvas): ReadonlyArray<string> => {
  const { palette, width } = canvas
  const remarks = remarksOn(reply).flatMap((text) => remark(text, canvas))
  if (reply.players.length === 0) return [`  ${palette.faint("Nobody is playing.")}`, ...remarks]
  const isShip = reply.players.some((player) => player.deaths !== undefined)
  const columns: ReadonlyArray<Column> = [
    { title: "#", align: "right" },
    { title: "Player", flexible: true },
    { title: "Score", align: "right" },
    { title: "Time", align: "right" },
    ...(isShip
      ? ([
          { title: "Deaths", align: "right" },
          { title: "Money", align: "right" }
        ] as const)
      : [])
  ]
  const name = (player: Player): Cell =>
    uncoloured(player.name) === ""
      ? { text: "(name not given)", paint: palette.faint }
      : inColours(player.name, palette)
  const rows = reply.players
    .toSorted(byScore)
    .map((player, i): ReadonlyArray<Cell> => [
      { text: String(i + 1), paint: palette.faint },
      name(player),
      { text: String(player.score), paint: player.score < 0 ? palette.bad : palette.strong },
      duration(player.duration),
      ...(isShip ? [String(player.deaths ?? ""), String(player.money ?? "")] : [])
    ])
  return [...table(columns, rows, { width, palette, indent: "  " }), ...remarks]
}
