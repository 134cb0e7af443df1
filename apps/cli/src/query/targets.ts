/** The addresses that a command queries. */
import * as Effect from "effect/Effect"
import { Output } from "../output/output.ts"
import { formatError } from "../output/sentences.ts"
import { plainTarget } from "./target.ts"

/** Every target in order. All are checked before the first query, so that a typing error is reported at once. */
export const parseTargets = Effect.fnUntraced(function* (
  addresses: ReadonlyArray<string>,
  file?: string,
  game?: string
) {
  const targets = addresses.flatMap((text) => plainTarget(text) ?? [])
  if (targets.length > 0 && targets.length === addresses.length && (file ?? game) === undefined) return targets
  return yield* (yield* Effect.promise(() => import("./listedTargets.ts"))).listedTargets(addresses, file, game)
})

/** {@link parseTargets} for commands that keep the targets: bad lines of a list are reported and left out. */
export const parseValidTargets = Effect.fnUntraced(function* (addresses: ReadonlyArray<string>, file?: string) {
  const targets = yield* parseTargets(addresses, file)
  const { err } = yield* Output
  const valid: Array<(typeof targets)[number]> = []
  for (const target of targets) {
    const { unaskable } = target
    if (unaskable?._tag === "InvalidAddress")
      yield* err.line(formatError(err, `${unaskable.message} The line is skipped.`))
    else valid.push(target)
  }
  return valid
})
