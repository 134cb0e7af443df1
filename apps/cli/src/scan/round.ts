/** One round of a scan: targets to the scanner, results to the printer, what is done to the checkpoint, a summary at the end. */
import { type AddressInput, type ScanOptions, type ScanQuery, type ScanResult, ScanProgress } from "@sourcewire/core"
import { type ScanError, scanBatches } from "@sourcewire/core/machines"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { ProgramError, UsageError, reading, recordFailure } from "../exitCode.ts"
import { Output } from "../output/output.ts"
import type { Progress } from "../output/progress.ts"
import { OtherTargets } from "./checkpoint.ts"
import type { CheckpointFile } from "./checkpointFile.ts"
import { reportOn, whyUnasked } from "./report.ts"
import { textOf } from "./resultLine.ts"
import type { ScanSettings } from "./command.ts"
import { type TargetPlan, countOf, excludedFrom, targetsOf } from "./targets.ts"
import { smallYoungSpace } from "./youngSpace.ts"

const REDRAW_MS = 250
const SAVE_MS = 1000

export interface Round {
  readonly settings: ScanSettings
  readonly plan: TargetPlan
  readonly file: CheckpointFile | undefined
  /** Text of a result, or nothing where it is not wanted. */
  readonly print: (result: ScanResult<ScanQuery>) => ReadonlyArray<string>
  /** Shows how far it has come, as the text that it is given says. */
  readonly progressOn: (describe: () => string) => Effect.Effect<Progress, never, Scope.Scope>
}

const totalOf = (plan: TargetPlan, file: CheckpointFile | undefined) =>
  reading("the targets", async () => {
    const count = await countOf(plan)
    return count === undefined ? undefined : Math.max(0, count - (file?.checkpoint.finished ?? 0))
  })

/** Runs the work; an interruption has it stopped and waits for its end, so that whatever has an answer is printed and noted as done. */
const orInGoodOrder = <A, E, R>(work: Effect.Effect<A, E, R>, stop: AbortController): Effect.Effect<A, E, R> =>
  Effect.flatMap(Effect.forkChild(work), (fiber) =>
    Effect.onInterrupt(Fiber.join(fiber), () =>
      Effect.andThen(
        Effect.sync(() => stop.abort()),
        Fiber.await(fiber)
      )
    )
  )

const programError = (error: ScanError, file: CheckpointFile | undefined): UsageError | ProgramError => {
  if (error._tag === "InvalidOption") return new UsageError(error.message)
  return error.cause instanceof OtherTargets
    ? new UsageError(`${file?.name} is not this scan's: ${error.cause.message}. Delete it, or name another file.`)
    : new ProgramError(error.message)
}

/** Scans all targets once; gives whether some failed, or the noting of what is done. */
export const runRound = Effect.fnUntraced(function* ({ file, plan, print, progressOn, settings }: Round) {
  const { err, out } = yield* Output
  const now = yield* Clock.currentTimeMillis
  const progress = new ScanProgress()
  const report = reportOn(progress, err.isTerminal ? yield* totalOf(plan, file) : undefined, now)
  const shown = yield* progressOn(() => report.line(Date.now(), err.columns))
  const checkpoint = file?.checkpoint
  let savedAt = now

  const note = (result: ScanResult<ScanQuery>): void => {
    if (checkpoint === undefined) return
    if (whyUnasked(result) !== undefined) checkpoint.leave(textOf(result.target))
    else {
      checkpoint.finish(textOf(result.target))
      checkpoint[result._tag === "Answered" ? "answered" : "failed"]++
    }
  }

  const take = Effect.fnUntraced(function* (batch: ReadonlyArray<ScanResult<ScanQuery>>) {
    for (const result of batch) {
      report.take(result)
      // Before it is printed: the reader may go away in the midst of it.
      if (result._tag === "Failed" || report.hasUnasked()) recordFailure()
    }
    const lines = batch.flatMap((result) => print(result))
    if (lines.length > 0) yield* shown.around(out.line(...lines))
    batch.forEach(note)
    const now = yield* Clock.currentTimeMillis
    if (file === undefined || now - savedAt < SAVE_MS) return
    savedAt = now
    yield* file.save(err)
  })

  // Whoever cannot be noted shall be known before anybody is asked.
  if (checkpoint?.isResumed === false) yield* file!.save(err)
  const targets = checkpoint === undefined ? targetsOf(plan) : checkpoint.rest(targetsOf(plan))
  const onDuplicate = (target: AddressInput): void => checkpoint?.finish(textOf(target))
  const stop = new AbortController()
  const { concurrency, encoding, perHost, perNetwork, rate, retries, timeout: timeoutMs } = settings
  const asked: ScanOptions = { concurrency, encoding, perHost, perNetwork, rate, retries, timeoutMs }
  const exclude = excludedFrom(plan, settings.exclude)
  const watched = { progress, onDuplicate, stop: stop.signal }
  const results = scanBatches(targets, settings.query, { ...asked, exclude, ...watched })
  yield* smallYoungSpace
  yield* Effect.forkScoped(Effect.forever(Effect.delay(shown.around(Effect.void), REDRAW_MS)))
  let faults: ReadonlyArray<string> = []
  yield* orInGoodOrder(Stream.runForEach(results, take), stop).pipe(
    Effect.mapError((error) => programError(error, file)),
    Effect.onExit((exit) =>
      Effect.gen(function* () {
        if (file !== undefined) faults = yield* file.end(exit._tag === "Success", err)
        const summary = progress.done > 0 ? report.summary(yield* Clock.currentTimeMillis, file?.name) : []
        yield* shown.around(err.line(...summary, ...faults))
      })
    )
  )
  return progress.failed > 0 || report.hasUnasked() || faults.length > 0
}, Effect.scoped)
