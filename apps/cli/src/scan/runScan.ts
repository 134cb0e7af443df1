/** Runs `sourcewire scan`: prints results on standard output, and all other text on standard error. */
import { layer } from "@sourcewire/transport-node/effect"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { Reported, UsageError, orUsageError } from "../exitCode.ts"
import { jsonLine } from "../output/json.ts"
import { canShow } from "../live/canShow.ts"
import { Output } from "../output/output.ts"
import { progress } from "../output/progress.ts"
import { safe } from "../output/text.ts"
import { type Change, Changes, changeWords } from "./changes.ts"
import { loadCheckpoint } from "./checkpointFile.ts"
import { chooseFormat, makeFormatter } from "./formats.ts"
import { type ResultLine, resultLine } from "./resultLine.ts"
import { type Rounds, runRound } from "./round.ts"
import type { ScanSettings } from "./flags.ts"
import { type TargetPlan, parseShard, planTargets } from "./targets.ts"
import { explainNotQueried } from "./report.ts"
import { findRelayed } from "./relayed.ts"
import { type Predicate, parsePredicate } from "./where.ts"

const openCheckpoint = Effect.fnUntraced(function* (settings: ScanSettings, plan: TargetPlan) {
  if (settings.checkpoint === undefined) return undefined
  if (settings.watch !== undefined)
    return yield* new UsageError("--checkpoint and --watch cannot be combined. Give one of them.")
  if (plan.files.includes("-"))
    return yield* new UsageError("--checkpoint cannot resume a list from standard input. Give a file.")
  return yield* loadCheckpoint(settings.checkpoint, plan, settings.query)
})

/**
 * Returns the header line, and a function that formats the lines that a round prints. In the first round, these lines contain results, and
 * in later rounds, they contain changes.
 */
const makePrinter = (settings: ScanSettings, where: Predicate | undefined, out: (typeof Output.Service)["out"]) => {
  const format = chooseFormat(settings)
  const formatter = makeFormatter(format, out)
  const answeredOnly = settings.answered || format === "table"
  const isPrinted = (line: ResultLine): boolean => (line.ok || !answeredOnly) && where?.(line) !== false
  const changes = settings.watch !== undefined ? new Changes() : undefined
  const changeLine = (change: Change): string => {
    const at = new Date().toISOString()
    return format === "json"
      ? jsonLine({ at, ...change })
      : `${out.palette.faint(at.slice(11, 19))}  ${safe(change.address)}  ${changeWords(change)}`
  }
  const print: Rounds["print"] = (round) => (result) => {
    const line = resultLine(result)
    // If this host could not send all requests, the state of the server is unknown. Therefore no change is reported.
    const changeLines = explainNotQueried(result) === undefined ? (changes?.of(line) ?? []) : []
    if (round === 1) return isPrinted(line) ? [formatter.line(line)] : []
    return line.ok && where?.(line) === false ? [] : changeLines.map(changeLine)
  }
  return { head: formatter.head, print }
}

/**
 * Runs the command. The effect fails with `Reported` in three cases: a target failed in the last round, a target failed in an earlier run
 * of a resumed scan, or the checkpoint file could not be written or deleted.
 */
export const runScan = Effect.fnUntraced(function* (settings: ScanSettings) {
  const { notes, out } = yield* Output
  const where = settings.where === undefined ? undefined : yield* orUsageError(parsePredicate(settings.where))
  const shard = settings.shard === undefined ? undefined : yield* Effect.fromResult(parseShard(settings.shard))
  const plan = yield* planTargets(settings, shard)
  if (settings.steamList !== undefined && settings.verdict === undefined)
    return yield* new UsageError("--steam-list requires --verdict.")
  const relayed = yield* findRelayed(settings)
  if (settings.verdict !== undefined) {
    const { scanVerdicts } = yield* Effect.promise(() => import("../verdict/scanVerdicts.ts"))
    return yield* scanVerdicts(settings, plan, where)
  }
  const file = yield* openCheckpoint(settings, plan)
  if (settings.watch !== undefined && plan.files.includes("-")) {
    return yield* new UsageError("--watch cannot repeat a list from standard input. Give a file.")
  }
  const count = settings.watch === undefined ? 1 : (settings.rounds ?? Number.POSITIVE_INFINITY)
  const hadFailed = (file?.checkpoint.failed ?? 0) > 0
  let hasFailed = hadFailed
  const rounds = Effect.fnUntraced(function* ({ print, progressOn, wait }: Rounds) {
    for (let round = 1; round <= count; round++) {
      const begun = yield* Clock.currentTimeMillis
      hasFailed = (yield* runRound({ settings, plan, file, relayed, print: print(round), progressOn })) || hadFailed
      if (round === count) break
      const left = (settings.watch ?? 0) * 1000 - ((yield* Clock.currentTimeMillis) - begun)
      if (left > 0) yield* wait(left)
    }
  })
  // The live view needs a terminal for its output and for keys.
  if (settings.watch !== undefined && chooseFormat(settings) === "table" && canShow()) {
    const { showScan } = yield* Effect.promise(() => import("./showScan.ts"))
    yield* showScan(settings, where, rounds)
  } else {
    const { head, print } = makePrinter(settings, where, out)
    if (head !== undefined && file?.checkpoint.isResumed !== true) yield* out.line(head)
    yield* rounds({ print, progressOn: (describe) => progress(notes, describe), wait: Effect.sleep })
  }
  if (hasFailed) return yield* new Reported()
}, Effect.provide(layer))
