/** Runs `sourcewire monitor status`: shows the instances of a monitor, or checks a single instance. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { recordFailure, Reported, UsageError } from "../exitCode.ts"
import { canShow } from "../live/canShow.ts"
import { type Frame, type ScreenCanvas, scrolled } from "../live/frame.ts"
import { runView } from "../live/screen.ts"
import { jsonLine } from "../output/json.ts"
import { Output } from "../output/output.ts"
import { formatError } from "../output/sentences.ts"
import { safe } from "../output/text.ts"
import { ownHealth, statusFor } from "./askStatus.ts"
import type { StatusSettings } from "./flags.ts"
import {
  type Fleet,
  columnsFor,
  healthLine,
  isHealthy,
  isRunnerWell,
  isWell,
  listOwnTroubles,
  statusLines,
  formatSummary,
  listTroubles
} from "./statusView.ts"

const formatJson = ({ runners }: Fleet): ReadonlyArray<string> =>
  runners.map((runner) => {
    const { alive, name, report, ...rest } = runner
    return jsonLine({ name, ok: isRunnerWell(runner), alive, ...rest, ...report })
  })

const print = Effect.fnUntraced(function* (fleet: Fleet, json: boolean) {
  const { err, out } = yield* Output
  if (json) yield* out.line(...formatJson(fleet))
  else yield* out.line(formatSummary(fleet), ...statusLines(fleet, out))
  yield* err.line(...listTroubles(fleet).map((trouble) => formatError(err, trouble)))
  if (!isWell(fleet)) recordFailure()
  return isWell(fleet)
})

const showStatus = Effect.fnUntraced(function* <E, R>(status: Effect.Effect<Fleet, E, R>, intervalMs: number) {
  let shown = yield* status
  let error: string | undefined
  const frame = (canvas: ScreenCanvas): Frame => {
    const [worst] = error === undefined ? listTroubles(shown) : [error]
    const status = worst && canvas.palette.bad(worst)
    const body = scrolled(columnsFor(shown), shown.runners, canvas)
    return { title: formatSummary(shown), state: "", status, body, keys: [] }
  }
  const poll = Effect.map(Effect.result(status), (result) => {
    if (Result.isSuccess(result)) shown = result.success
    error = Result.isSuccess(result) ? undefined : safe((result.failure as { readonly message: string }).message)
  })
  yield* runView({ frame }, Effect.forever(Effect.delay(poll, intervalMs)))
})

/** Prints the state of one instance. Fails with `Reported` if the instance is unhealthy. */
const checkSelf = Effect.fnUntraced(function* (settings: StatusSettings) {
  if (settings.watch !== undefined) return yield* new UsageError("--self cannot be combined with --watch.")
  const health = yield* ownHealth(settings)
  const { err, out } = yield* Output
  yield* out.line(settings.json ? jsonLine({ ok: isHealthy(health), ...health }) : healthLine(health))
  yield* err.line(...listOwnTroubles(health).map((trouble) => formatError(err, trouble)))
  if (!isHealthy(health)) return yield* new Reported()
})

/**
 * Prints the state of all instances. With `--watch`, the state is printed repeatedly. Otherwise, the state is printed once, and the command
 * fails with `Reported` if there is a problem.
 */
export const runStatus = Effect.fnUntraced(function* (settings: StatusSettings) {
  if (settings.self) return yield* checkSelf(settings)
  const status = yield* statusFor(settings)
  const { json, watch } = settings
  if (watch !== undefined && !json && canShow()) {
    return yield* showStatus(status, watch * 1000)
  }
  const poll = Effect.flatMap(status, (fleet) => print(fleet, json))
  if (watch !== undefined) return yield* Effect.forever(Effect.andThen(poll, Effect.sleep(watch * 1000)))
  if (!(yield* poll)) return yield* new Reported()
})
