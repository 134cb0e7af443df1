/** Players and rules of a server's last reply. */
import type { TargetDetail } from "@sourcewire/monitor/api"
import * as widgets from "@sourcewire/ui/widgets"
import { Panel } from "./Panel.tsx"

type Answer = NonNullable<TargetDetail["answer"]>

const NOT_QUERIED = (
  <>
    No player list. The monitor queries players in groups with <code>{'"query": "all"'}</code>.
  </>
)

export const Players = ({ answer }: { readonly answer: Answer }) => {
  const players = answer.players?.players ?? []
  const empty = answer.players === undefined ? NOT_QUERIED : players.length === 0 && "No players."
  return (
    <Panel id="players" title="Players" count={players.length} empty={empty}>
      <widgets.Players players={players} />
    </Panel>
  )
}

/** The rules, by name. */
export const Rules = ({ answer }: { readonly answer: Answer }) => {
  const rules = (answer.rules?.rules ?? []).toSorted((a, b) => a.name.localeCompare(b.name))
  return (
    <Panel id="rules" title="Rules" count={rules.length} empty={rules.length === 0 && "No rules."}>
      <widgets.Rules rules={rules} />
    </Panel>
  )
}
