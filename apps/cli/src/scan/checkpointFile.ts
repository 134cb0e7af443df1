/**
 * The file of a checkpoint: read at the beginning, replaced as a whole once in a while, deleted when all is done. That it cannot be
 * written is no reason to end a scan: it is told once, and again at the end.
 */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { existsSync } from "node:fs"
import { readFile, rm } from "node:fs/promises"
import { UsageError, reading } from "../exitCode.ts"
import { faultOf, ifThere, replaceFile } from "../files/replaceFile.ts"
import type { Surface } from "../output/output.ts"
import { plural } from "../view/quantities.ts"
import { Checkpoint } from "./checkpoint.ts"
import type { TargetPlan } from "./targets.ts"

export type CheckpointFile = ReturnType<typeof checkpointFile>

export const checkpointFile = (name: string, checkpoint: Checkpoint) => {
  /** Why it could not be written the last time. */
  let fault: string | undefined
  /** What was done at the last time that it could. */
  let noted = 0

  /** Writes it, whole or not at all. Not before the scan is where the one before was. */
  const save = Effect.fnUntraced(function* (err: Surface) {
    if (!checkpoint.isCaughtUp) return
    const { finished } = checkpoint
    const before = fault
    fault = yield* faultOf(() => replaceFile(name, checkpoint.text()))
    if (fault === undefined) noted = finished
    else if (before === undefined) {
      yield* err.line(`The checkpoint ${name} cannot be written (${fault}). The scan goes on.`)
    }
  })

  /** The scan has ended, with all its targets or before. Gives, in sentences, what the file should say and does not. */
  const end = Effect.fnUntraced(function* (isWhole: boolean, err: Surface) {
    if (isWhole && checkpoint.leftOpen === 0) {
      // Bun fails to remove from a read-only disk what is not there.
      const left = yield* faultOf(async () => existsSync(name) && (await rm(name, { force: true })))
      if (left !== undefined) {
        return [
          `All is done, but ${name} could not be deleted (${left}): delete it, or the next scan begins where it ends.`
        ]
      }
      return fault === undefined ? [] : [`All is done; ${name} could not be written on the way (${fault}).`]
    }
    yield* save(err)
    if (fault === undefined) return []
    const missing = plural(checkpoint.finished - noted, "server that is done", "servers that are done")
    return [`${name} could not be written (${fault}): it does not know of ${missing}.`]
  })

  return { checkpoint, end, name, save }
}

/** Reads it; without one a scan begins. */
export const loadCheckpoint = Effect.fnUntraced(function* (name: string, plan: TargetPlan, query: string) {
  const text = yield* reading(name, () => ifThere(readFile(name, "utf8")))
  if (text === undefined) return checkpointFile(name, Checkpoint.fresh(plan, query))
  const checkpoint = Checkpoint.from(text, plan, query)
  if (Result.isFailure(checkpoint)) return yield* new UsageError(`${name} ${checkpoint.failure}`)
  return checkpointFile(name, checkpoint.success)
})
