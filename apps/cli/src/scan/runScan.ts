/**
 * The work of `sourcewire scan`: targets to the scanner, results to standard output, everything else to standard error.
 *
 * @module
 */
import type { AddressInput, ScanQuery, ScanResult } from "@sourcewire/core"
import { Address, Scanner, ScanProgress } from "@sourcewire/core"
import { scannerLayer } from "@sourcewire/transport-node"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { ExitCode, ProgramError, recordFailure, Reported, UsageError } from "../exitCode.ts"
import { jsonLine } from "../output/json.ts"
import { Output } from "../output/output.ts"
import { progress as progressLine } from "../output/progress.ts"
import { uncoloured } from "../output/colours.ts"
import { safe } from "../output/text.ts"
import type { Change } from "./changes.ts"
import { Changes } from "./changes.ts"
import { Checkpoint } from "./checkpoint.ts"
import { formatterOf } from "./formats.ts"
import { Report } from "./report.ts"
import { resultLine } from "./resultLine.ts"
import type { ResultLine } from "./resultLine.ts"
import type { ScanSettings } from "./settings.ts"
import { formatOf, scanOptions } from "./settings.ts"
import { parseShard } from "./shard.ts"
import type { TargetPlan } from "./targets.ts"
import { countOf, planOf, targetsOf } from "./targets.ts"
import type { Predicate } from "./where.ts"
import { parseWhere } from "./where.ts"

const REDRAW_MS = 250
const SAVE_MS = 1000

const usage = (message: string) => Effect.fail(new UsageError({ message }))

const textOf = (target: AddressInput): string => (typeof target === "string" ? target : Address.format(target))

const whereOf = (settings: ScanSettings): Effect.Effect<Predicate | undefined, UsageError> =>
  Option.match(settings.where, {
    onNone: () => Effect.succeed(undefined),
    onSome: (text) => Effect.mapError(Effect.fromResult(parseWhere(text)), ({ message }) => new UsageError({ message }))
  })

const shardOf = Effect.fnUntraced(function* (settings: ScanSettings) {
  if (Option.isNone(settings.shard)) return undefined
  const shard = parseShard(settings.shard.value)
  return shard ?? (yield* usage(`--shard wants I/N, as in 1/4 for the first of four, not ${settings.shard.value}`))
})

const checkpointOf = Effect.fnUntraced(function* (settings: ScanSettings, plan: TargetPlan) {
  if (Option.isNone(settings.checkpoint)) return undefined
  if (Option.isSome(settings.watch)) return yield* usage("--checkpoint is for one round, --watch for many")
  if (plan.files.includes("-"))
    return yield* usage("--checkpoint needs a list that can be read again, not standard input")
  return yield* Checkpoint.load(settings.checkpoint.value, plan, settings.query)
})

const totalOf = (plan: TargetPlan, checkpoint: Checkpoint | undefined) =>
  Effect.tryPromise({
    try: async () => {
      const count = await countOf(plan)
      return count === undefined ? undefined : Math.max(0, count - (checkpoint?.finished ?? 0))
    },
    catch: (cause) => new ProgramError({ message: `Cannot read the targets: ${(cause as Error).message}.` })
  })

const changeText = ({ address, event, from, players, to }: Change): string => {
  const what = players === undefined ? "" : ` ${players.map(uncoloured).join(", ")}`
  const step = from === undefined ? "" : ` ${uncoloured(String(from))} → ${uncoloured(String(to))}`
  return `${safe(address)}  ${event}${what}${step}`
}

/** What one round needs. */
interface Round {
  readonly settings: ScanSettings
  readonly plan: TargetPlan
  readonly checkpoint: Checkpoint | undefined
  /** Text of a result, or nothing where it is not wanted. */
  readonly print: (line: ResultLine) => ReadonlyArray<string>
}

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

