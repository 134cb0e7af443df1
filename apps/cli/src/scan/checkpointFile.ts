/**
 * The file of a checkpoint: read at the start, replaced about once a second, and deleted when the scan is complete. If it cannot be
 * written, the scan continues with a warning.
 */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { existsSync } from "node:fs"
import { readFile, rm } from "node:fs/promises"
import { UsageError, reading } from "../exitCode.ts"
import { findFault, ifThere, removeUnfinished, replaceFile } from "../files/replaceFile.ts"
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
    fault = yield* findFault(() => replaceFile(name, checkpoint.text()))
    if (fault === undefined) noted = finished
    else if (before === undefined) {
      yield* err.line(`The checkpoint ${name} cannot be written (${fault}). The scan continues.`)
    }
  })

  /** The scan has ended, with all its targets or before. Gives, in sentences, what the file should say and does not. */
  const end = Effect.fnUntraced(function* (isWhole: boolean, err: Surface) {
    if (isWhole && checkpoint.leftOpen === 0) {
      // Bun fails to remove from a read-only disk what is not there.
      const left = yield* findFault(async () => existsSync(name) && (await rm(name, { force: true })))
      if (left !== undefined) {
        return [
          `The scan is complete, but the checkpoint ${name} could not be deleted (${left}). Delete it, otherwise the next scan resumes from it.`
        ]
      }
      return fault === undefined
        ? []
        : [`The scan is complete. The checkpoint ${name} could not be written (${fault}).`]
    }
    yield* save(err)
    if (fault === undefined) return []
    const missing = plural(checkpoint.finished - noted, "completed target is", "completed targets are")
    return [`The checkpoint ${name} could not be written (${fault}): ${missing} missing from it.`]
  })

  return { checkpoint, end, name, save }
}

/** Reads it; without one a scan begins. */
export const loadCheckpoint = Effect.fnUntraced(function* (name: string, plan: TargetPlan, query: string) {
  yield* Effect.promise(() => removeUnfinished(name))
  const text = yield* reading(name, () => ifThere(readFile(name, "utf8")))
  if (text === undefined) return checkpointFile(name, Checkpoint.fresh(plan, query))
  const checkpoint = Checkpoint.from(text, plan, query)
  if (Result.isFailure(checkpoint)) return yield* new UsageError(`${name} ${checkpoint.failure}`)
  return checkpointFile(name, checkpoint.success)
})
