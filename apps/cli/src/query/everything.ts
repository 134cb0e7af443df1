/** The question of `query`: INFO, PLAYER and RULES at once, read in the way of the server's game. */
import type { QueryError, ServerAnswer } from "@sourcewire/core"
import { type Fact, identify, readFacts, summary } from "@sourcewire/games"
import { answerJson } from "../output/json.ts"
import { safe } from "../output/text.ts"
import { type CardLine, body, remark, infoCard } from "../view/card.ts"
import type { Canvas } from "../output/output.ts"
import { explain } from "../view/failureLine.ts"
import { playersTable, rulesList } from "../view/lists.ts"
import { plural } from "../view/quantities.ts"
import { asideOf, asking } from "./runQueries.ts"
import type { Target } from "./targets.ts"

const failedPart = (part: string, error: QueryError | undefined, canvas: Canvas): ReadonlyArray<string> =>
  error === undefined ? [] : remark(`No ${part}: ${explain(error)}`, canvas)

const shown = ({ value }: Fact): string => {
  if (typeof value === "boolean") return value ? "yes" : "no"
  if (typeof value !== "object") return safe(String(value))
  const names = value.map((one) => safe(typeof one === "string" ? one : (one.name ?? one.id ?? one.hash ?? "?")))
  return names.length === 0 ? "none" : `${names.length}: ${names.join(" · ")}`
}

/** The facts, each once, under the names that scripts know them by. */
const factLines = (facts: ReadonlyArray<Fact>): ReadonlyArray<CardLine> =>
  facts
    .filter(({ name }, i) => facts.findIndex((one) => one.name === name) === i)
    .map((fact) => ({ label: fact.name, text: shown(fact) }))

const gameView = (answer: ServerAnswer, { game: named }: Target, canvas: Canvas): ReadonlyArray<string> => {
  const game = named ?? identify(answer.info)
  const { facts, malformed, values } = readFacts(game, answer)
  const lines = factLines(facts)
  return [
    ...(lines.length === 0 ? [] : ["", `  ${canvas.palette.faint(`As ${game?.name ?? "its game"} has it`)}`]),
    ...body(lines, canvas),
    ...(values["namesHidden"] === true ? remark("The server hides the names of its players.", canvas) : []),
    ...(malformed === undefined ? [] : remark(`The rules of ${game?.name}: ${malformed.message}`, canvas))
  ]
}

const serverView = (answer: ServerAnswer, target: Target, canvas: Canvas): ReadonlyArray<string> => [
  ...infoCard(answer.info, asideOf(target, answer), canvas),
  ...gameView(answer, target, canvas),
  ...(answer.players === undefined ? [] : ["", ...playersTable(answer.players, canvas)]),
  ...(answer.rules === undefined
    ? []
    : ["", `  ${canvas.palette.faint(plural(answer.rules.rules.length, "rule"))}`, ...rulesList(answer.rules, canvas)]),
  ...failedPart("players", answer.errors?.players, canvas),
  ...failedPart("rules", answer.errors?.rules, canvas)
]

export const query = asking<ServerAnswer>({
  ask: (client, target, options) => client.query(target.address, options),
  json: (answer, { address, game }) => ({ ...answerJson(answer), summary: summary(address, answer, game) }),
  view: serverView
})