/** Scans all targets once; gives how many failed. */
const runRound = Effect.fnUntraced(function* ({ checkpoint, plan, print, settings }: Round) {
  const { err, out } = yield* Output
  const { scan } = yield* Scanner
  const now = yield* Clock.currentTimeMillis
  const progress = new ScanProgress()
  const report = new Report(progress, err.isTerminal ? yield* totalOf(plan, checkpoint) : undefined, now)
  const failures = new Map<string, number>()
  const shown = yield* progressLine(err, () => report.line(Date.now(), err.columns))
  let savedAt = now

  const take = Effect.fnUntraced(function* (batch: ReadonlyArray<ScanResult<ScanQuery>>) {
    const lines = batch.flatMap((result) => print(resultLine(result)))
    if (lines.length > 0) yield* shown.around(out.line(...lines))
    for (const result of batch) {
      checkpoint?.finish(textOf(result.target))
      if (checkpoint !== undefined) checkpoint[result._tag === "Answered" ? "answered" : "failed"]++
      if (result._tag === "Answered") continue
      recordFailure()
      failures.set(result.error._tag, (failures.get(result.error._tag) ?? 0) + 1)
    }
    const now = yield* Clock.currentTimeMillis
    if (checkpoint === undefined || now - savedAt < SAVE_MS) return
    savedAt = now
    checkpoint.save()
  })

  const targets = checkpoint === undefined ? targetsOf(plan) : checkpoint.rest(targetsOf(plan))
  const onDuplicate = (target: AddressInput): void => checkpoint?.finish(textOf(target))
  const stop = new AbortController()
  const options = { ...scanOptions(settings), progress, onDuplicate, stop: stop.signal }
  const results = scan(targets, settings.query, options)
  yield* Effect.forkScoped(Effect.forever(Effect.delay(shown.around(Effect.void), REDRAW_MS)))
  yield* orInGoodOrder(Stream.runForEach(results, take), stop).pipe(
    Effect.mapError((error) =>
      error._tag === "InvalidOption"
        ? new UsageError({ message: error.message })
        : new ProgramError({ message: error.message })
    ),
    Effect.onExit((exit) =>
      Effect.gen(function* () {
        if (exit._tag === "Success") checkpoint?.remove()
        else checkpoint?.save()
        if (progress.done > 0)
          yield* shown.around(err.line(...report.summary(yield* Clock.currentTimeMillis, failures)))
      })
    )
  )
  return progress.failed
}, Effect.scoped)

/** Prints results of the first round and changes of the others. */
const printerOf = (settings: ScanSettings, where: Predicate | undefined, out: (typeof Output.Service)["out"]) => {
  const format = formatOf(settings)
  const formatter = formatterOf(format, out)
  const answeredOnly = settings.answered || format === "table"
  const isWanted = (line: ResultLine): boolean => (line.ok || !answeredOnly) && (where === undefined || where(line))
  const changes = Option.isSome(settings.watch) ? new Changes() : undefined
  const changeLine = (change: Change): string => {
    const at = new Date().toISOString()
    return format === "json"
      ? jsonLine({ at, ...change })
      : `${out.palette.faint(at.slice(11, 19))}  ${changeText(change)}`
  }
  return {
    head: formatter.head,
    first: (line: ResultLine): ReadonlyArray<string> => {
      changes?.of(line)
      return isWanted(line) ? [formatter.line(line)] : []
    },
    later: (line: ResultLine): ReadonlyArray<string> => {
      const news = changes?.of(line) ?? []
      return line.ok && where !== undefined && !where(line) ? [] : news.map(changeLine)
    }
  }
}

/** Runs the command; fails with `Reported` when a target of the last round failed. */
export const runScan = Effect.fnUntraced(function* (settings: ScanSettings) {
  const { out } = yield* Output
  const where = yield* whereOf(settings)
  const plan = yield* planOf(settings, yield* shardOf(settings))
  const checkpoint = yield* checkpointOf(settings, plan)
  if (Option.isSome(settings.watch) && plan.files.includes("-")) {
    return yield* usage("--watch needs a list that can be read again, not standard input")
  }
  const printer = printerOf(settings, where, out)
  const earlier = checkpoint?.failed ?? 0
  if (printer.head !== undefined && checkpoint?.isResumed !== true) yield* out.line(printer.head)
  const rounds = Option.isNone(settings.watch) ? 1 : Option.getOrElse(settings.rounds, () => Number.POSITIVE_INFINITY)
  let failed = 0
  for (let round = 1; round <= rounds; round++) {
    const begun = yield* Clock.currentTimeMillis
    const print = round === 1 ? printer.first : printer.later
    failed = yield* runRound({ settings, plan, checkpoint, print })
    if (round === rounds) break
    const left = Option.getOrElse(settings.watch, () => 0) * 1000 - ((yield* Clock.currentTimeMillis) - begun)
    if (left > 0) yield* Effect.sleep(left)
  }
  if (failed + earlier > 0) return yield* new Reported({ exitCode: ExitCode.Failure })
}, Effect.provide(scannerLayer))
