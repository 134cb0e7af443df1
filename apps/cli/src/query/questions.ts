/** The questions of `info`, `players` and `rules`: what to ask, how answers look, and what asks them. */
import type { Answer } from "@sourcewire/core"
import type { ClientShape, MeasuredRoundTrip, Replies } from "@sourcewire/core/machines"
import { heading } from "../view/card.ts"
import { infoCard } from "../view/infoCard.ts"
import { playersTable, rulesList, rulesWith } from "../view/lists.ts"
import { plural, roundTrip, roundTripJson } from "../view/quantities.ts"
import type { Question } from "./runQueries.ts"
import type { Target } from "./targets.ts"

export { runQueries } from "./runQueries.ts"

/** What stands at the right of an answer: who gave it, and how soon. */
export const asideOf = ({ name }: Target, answer: MeasuredRoundTrip): string => `${name} · ${roundTrip(answer)}`

const ask =
  <K extends "info" | "players" | "rules">(kind: K): Question<Answer<Replies[K]>>["ask"] =>
  (client: ClientShape, target, options) =>
    client.ask(kind, target.address, options)

const json =
  <K extends "info" | "players" | "rules">(kind: K): Question<Answer<Replies[K]>>["json"] =>
  ({ legacy, value, ...answer }) => ({ ...roundTripJson(answer), [kind]: value, legacyInfo: legacy })

/** A2S_INFO. */
export const info: Question<Answer<Replies["info"]>> = {
  ask: ask("info"),
  json: json("info"),
  view: (answer, target, canvas) => infoCard(answer.value, asideOf(target, answer), canvas)
}

/** A2S_PLAYER. */
export const players: Question<Answer<Replies["players"]>> = {
  ask: ask("players"),
  json: json("players"),
  view: (answer, target, canvas) => [
    heading(plural(answer.value.players.length, "player"), asideOf(target, answer), canvas),
    ...playersTable(answer.value, canvas)
  ]
}

/** A2S_RULES; of the answer, the rules with this text in their name or value. */
export const rules = (text: string): Question<Answer<Replies["rules"]>> => ({
  ask: ask("rules"),
  json: ({ value, ...answer }, target) =>
    json("rules")({ ...answer, value: { ...value, rules: rulesWith(value.rules, text) } }, target),
  view: (answer, target, canvas) => {
    const all = plural(answer.value.rules.length, "rule")
    const title = text === "" ? all : `${rulesWith(answer.value.rules, text).length} of ${all}`
    return [heading(title, asideOf(target, answer), canvas), ...rulesList(answer.value, canvas, text)]
  }
})
