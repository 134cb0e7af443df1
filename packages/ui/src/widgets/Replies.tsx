/** The players and the rules of a server, as tables. */
import type { PlayersReply, RulesReply } from "@sourcewire/protocol"
import { Coloured } from "./Coloured.tsx"
import { Table } from "./Table.tsx"

const COLUMNS = ["Name", { children: "Score", class: "number" }, { children: "Time", class: "number" }]

/**
 * Formats the time for which a player has been connected, such as `4:07` or `1:04:07`. The result is a dash for invalid times and for bots,
 * whose time is −1.
 */
export const playTime = (seconds: number): string => {
  if (!Number.isFinite(seconds) || seconds < 0) return "–"
  const [hours, minutes, rest] = [3600, 60, 1].map((unit) => Math.floor(seconds / unit))
  const two = (value: number): string => String(value % 60).padStart(2, "0")
  return hours === 0 ? `${minutes}:${two(rest!)}` : `${hours}:${two(minutes!)}:${two(rest!)}`
}

/** A table of players, sorted by score. The highest score is first. */
export const Players = ({ players }: Pick<PlayersReply, "players">) => (
  <Table
    columns={COLUMNS}
    rows={players
      .toSorted((a, b) => b.score - a.score)
      .map(({ duration: seconds, name, score }) => [
        name === "" ? <span class="quiet">no name</span> : <Coloured text={name} />,
        score,
        playTime(seconds)
      ])}
  />
)

export const Rules = ({ rules }: Pick<RulesReply, "rules">) => (
  <Table
    class="rules"
    isNamed
    rows={rules.map(({ name, value }) => [<Coloured text={name} />, <Coloured text={value} />])}
  />
)
