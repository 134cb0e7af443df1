/** The command `query`: sends INFO, PLAYER and RULES, and interprets the replies for the server's game. */
import type { QueryError, ServerAnswer } from "@sourcewire/core"
import * as Effect from "effect/Effect"
import { type Fact, type Facts, type Game, SUMMARY_FACTS, identify, readFacts, summary } from "@sourcewire/games"
import type { RulesReply } from "@sourcewire/protocol"
import { UsageError } from "../exitCode.ts"
import { answerJson } from "../output/json.ts"
import { safe } from "../output/text.ts"
import { type CardLine, body, remark, infoCard } from "../view/card.ts"
import type { Canvas } from "../output/output.ts"
import { explain as explainFailure } from "../view/failureLine.ts"
import { playersTable, rulesList } from "../view/lists.ts"
import { plural, some } from "../view/quantities.ts"
import { type QueryCommandSettings, type Question, formatAside, queryCommand } from "./runQueries.ts"
import type { Target } from "./target.ts"

const failedPart = (part: string, error: QueryError | undefined, canvas: Canvas): ReadonlyArray<string> =>
  error === undefined ? [] : remark(`No ${part}: ${explainFailure(error)}`, canvas)

/**
 * Returns a line for each fact, except for the facts that `infoCard` already shows. If several facts have the same name, only the first of
 * them gets a line.
 */
const factLines = (facts: ReadonlyArray<Fact>): ReadonlyArray<CardLine> =>
  facts
    .filter(({ name }, i) => !SUMMARY_FACTS.has(name) && facts.findIndex((one) => one.name === name) === i)
    .map(({ label, text, value }) => ({
      label,
      text: Array.isArray(value) && value.length > 1 ? `${value.length}: ${safe(text)}` : safe(text)
    }))

const gameView = (game: Game | undefined, read: Facts, canvas: Canvas): ReadonlyArray<string> => {
  const { facts, malformed, truncatedKeyword, values } = read
  const lines = factLines(facts)
  return [
    ...(truncatedKeyword === undefined
      ? []
      : remark(`The last keyword may be incomplete: ${safe(truncatedKeyword)}`, canvas)),
    ...(lines.length === 0 ? [] : ["", `  ${canvas.palette.faint(`Settings of ${game?.name ?? "the game"}`)}`]),
    ...body(lines, canvas),
    ...(values["namesHidden"] === true ? remark("The server hides the names of its players.", canvas) : []),
    ...(malformed === undefined ? [] : remark(`The rules of ${game?.name}: ${malformed.message}`, canvas))
  ]
}

/** Lists the rules: all of them if `isAll` is true, otherwise only the rules that the card does not already show as facts. */
const rulesView = (
  reply: RulesReply,
  { unreadRules }: Facts,
  isAll: boolean,
  canvas: Canvas
): ReadonlyArray<string> => {
  const hidden = isAll ? 0 : reply.rules.length - unreadRules.length
  const count = plural(reply.rules.length, "rule")
  const title = hidden === 0 ? count : `${count}, ${hidden} of them shown above (--all-rules lists all)`
  const isListed = hidden === 0 || unreadRules.length > 0
  return [
    "",
    `  ${canvas.palette.faint(title)}`,
    ...(isListed ? rulesList(hidden === 0 ? reply : { ...reply, rules: unreadRules }, canvas) : [])
  ]
}

/** The card of a server: INFO, the facts of its game, players and rules. */
export const serverView = (
  answer: ServerAnswer,
  target: Target,
  canvas: Canvas,
  { allRules = false }: Pick<QueryCommandSettings, "allRules">
): ReadonlyArray<string> => {
  const game = target.game ?? identify(answer.info)
  const read = readFacts(game, answer)
  return [
    ...infoCard(answer.info, formatAside(target, answer), canvas, summary(target.address, answer, game)),
    ...gameView(game, read, canvas),
    ...(answer.players === undefined ? [] : ["", ...playersTable(answer.players, canvas)]),
    ...(answer.rules === undefined ? [] : rulesView(answer.rules, read, allRules, canvas)),
    ...failedPart("players", answer.errors?.players, canvas),
    ...failedPart("rules", answer.errors?.rules, canvas)
  ]
}

const plainQuery: Question<ServerAnswer> = {
  parts: ["info", "players", "rules"],
  run: (client, target, options) => client.query(target.address, options),
  json: (answer, { address, game }) => ({ ...answerJson(answer), summary: summary(address, answer, game) }),
  view: serverView
}

/**
 * Runs the command `query`. The code for `--rcon`, `--verdict` and `--explain` is in three modules. Each of them is loaded only if its flag
 * is present.
 */
export const query = Effect.fnUntraced(function* (settings: QueryCommandSettings) {
  const { explain = false, rcon = false, verdict } = settings
  const [one, other] = some(rcon && "--rcon", verdict !== undefined && "--verdict", explain && "--explain")
  if (other !== undefined) return yield* new UsageError(`${one} and ${other} cannot be combined. Remove one of them.`)
  if (rcon) {
    const { withConsole } = yield* Effect.promise(() => import("./withConsole.ts"))
    return yield* queryCommand(yield* withConsole(plainQuery, settings))(settings)
  }
  if (explain) {
    const { withExplanation } = yield* Effect.promise(() => import("./withExplanation.ts"))
    return yield* queryCommand(yield* withExplanation(plainQuery, settings))(settings)
  }
  if (verdict === undefined) return yield* queryCommand(plainQuery)(settings)
  const { withVerdict } = yield* Effect.promise(() => import("./withVerdict.ts"))
  return yield* queryCommand(withVerdict(plainQuery, verdict))(settings)
})
