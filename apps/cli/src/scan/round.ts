/** Runs one round of a scan. Prints results, updates the checkpoint, and prints a summary at the end. */
import { type AddressInput, type ScanQuery, type ScanResult, ScanProgress } from "@sourcewire/core"
import { type ScanError, scanBatches } from "@sourcewire/core/scan"
import * as Clock from "effect/Clock"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { ProgramError, UsageError, reading, recordFailure } from "../exitCode.ts"
import { TextsInOrder } from "../output/inOrder.ts"
import { Output } from "../output/output.ts"
import type { Progress } from "../output/progress.ts"
import { OtherTargets } from "./checkpoint.ts"
import type { CheckpointFile } from "./checkpointFile.ts"
import { explainSystemError } from "../systemError.ts"
import { makeReport, explainNotQueried } from "./report.ts"
import { counted, plural } from "../view/quantities.ts"
import { targetText } from "./resultLine.ts"
import { type Relayed, isRelayed, queryRelayed } from "./relayed.ts"
import { type ScanSettings, scanOptions } from "./flags.ts"
import { type TargetPlan, countTargets, excludedFrom, streamTargets } from "./targets.ts"
import { smallYoungSpace } from "./youngSpace.ts"

const REDRAW_MS = 250
const SAVE_MS = 1000

export interface Round {
  readonly settings: ScanSettings
  readonly plan: TargetPlan
  readonly file: CheckpointFile | undefined
  /** The game and the key for servers behind Steam's relays. `undefined` if the command line does not contain `--game`. */
  readonly relayed: Relayed | undefined
  /**
   * Returns the lines to print for a result. If nothing must be printed, for example because a filter excludes the result, the list is
   * empty.
   */
  readonly print: (result: ScanResult<ScanQuery>) => ReadonlyArray<string>
  /** Returns an object that shows the progress of the round. `describe` returns the text to show. */
  readonly progressOn: (describe: () => string) => Effect.Effect<Progress, never, Scope.Scope>
}

/** Functions with which a scan prints results, shows its progress, and waits for the next round. */
export interface Rounds extends Pick<Round, "progressOn"> {
  readonly print: (round: number) => Round["print"]
  readonly wait: (ms: number) => Effect.Effect<void>
}

const countTotal = (plan: TargetPlan) => reading("the targets", () => countTargets(plan))

/**
 * Runs `work`. If the command is interrupted, this effect aborts `stop`, and then waits until `work` has printed and saved the results so
 * far. When `stop` is aborted, `work` must start no further queries.
 */
const finishOnInterrupt = <A, E, R>(work: Effect.Effect<A, E, R>, stop: AbortController): Effect.Effect<A, E, R> =>
  Effect.flatMap(Effect.forkChild(work), (fiber) =>
    Effect.onInterrupt(Fiber.join(fiber), () =>
      Effect.andThen(
        Effect.sync(() => stop.abort()),
        Fiber.await(fiber)
      )
    )
  )

/** Yields the targets that are not behind Steam's relays. Adds the targets behind Steam's relays to `relayed`. */
async function* withoutRelayed(targets: AsyncIterable<string>, relayed: Array<string>): AsyncGenerator<string> {
  for await (const target of targets) {
    if (isRelayed(target)) relayed.push(target)
    else yield target
  }
}

async function* inOrderOfStart(targets: AsyncIterable<string>, order: TextsInOrder<unknown>): AsyncGenerator<string> {
  for await (const target of targets) {
    order.begin(target)
    yield target
  }
}

const programError = (error: ScanError, file: CheckpointFile | undefined): UsageError | ProgramError => {
  if (error._tag === "InvalidOption") return new UsageError(error.message)
  return error.cause instanceof OtherTargets
    ? new UsageError(
        `The checkpoint ${file?.name} cannot be resumed: ${error.cause.message}. Delete the checkpoint, or use another file.`
      )
    : new ProgramError(`Cannot read ${findPath(error.cause) ?? "the targets"}: ${explainSystemError(error.cause)}.`)
}

