/**
 * Queries or watches one server, or scans a list, over the real network. Results and errors are sent as the client returns them, without
 * the fields that `Api.ts` does not describe.
 */
import { parseAddress } from "@sourcewire/core"
import { notQueryable } from "@sourcewire/games"
import { layer as network } from "@sourcewire/transport-node/effect"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { EMULATED_PASSWORD } from "../../engine/emulated.ts"
import { OFFERED, ask, list, watch } from "../../engine/querying.ts"
import { Api, type AskEvent, type Failure, type Sample } from "../Api.ts"
import { ending } from "../ending.ts"
import { Settings } from "../Settings.ts"
import { type TargetPolicy, checkTarget, onTarget } from "../targets.ts"

export const queriesLayer = HttpApiBuilder.group(
  Api,
  "queries",
  Effect.fnUntraced(function* (handlers) {
    const { emulate, limits, rcon, targets } = yield* Settings
    return handlers.handleAll({
      status: () =>
        Effect.succeed({
          rcon,
          ...(rcon && emulate ? { emulatedPassword: EMULATED_PASSWORD } : {}),
          emulate,
          allow: targets.allow,
          ...OFFERED
        }),
      ask: Effect.fnUntraced(function* ({ payload: { address, kind, ...options } }) {
        const failed = (error: Failure): AskEvent => ({ _tag: "Failed", error })
        const events = yield* onTarget(address, targets, failed, (target) => ask(target, kind, options, network))
        return yield* ending(events, limits.streamMs)
      }, Effect.provide(network)),
      watch: Effect.fnUntraced(function* ({ payload: { address, intervalMs } }) {
        const failed = (error: Failure): Sample => ({ timeMs: 0, error })
        const samples = yield* onTarget(address, targets, failed, (target) => watch(target, intervalMs, network))
        return yield* ending(samples, limits.watchMs)
      }, Effect.provide(network)),
      list: ({ payload: { addresses } }) => {
        const results = Stream.provide(
          list(addresses, (address) => resolveTarget(address, targets)),
          network
        )
        return ending(results, limits.streamMs)
      }
    })
  })
)

/** A target of a list. If every address may be queried, the scan resolves host names itself, at its own rate. */
const resolveTarget = Effect.fnUntraced(function* (input: string, policy: TargetPolicy) {
  if (!policy.local || policy.allow.length > 0) return yield* checkTarget(input, policy)
  const address = parseAddress(input)
  const why = Result.isSuccess(address) ? notQueryable(address.success.host) : undefined
  return why === undefined ? input : yield* Effect.fail(why)
})
