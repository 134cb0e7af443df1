/** The commands `players` and `rules`. */
import type { Answer } from "@sourcewire/core"
import type { Replies } from "@sourcewire/core/query"
import { heading } from "../view/card.ts"
import { playersTable, rulesList, rulesWith } from "../view/lists.ts"
import { plural } from "../view/quantities.ts"
import { type QueryCommandSettings, formatAside, queryCommand, replyQuestion } from "./runQueries.ts"

export const players = queryCommand<Answer<Replies["players"]>>({
  ...replyQuestion("players"),
  view: (answer, target, canvas) => [
    heading(plural(answer.value.players.length, "player"), formatAside(target, answer), canvas),
    ...playersTable(answer.value, canvas)
  ]
})

/** The command `rules`. With `--grep TEXT`, it shows only rules that contain the text in their name or value. */
export const rules = ({ grep = "", ...settings }: QueryCommandSettings & { readonly grep: string | undefined }) => {
  const { json, ...asked } = replyQuestion("rules")
  return queryCommand<Answer<Replies["rules"]>>({
    ...asked,
    json: ({ value, ...answer }, target) =>
      json({ ...answer, value: { ...value, rules: rulesWith(value.rules, grep) } }, target),
    view: (answer, target, canvas) => {
      const all = plural(answer.value.rules.length, "rule")
      const title = grep === "" ? all : `${rulesWith(answer.value.rules, grep).length} of ${all}`
      return [heading(title, formatAside(target, answer), canvas), ...rulesList(answer.value, canvas, grep)]
    }
  })(settings)
}
