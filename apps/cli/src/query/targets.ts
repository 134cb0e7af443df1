/** Parses the targets of a command. */
import * as Effect from "effect/Effect"
import { Output } from "../output/output.ts"
import { formatError } from "../output/sentences.ts"
import { plainTarget } from "./target.ts"

/**
 * Parses all targets of a command before the first query is sent. Therefore, if an address on the command line is invalid, the command
 * fails without a query.
 */
export const parseTargets = Effect.fnUntraced(function* (
  addresses: ReadonlyArray<string>,
  file?: string,
  game?: string
) {
  const targets = addresses.flatMap((text) => plainTarget(text) ?? [])
  if (targets.length > 0 && targets.length === addresses.length && (file ?? game) === undefined) return targets
  return yield* (yield* Effect.promise(() => import("./listedTargets.ts"))).listedTargets(addresses, file, game)
})

/**
 * Parses the targets of commands that run continuously. Reports and skips the invalid lines of a list. ({@link parseTargets} does not skip
 * them: it returns a target for each of these lines.)
 */
export const parseValidTargets = Effect.fnUntraced(function* (addresses: ReadonlyArray<string>, file?: string) {
  const targets = yield* parseTargets(addresses, file)
  const { err } = yield* Output
  const valid: Array<(typeof targets)[number]> = []
  for (const target of targets) {
    const { notQueryable } = target
    if (notQueryable?._tag === "InvalidAddress")
      yield* err.line(formatError(err, `${notQueryable.message} The line is skipped.`))
    else valid.push(target)
  }
  return valid
})