/** Makes a path relative if it is inside the working directory, because errors of Bun contain absolute paths. */
const relativePath = (path: string): string => {
  const here = process.cwd()
  return path.startsWith(here) && /^[/\\]/.test(path.slice(here.length)) ? path.slice(here.length + 1) : path
}

/** Returns the path of the file to which a system error refers. */
const findPath = (cause: unknown): string | undefined =>
  typeof cause === "object" && cause !== null && "path" in cause ? relativePath(String(cause.path)) : undefined

/** Describes the progress of an interrupted scan, and how the user can resume the scan. */
const interruptedLine = (done: number, total: number | undefined, { checkpoint, watch }: ScanSettings): string => {
  const head = `Interrupted: ${counted(done)}${total === undefined ? "" : ` of ${counted(total)}`} targets completed.`
  if (watch !== undefined) return head
  const resume =
    checkpoint === undefined
      ? "To be able to resume a scan, start it with --checkpoint FILE."
      : `The same command resumes from ${checkpoint}.`
  return `${head} ${resume}`
}

/** Scans all targets once. Returns whether a target failed, or the checkpoint file could not be written or deleted. */
export const runRound = Effect.fnUntraced(function* ({ file, plan, print, progressOn, relayed, settings }: Round) {
  const { err, notes, out } = yield* Output
  const now = yield* Clock.currentTimeMillis
  const progress = new ScanProgress()
  const earlier = file?.checkpoint.finished ?? 0
  const total = notes.isTerminal || earlier > 0 ? yield* countTotal(plan) : undefined
  if (earlier > 0) {
    const of = total === undefined ? "" : ` of ${counted(total)}`
    yield* notes.line(`Resuming from ${file!.name}: ${counted(earlier)}${of} targets are already complete.`)
  }
  const left = total === undefined ? undefined : Math.max(0, total - earlier)
  const report = makeReport(progress, notes.isTerminal ? left : undefined, now)
  const shown = yield* progressOn(() => report.line(Date.now(), notes.columns))
  const checkpoint = file?.checkpoint
  const order = settings.ordered ? new TextsInOrder<ReadonlyArray<string>>() : undefined
  /**
   * Lines to print with the next batch. With `--ordered`, the lines of a target wait until all earlier targets have results. A duplicate
   * target never has a result. Therefore, when a duplicate is found, lines that waited only for the result of the duplicate are added to
   * this list.
   */
  const freed: Array<string> = []
  let savedAt = now

  const note = (result: ScanResult<ScanQuery>): void => {
    if (checkpoint === undefined) return
    if (explainNotQueried(result) !== undefined) checkpoint.leave(targetText(result.target))
    else {
      checkpoint.finish(targetText(result.target))
      checkpoint[result._tag === "Answered" ? "answered" : "failed"]++
    }
  }

  /** Number of targets behind Steam's relays that were not queried, because the command line does not contain `--game`. */
  let notQueriedBySteam = 0

  const take = Effect.fnUntraced(function* (batch: ReadonlyArray<ScanResult<ScanQuery>>) {
    for (const result of batch) {
      report.take(result)
      if (result._tag === "Failed" && result.error._tag === "Excluded" && isRelayed(targetText(result.target))) {
        notQueriedBySteam++
      }
      // The exit code is set before the results are printed. If the reader of the output closes the pipe, the program ends immediately with
      // this exit code.
      if (result._tag === "Failed" || report.hasUnqueriedTargets()) recordFailure()
    }
    yield* printAll(batch)
  })

  const printAll = Effect.fnUntraced(function* (batch: ReadonlyArray<ScanResult<ScanQuery>>) {
    const lines = [
      ...freed.splice(0),
      ...batch.flatMap((result) =>
        order === undefined ? print(result) : order.take(targetText(result.target), print(result)).flat()
      )
    ]
    if (lines.length > 0) yield* shown.around(out.line(...lines))
    batch.forEach(note)
    const now = yield* Clock.currentTimeMillis
    if (file === undefined || now - savedAt < SAVE_MS) return
    savedAt = now
    yield* file.save(err)
  })

  // A new checkpoint is written before the first query, so that the user sees at once if the file cannot be written.
  if (checkpoint?.isResumed === false) yield* file!.save(err)
  const planned = checkpoint === undefined ? streamTargets(plan) : checkpoint.rest(streamTargets(plan))
  const ordered = order === undefined ? planned : inOrderOfStart(planned, order)
  const behindRelays: Array<string> = []
  const targets = relayed === undefined ? ordered : withoutRelayed(ordered, behindRelays)
  const onDuplicate = (target: AddressInput): void => {
    checkpoint?.finish(targetText(target))
    freed.push(...(order?.drop(targetText(target)) ?? []).flat())
  }
  const stop = new AbortController()
  const exclude = excludedFrom(plan, settings.exclude)
  const watched = { progress, onDuplicate, stop: stop.signal }
  const results = scanBatches(targets, settings.query, { ...scanOptions(settings), exclude, ...watched })
  yield* smallYoungSpace
  yield* Effect.forkScoped(Effect.forever(Effect.delay(shown.around(Effect.void), REDRAW_MS)))
  let faults: ReadonlyArray<string> = []
  const bySteam = { answered: 0, failed: 0 }
  const steamStage = Effect.suspend(() => {
    if (relayed === undefined || stop.signal.aborted) return Effect.void
    const takeOne = (result: ScanResult<ScanQuery>) => {
      if (result._tag === "Answered") bySteam.answered++
      else bySteam.failed += recordFailure()
      return printAll([result])
    }
    const isStopped = (): boolean => stop.signal.aborted
    return queryRelayed([...new Set(behindRelays)], relayed, settings, { isStopped, take: takeOne })
  })
  yield* finishOnInterrupt(Effect.andThen(Stream.runForEach(results, take), steamStage), stop).pipe(
    Effect.mapError((error) => programError(error, file)),
    Effect.onExit((exit) =>
      Effect.gen(function* () {
        if (file !== undefined) faults = yield* file.end(exit._tag === "Success", err)
        const steamLine = [
          ...(bySteam.answered + bySteam.failed === 0
            ? []
            : [`By Steam's Web API: ${counted(bySteam.answered)} responded, ${counted(bySteam.failed)} failed`]),
          ...(notQueriedBySteam === 0
            ? []
            : [
                `${plural(notQueriedBySteam, "target")} behind Steam's relays: query them with --game and --steam-key-file`
              ])
        ]
        const summary = progress.done > 0 ? report.summary(yield* Clock.currentTimeMillis, file?.name) : []
        const isInterrupted = exit._tag === "Failure" && Cause.hasInterrupts(exit.cause)
        const done = checkpoint?.finished ?? progress.done + progress.duplicates
        const count = isInterrupted
          ? (total ?? (yield* Effect.orElseSucceed(countTotal(plan), () => undefined)))
          : undefined
        const hadNoTargets = exit._tag === "Success" && done === 0 && steamLine.length === 0
        const end = [
          ...(isInterrupted ? [interruptedLine(done, count, settings)] : []),
          ...(hadNoTargets ? ["There were no targets to query."] : [])
        ]
        const held = [...freed.splice(0), ...(order?.rest() ?? []).flat()]
        if (held.length > 0) yield* shown.around(out.line(...held))
        yield* shown.around(Effect.andThen(notes.line(...end, ...summary, ...steamLine), err.line(...faults)))
      })
    )
  )
  return progress.failed + bySteam.failed > 0 || report.hasUnqueriedTargets() || faults.length > 0
}, Effect.scoped)
