/**
 * The questions of `info`, `players`, `rules` and `query`: what to ask, and how answers look.
 *
 * @module
 */
import type { Answer, ClientShape, QueryError, Replies, ServerAnswer } from "@sourcewire/core"
import { errorJson } from "../output/json.ts"
import type { Canvas } from "../view/card.ts"
import { heading, remark } from "../view/card.ts"
import { explain } from "../view/failureLine.ts"
import { infoCard } from "../view/infoCard.ts"
import { playersTable } from "../view/playersTable.ts"
import { milliseconds, plural, roundMs } from "../view/quantities.ts"
import { rulesList } from "../view/rulesList.ts"
import type { Question } from "./runQueries.ts"
import type { Target } from "./targets.ts"

const asideOf = ({ name }: Target, rttMs: number): string => `${name} · ${milliseconds(rttMs)}`

const ask =
  <K extends "info" | "players" | "rules">(kind: K): Question<Answer<Replies[K]>>["ask"] =>
  (client: ClientShape, target, options) =>
    client.ask(kind, target.address, options)

const json =
  <K extends "info" | "players" | "rules">(kind: K): Question<Answer<Replies[K]>>["json"] =>
  ({ legacy, rttMs, value }) => ({
    rttMs: roundMs(rttMs),
    [kind]: value,
    ...(legacy === undefined ? {} : { legacyInfo: legacy })
  })

/** A2S_INFO. */
export const info: Question<Answer<Replies["info"]>> = {
  ask: ask("info"),
  json: json("info"),
  view: ({ rttMs, value }, target, canvas) => infoCard(value, asideOf(target, rttMs), canvas)
}

/** A2S_PLAYER. */
export const players: Question<Answer<Replies["players"]>> = {
  ask: ask("players"),
  json: json("players"),
  view: ({ rttMs, value }, target, canvas) => [
    heading(plural(value.players.length, "player"), asideOf(target, rttMs), canvas),
    ...playersTable(value, canvas)
  ]
}

/** A2S_RULES. */
export const rules: Question<Answer<Replies["rules"]>> = {
  ask: ask("rules"),
  json: json("rules"),
  view: ({ rttMs, value }, target, canvas) => [
    heading(plural(value.rules.length, "rule"), asideOf(target, rttMs), canvas),
    ...rulesList(value, canvas)
  ]
}

const failedPart = (part: string, error: QueryError | undefined, canvas: Canvas): ReadonlyArray<string> =>
  error === undefined ? [] : remark(`No ${part}: ${explain(error)}`, canvas)

const serverView = (answer: ServerAnswer, target: Target, canvas: Canvas): ReadonlyArray<string> => [
  ...infoCard(answer.info, asideOf(target, answer.rttMs), canvas),
  ...(answer.players === undefined ? [] : ["", ...playersTable(answer.players, canvas)]),
  ...(answer.rules === undefined
    ? []
    : ["", `  ${canvas.palette.faint(plural(answer.rules.rules.length, "rule"))}`, ...rulesList(answer.rules, canvas)]),
  ...failedPart("players", answer.errors?.players, canvas),
  ...failedPart("rules", answer.errors?.rules, canvas)
]

/** All three. */
export const everything: Question<ServerAnswer> = {
  ask: (client, target, options) => client.query(target.address, options),
  json: ({ errors, info, legacy, players, rttMs, rules }) => ({
    rttMs: roundMs(rttMs),
    info,
    ...(legacy === undefined ? {} : { legacyInfo: legacy }),
    ...(players === undefined ? {} : { players }),
    ...(rules === undefined ? {} : { rules }),
    ...(errors === undefined
      ? {}
      : { errors: Object.fromEntries(Object.entries(errors).map(([part, error]) => [part, errorJson(error)])) })
  }),
  view: serverView
}
