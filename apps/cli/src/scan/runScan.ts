/** The work of `sourcewire scan`: targets to the scanner, results to standard output, everything else to standard error. */
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
import { formatOf, formatterOf } from "./formats.ts"
import { type ResultLine, resultLine } from "./resultLine.ts"
import { type Round, runRound } from "./round.ts"
import type { ScanSettings } from "./command.ts"
import { type TargetPlan, parseShard, planOf } from "./targets.ts"
import { whyUnasked } from "./report.ts"
import { type Predicate, parseWhere } from "./where.ts"

const checkpointOf = Effect.fnUntraced(function* (settings: ScanSettings, plan: TargetPlan) {
  if (settings.checkpoint === undefined) return undefined
  if (settings.watch !== undefined) return yield* new UsageError("--checkpoint is for one round, --watch for many")
  if (plan.files.includes("-"))
    return yield* new UsageError("--checkpoint needs a list that can be read again, not standard input")
  return yield* loadCheckpoint(settings.checkpoint, plan, settings.query)
})

/** Prints results of the first round and changes of the others; gives the line above them too. */
const printerOf = (settings: ScanSettings, where: Predicate | undefined, out: (typeof Output.Service)["out"]) => {
  const format = formatOf(settings)
  const formatter = formatterOf(format, out)
  const answeredOnly = settings.answered || format === "table"
  const isWanted = (line: ResultLine): boolean => (line.ok || !answeredOnly) && where?.(line) !== false
  const changes = settings.watch !== undefined ? new Changes() : undefined
  const changeLine = (change: Change): string => {
    const at = new Date().toISOString()
    return format === "json"
      ? jsonLine({ at, ...change })
      : `${out.palette.faint(at.slice(11, 19))}  ${safe(change.address)}  ${changeWords(change)}`
  }
  const print: Rounds["print"] = (round) => (result) => {
    const line = resultLine(result)
    // Nobody is gone because this machine has no network.
    const news = whyUnasked(result) === undefined ? (changes?.of(line) ?? []) : []
    if (round === 1) return isWanted(line) ? [formatter.line(line)] : []
    return line.ok && where?.(line) === false ? [] : news.map(changeLine)
  }
  return { head: formatter.head, print }
}

/** What is done with the results of rounds, while one goes on, and between two. */
export interface Rounds extends Pick<Round, "progressOn"> {
  readonly print: (round: number) => Round["print"]
  readonly wait: (ms: number) => Effect.Effect<void>
}

/** Runs the command; fails with `Reported` when a target of the last round failed, or the noting of what is done. */
export const runScan = Effect.fnUntraced(function* (settings: ScanSettings) {
  const { err, out } = yield* Output
  const where = settings.where === undefined ? undefined : yield* orUsageError(parseWhere(settings.where))
  const shard = settings.shard === undefined ? undefined : yield* Effect.fromResult(parseShard(settings.shard))
  const plan = yield* planOf(settings, shard)
  const file = yield* checkpointOf(settings, plan)
  if (settings.watch !== undefined && plan.files.includes("-")) {
    return yield* new UsageError("--watch needs a list that can be read again, not standard input")
  }
  const count = settings.watch === undefined ? 1 : (settings.rounds ?? Number.POSITIVE_INFINITY)
  const hadFailed = (file?.checkpoint.failed ?? 0) > 0
  let hasFailed = hadFailed
  const rounds = Effect.fnUntraced(function* ({ print, progressOn, wait }: Rounds) {
    for (let round = 1; round <= count; round++) {
      const begun = yield* Clock.currentTimeMillis
      hasFailed = (yield* runRound({ settings, plan, file, print: print(round), progressOn })) || hadFailed
      if (round === count) break
      const left = (settings.watch ?? 0) * 1000 - ((yield* Clock.currentTimeMillis) - begun)
      if (left > 0) yield* wait(left)
    }
  })
  // Somebody looks at a watched scan and can press keys.
  if (settings.watch !== undefined && formatOf(settings) === "table" && canShow()) {
    const { showScan } = yield* Effect.promise(() => import("./showScan.ts"))
    yield* showScan(settings, where, rounds)
  } else {
    const { head, print } = printerOf(settings, where, out)
    if (head !== undefined && file?.checkpoint.isResumed !== true) yield* out.line(head)
    yield* rounds({ print, progressOn: (describe) => progress(err, describe), wait: Effect.sleep })
  }
  if (hasFailed) return yield* new Reported()
}, Effect.provide(layer))
