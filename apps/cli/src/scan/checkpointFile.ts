/**
 * Reads and writes the checkpoint file of a scan. The scan reads the file when it starts, replaces the file about once a second, and
 * deletes the file when all targets are complete. If the file cannot be written, the scan prints a warning and continues.
 */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { existsSync } from "node:fs"
import { readFile, rm } from "node:fs/promises"
import { UsageError, reading } from "../exitCode.ts"
import { findFault, ifExists, removeUnfinished, replaceFile } from "../files/replaceFile.ts"
import type { Surface } from "../output/output.ts"
import { plural } from "../view/quantities.ts"
import { Checkpoint } from "./checkpoint.ts"
import type { TargetPlan } from "./targets.ts"

export type CheckpointFile = ReturnType<typeof checkpointFile>

export const checkpointFile = (name: string, checkpoint: Checkpoint) => {
  /** The reason why the last write failed. `undefined` if the last write succeeded, or if nothing was written yet. */
  let fault: string | undefined
  /** Number of completed targets according to the checkpoint that was written last. */
  let noted = checkpoint.finished

  /** Writes the file atomically. A resumed scan writes nothing until it has read all targets that the earlier run had read. */
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

  /**
   * Handles the end of the scan: deletes the file if all targets are complete, otherwise writes the file. Returns a warning for the user if
   * the file could not be deleted or written.
   */
  const end = Effect.fnUntraced(function* (isWhole: boolean, err: Surface) {
    if (isWhole && checkpoint.leftOpen === 0) {
      // The program checks whether the file exists, because Bun fails to delete a missing file on a read-only disk, even with `force`.
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

/** Loads the checkpoint from the file. If the file does not exist, creates an empty checkpoint. */
export const loadCheckpoint = Effect.fnUntraced(function* (name: string, plan: TargetPlan, query: string) {
  yield* Effect.promise(() => removeUnfinished(name))
  const text = yield* reading(name, () => ifExists(readFile(name, "utf8")))
  if (text === undefined) return checkpointFile(name, Checkpoint.fresh(plan, query))
  const checkpoint = Checkpoint.from(text, plan, query)
  if (Result.isFailure(checkpoint)) return yield* new UsageError(`${name} ${checkpoint.failure}`)
  return checkpointFile(name, checkpoint.success)
})
