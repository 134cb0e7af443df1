/**
 * `query --verdict`: queries a server twice and sends a handshake request. If facts in the replies contradict each other, it reports these
 * facts.
 */
import type { ServerAnswer } from "@sourcewire/core"
import { Survey, type Verdict } from "@sourcewire/verdict"
import * as Effect from "effect/Effect"
import { observeHandshake } from "../verdict/handshakes.ts"
import { findingLines, verdictJson } from "../verdict/view.ts"
import type { Question } from "./runQueries.ts"

interface Answer extends ServerAnswer {
  readonly verdict: Verdict
}

export const withVerdict = ({ run, json, view }: Question<ServerAnswer>, seconds: number): Question<Answer> => ({
  waiting: `Two queries, ${seconds} s apart:`,
  run: Effect.fnUntraced(function* (client, target, options) {
    const survey = new Survey()
    const address = target.name
    const add = ({ info, players, rttAmbiguous, rttMs, rules }: ServerAnswer) =>
      survey.add({
        address,
        atMs: Date.now(),
        info,
        players,
        rules,
        rttMs: rttAmbiguous === true ? undefined : { info: rttMs }
      })
    const first = yield* run(client, target, options)
    add(first)
    yield* observeHandshake(client, {
      survey,
      address,
      appId: first.info._tag === "InfoReply" ? first.info.appId : undefined,
      target: target.address
    })
    yield* Effect.sleep(seconds * 1000)
    add(yield* client.query(target.address, { ...options, parts: ["info", "players"] }))
    const [verdict] = survey.verdicts()
    return { ...first, verdict: verdict! }
  }),
  json: ({ verdict, ...answer }, target) => ({ ...json(answer, target), verdict: verdictJson(verdict) }),
  view: async ({ verdict, ...answer }, target, canvas, settings) => [
    ...(await view(answer, target, canvas, settings)),
    "",
    `  ${canvas.palette.faint(`Findings of two queries in ${seconds} s`)}`,
    ...(verdict.findings.length === 0 ? ["  No facts contradict each other."] : findingLines(verdict, canvas))
  ]
})
