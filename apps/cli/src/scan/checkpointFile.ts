/**
 * The file of a checkpoint: read at the beginning, replaced as a whole once in a while, deleted when all is done. That it cannot be
 * written is no reason to end a scan: it is told once, and again at the end.
 */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { existsSync } from "node:fs"
import { readFile, rm } from "node:fs/promises"
import { ProgramError, UsageError } from "../exitCode.ts"
import { replaceFile } from "../files/replaceFile.ts"
import type { Surface } from "../output/output.ts"
import { plural } from "../view/quantities.ts"
import { Checkpoint } from "./checkpoint.ts"
import type { TargetPlan } from "./targets.ts"

/** What the system says, without the call and the name of the unfinished file. */
const reasonOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause)).split(", ")[0]!

/** Why something could not be done; nothing where it was. */
const faultOf = (work: () => Promise<unknown>): Effect.Effect<string | undefined> =>
  Effect.promise(() => work().then(() => undefined, reasonOf))

export class CheckpointFile {
  readonly checkpoint: Checkpoint
  readonly name: string
  /** Why it could not be written the last time. */
  private fault: string | undefined = undefined
  /** What was done at the last time that it could. */
  private noted = 0

  constructor(name: string, checkpoint: Checkpoint) {
    this.name = name
    this.checkpoint = checkpoint
  }

  /** Reads it; without one a scan begins. */
  static readonly load = Effect.fnUntraced(function* (
    name: string,
    plan: TargetPlan,
    query: string
  ): Effect.fn.Return<CheckpointFile, UsageError | ProgramError> {
    const catchFault = (cause: unknown) => cause as NodeJS.ErrnoException
    const read = yield* Effect.result(Effect.tryPromise({ try: () => readFile(name, "utf8"), catch: catchFault }))
    if (Result.isFailure(read)) {
      if (read.failure.code === "ENOENT") return new CheckpointFile(name, Checkpoint.fresh(plan, query))
      return yield* new ProgramError(`Cannot read ${name}: ${reasonOf(read.failure)}.`)
    }
    const checkpoint = Checkpoint.from(read.success, plan, query)
    if (Result.isFailure(checkpoint)) return yield* new UsageError(`${name} ${checkpoint.failure}`)
    return new CheckpointFile(name, checkpoint.success)
  })

  /** Writes it, whole or not at all. Not before the scan is where the one before was. */
  readonly save = (err: Surface): Effect.Effect<void> =>
    Effect.suspend(() => {
      const { checkpoint, name } = this
      if (!checkpoint.isCaughtUp) return Effect.void
      const { finished } = checkpoint
      return Effect.flatMap(
        faultOf(() => replaceFile(name, checkpoint.text())),
        (fault) => {
          const isNew = fault !== undefined && this.fault === undefined
          this.fault = fault
          if (fault === undefined) this.noted = finished
          return isNew
            ? err.line(`The checkpoint ${name} cannot be written (${fault}). The scan goes on.`)
            : Effect.void
        }
      )
    })

  /** The scan has ended, with all its targets or before. Gives, in sentences, what the file should say and does not. */
  readonly end = (isWhole: boolean, err: Surface): Effect.Effect<ReadonlyArray<string>> =>
    isWhole && this.checkpoint.leftOpen === 0
      ? this.remove
      : Effect.map(this.save(err), () => {
          const { fault, name, noted } = this
          if (fault === undefined) return []
          const missing = plural(this.checkpoint.finished - noted, "server that is done", "servers that are done")
          return [`${name} could not be written (${fault}): it does not know of ${missing}.`]
        })

  private readonly remove = Effect.suspend(() =>
    // Bun fails to remove from a read-only disk what is not there.
    Effect.map(
      faultOf(async () => existsSync(this.name) && (await rm(this.name, { force: true }))),
      (fault) => {
        if (fault !== undefined) {
          return [
            `All is done, but ${this.name} could not be deleted (${fault}): delete it, or the next scan begins where it ends.`
          ]
        }
        if (this.fault === undefined) return []
        return [`All is done; ${this.name} could not be written on the way (${this.fault}).`]
      }
    )
  )
}
