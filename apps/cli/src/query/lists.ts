/** The questions of `players` and `rules`. */
import type { Answer } from "@sourcewire/core"
import type { Replies } from "@sourcewire/core/machines"
import { heading } from "../view/card.ts"
import { playersTable, rulesList, rulesWith } from "../view/lists.ts"
import { plural } from "../view/quantities.ts"
import { type AskSettings, asideOf, asking, replyOf } from "./runQueries.ts"

export const players = asking<Answer<Replies["players"]>>({
  ...replyOf("players"),
  view: (answer, target, canvas) => [
    heading(plural(answer.value.players.length, "player"), asideOf(target, answer), canvas),
    ...playersTable(answer.value, canvas)
  ]
})

/** A2S_RULES; of the answer, the rules with the text of `--grep` in their name or value. */
export const rules = ({ grep = "", ...settings }: AskSettings & { readonly grep: string | undefined }) => {
  const { ask, json } = replyOf("rules")
  return asking<Answer<Replies["rules"]>>({
    ask,
    json: ({ value, ...answer }, target) =>
      json({ ...answer, value: { ...value, rules: rulesWith(value.rules, grep) } }, target),
    view: (answer, target, canvas) => {
      const all = plural(answer.value.rules.length, "rule")
      const title = grep === "" ? all : `${rulesWith(answer.value.rules, grep).length} of ${all}`
      return [heading(title, asideOf(target, answer), canvas), ...rulesList(answer.value, canvas, grep)]
    }
  })(settings)
}
