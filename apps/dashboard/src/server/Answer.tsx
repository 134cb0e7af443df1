/** The players and the rules from the last query of a server, and the players from the last query of its console. */
import type { ConsoleDetail, ConsolePlayer, TargetDetail } from "@sourcewire/monitor/api"
import * as widgets from "@sourcewire/ui/widgets"
import type { ComponentChild } from "preact"
import { plural, since } from "../words.ts"
import { Panel } from "./Panel.tsx"

type Answer = NonNullable<TargetDetail["answer"]>

const NOT_QUERIED = (
  <>
    No player list. The monitor queries players in groups with <code>{'"query": "all"'}</code>.
  </>
)

interface PlayersProps {
  readonly answer: Answer
  /** The players from the last query of the server's console, or the error of this query. Absent if the console was never queried. */
  readonly console: ConsoleDetail | undefined
}

export const Players = ({ answer, console }: PlayersProps) => {
  if (console?.players !== undefined) return <ConsolePlayers {...console} players={console.players} />
  const players = answer.players?.players ?? []
  const empty = answer.players === undefined ? NOT_QUERIED : players.length === 0 && "No players."
  return (
    <Panel id="players" title="Players" count={players.length} empty={empty}>
      <widgets.Players players={players} />
      {console?.error !== undefined && <p class="quiet">The console cannot be read. {console.error.message}</p>}
    </Panel>
  )
}

const FROM_CONSOLE = "from the server's console (RCON)"

/** Shows a value. If the value is from the server's console, a mark follows the value. */
const marked = (value: ComponentChild, source: "a2s" | "rcon" | undefined): ComponentChild =>
  source === "rcon" ? (
    <>
      {value}
      <sup class="quiet">
        <abbr title={FROM_CONSOLE}>R</abbr>
      </sup>
    </>
  ) : (
    value
  )

const COLUMNS = [
  "Name",
  { children: "Score", class: "number" },
  { children: "Time", class: "number" },
  { children: "Ping", class: "number" },
  "SteamID"
]

const renderCells = ({ connectedSeconds, isBot, name, ping, score, sources, steamId }: ConsolePlayer) => [
  marked(name === "" ? <span class="quiet">no name</span> : <widgets.Coloured text={name} />, sources.name),
  score !== undefined && marked(score, sources.score),
  connectedSeconds !== undefined && marked(widgets.playTime(connectedSeconds), sources.connectedSeconds),
  ping !== undefined && marked(ping, sources.ping),
  steamId === undefined
    ? isBot === true && marked("bot", sources.isBot)
    : marked(<code>{steamId}</code>, sources.steamId)
]

/** Sorts players by score, the highest first. Players without a score are last. */
const byScore = (players: ReadonlyArray<ConsolePlayer>): ReadonlyArray<ConsolePlayer> =>
  players.toSorted((a, b) => (b.score ?? -Infinity) - (a.score ?? -Infinity) || 0)

const ConsolePlayers = ({
  players,
  readAt,
  unread = 0
}: Pick<ConsoleDetail, "readAt" | "unread"> & { readonly players: ReadonlyArray<ConsolePlayer> }) => (
  <Panel id="players" title="Players" count={players.length} empty={players.length === 0 && "No players."}>
    <widgets.Table columns={COLUMNS} rows={byScore(players).map(renderCells)} />
    <p class="quiet">
      R: {FROM_CONSOLE}, read {since(readAt)} ago. Values without a mark are from A2S.
      {unread > 0 && ` ${plural(unread, "line")} of the console could not be read.`}
    </p>
  </Panel>
)

/** The rules, sorted by name. */
export const Rules = ({ answer }: { readonly answer: Answer }) => {
  const rules = (answer.rules?.rules ?? []).toSorted((a, b) => a.name.localeCompare(b.name))
  return (
    <Panel id="rules" title="Rules" count={rules.length} empty={rules.length === 0 && "No rules."}>
      <widgets.Rules rules={rules} />
    </Panel>
  )
}
