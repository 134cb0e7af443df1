/** What a server last said of players and rules. It comes as it was sent, so each text is made harmless here. */
import { displayText } from "@sourcewire/core/text"
import type { TargetDetail } from "@sourcewire/monitor/api"
import { Heads } from "@sourcewire/playground/widgets"
import { clockOf } from "../words.ts"
import { Panel } from "./Panel.tsx"

type Answer = NonNullable<TargetDetail["answer"]>

const NOT_ASKED = (
  <>
    It was not asked, or did not say. Players are asked for in a group with <code>{'"query": "all"'}</code>.
  </>
)

const COLUMNS = ["Name", { children: "Score", class: "number" }, { children: "Time", class: "number" }]

/** The players, those with the most points first. */
export const Players = ({ answer }: { readonly answer: Answer }) => {
  const players = (answer.players?.players ?? []).toSorted((a, b) => b.score - a.score)
  const empty = answer.players === undefined ? NOT_ASKED : players.length === 0 && "Nobody plays."
  return (
    <Panel id="players" title="Players" count={players.length} empty={empty}>
      <table>
        <Heads titles={COLUMNS} />
        <tbody>
          {players.map(({ duration, name, score }, i) => (
            <tr key={i}>
              <td>{name === "" ? <span class="quiet">name hidden</span> : displayText(name)}</td>
              <td class="number">{score}</td>
              <td class="number">{Number.isFinite(duration) && duration >= 0 ? clockOf(duration) : ""}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  )
}

/** The rules, by name. */
export const Rules = ({ answer }: { readonly answer: Answer }) => {
  const rules = (answer.rules?.rules ?? []).toSorted((a, b) => a.name.localeCompare(b.name))
  return (
    <Panel id="rules" title="Rules" count={rules.length} empty={rules.length === 0 && "No rules are known."}>
      <table class="rules">
        <tbody>
          {rules.map(({ name, value }, i) => (
            <tr key={i}>
              <th scope="row">{displayText(name)}</th>
              <td>{displayText(value)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  )
}
