/**
 * Runs `--verdict` of `scan` and `master`: queries all targets, waits for an interval, and queries the servers that replied a second time.
 * Then it prints each target with the findings about its replies.
 */
import { Client, type ScanResult } from "@sourcewire/core"
import { Survey, type Verdict } from "@sourcewire/verdict"
import * as Effect from "effect/Effect"
import { recordFailure, reading } from "../exitCode.ts"
import { jsonLine } from "../output/json.ts"
import { Output, type Surface } from "../output/output.ts"
import { progress } from "../output/progress.ts"
import { clientLayer } from "../query/runQueries.ts"
import type { Format } from "../scan/flags.ts"
import { makeFormatter } from "../scan/formats.ts"
import { type ResultLine, resultLine } from "../scan/resultLine.ts"
import type { Predicate } from "../scan/where.ts"
import { counted, plural } from "../view/quantities.ts"
import { WaitingLines } from "./lines.ts"
import { findingLines, verdictJson } from "./view.ts"
import { type SurveyOptions, type SurveyProgress, runSurvey } from "./survey.ts"

const REDRAW_MS = 250
const LINES_AT_ONCE = 500

const CSV_HEAD = ",contradicted,findings"

const printer = (format: Format, answeredOnly: boolean, where: Predicate | undefined, out: Surface) => {
  const formatter = makeFormatter(format, out)
  const head = format === "csv" ? formatter.head! + CSV_HEAD : formatter.head
  const lines = (line: ResultLine, verdict: Verdict | undefined): ReadonlyArray<string> => {
    const whole = verdict === undefined ? line : { ...line, verdict: verdictJson(verdict) }
    if ((!line.ok && (answeredOnly || format === "table")) || where?.(whole) === false) return []
    if (format === "json") return [jsonLine(whole)]
    if (format === "table") return [formatter.line(line), ...(verdict === undefined ? [] : findingLines(verdict, out))]
    const kinds = verdict?.findings.map(({ kind }) => kind).join(" ") ?? ""
    return [`${formatter.line(line)},${verdict?.contradicted ?? ""},${kinds}`]
  }
  return { head, lines }
}

export interface VerdictSettings extends SurveyOptions {
  readonly format: Format
  readonly answered: boolean
  readonly where: Predicate | undefined
}

/**
 * Runs a survey, prints the targets with their verdicts, and returns whether a target failed. If the survey is interrupted, the verdicts
 * are based on the replies that have arrived before the interruption.
 */
export const runVerdicts = Effect.fnUntraced(function* (
  targets: AsyncIterable<string> | Iterable<string>,
  { answered, format, where, ...options }: VerdictSettings
) {
  const { notes, out } = yield* Output
  const survey = new Survey()
  const state: SurveyProgress = { phase: "INFO", done: 0 }
  const waiting = yield* Effect.acquireRelease(
    reading("the temporary folder", () => WaitingLines.open()),
    (lines) => Effect.promise(() => lines.close())
  )
  let failed = 0
  const save = (results: ReadonlyArray<ScanResult>): Effect.Effect<void> => {
    for (const { _tag } of results) if (_tag === "Failed") failed += recordFailure()
    return Effect.promise(() => waiting.add(results.map(resultLine)))
  }
  const { head, lines } = printer(format, answered, where, out)
  const print = Effect.gen(function* () {
    if (head !== undefined) yield* out.line(head)
    const verdicts = survey.verdicts()
    let [strong, others] = [0, 0]
    let ready: Array<string> = []
    const source = waiting.read()
    while (true) {
      const { done, value: line } = yield* Effect.promise(() => source.next())
      if (done === true) break
      const verdict = line.ok ? (verdicts.next().value as Verdict) : undefined
      if (verdict?.contradicted === true) strong++
      else if (verdict !== undefined && verdict.findings.length > 0) others++
      ready.push(...lines(line, verdict))
      if (ready.length < LINES_AT_ONCE) continue
      yield* out.line(...ready)
      ready = []
    }
    if (ready.length > 0) yield* out.line(...ready)
    yield* notes.line(
      `${plural(survey.size, "server")} replied, ${counted(failed)} failed: ${counted(strong)} with a strong finding, ${counted(others)} with other findings`
    )
  })
  const queries = Effect.gen(function* () {
    const client = yield* Client
    const shown = yield* progress(notes, () => `${state.phase}: ${counted(state.done)} done`)
    yield* Effect.forkScoped(Effect.forever(Effect.delay(shown.around(Effect.void), REDRAW_MS)))
    yield* runSurvey(targets, client, options, { save: save, progress: state, survey })
  })
  yield* Effect.scoped(queries).pipe(
    Effect.provide(clientLayer(false)),
    Effect.onInterrupt(() =>
      Effect.andThen(notes.line("Interrupted. The verdicts are based on the replies so far."), print)
    )
  )
  yield* print
  return failed > 0
}, Effect.scoped)
