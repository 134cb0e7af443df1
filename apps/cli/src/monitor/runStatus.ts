/** Says how the machines of a monitor do: the work of `sourcewire monitor status`. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { recordFailure, Reported } from "../exitCode.ts"
import { canShow } from "../live/canShow.ts"
import { type Frame, type ScreenCanvas, scrolled } from "../live/frame.ts"
import { showing } from "../live/screen.ts"
import { jsonLine } from "../output/json.ts"
import { Output } from "../output/output.ts"
import { complaint } from "../output/sentences.ts"
import { safe } from "../output/text.ts"
import { statusFor } from "./askStatus.ts"
import type { StatusSettings } from "./command.ts"
import { type Fleet, columnsFor, isWell, statusLines, summaryOf, troublesOf } from "./statusView.ts"

const jsonOf = ({ runners }: Fleet): ReadonlyArray<string> =>
  runners.map(({ alive, name, report, ...rest }) =>
    jsonLine({ name, ok: alive && report?.storeTrouble === undefined, alive, ...rest, ...report })
  )

const print = Effect.fnUntraced(function* (fleet: Fleet, json: boolean) {
  const { err, out } = yield* Output
  if (json) yield* out.line(...jsonOf(fleet))
  else yield* out.line(summaryOf(fleet), ...statusLines(fleet, out))
  yield* err.line(...troublesOf(fleet).map((trouble) => complaint(err, trouble)))
  if (!isWell(fleet)) recordFailure()
  return isWell(fleet)
})

const showStatus = Effect.fnUntraced(function* <E, R>(status: Effect.Effect<Fleet, E, R>, everyMs: number) {
  let shown = yield* status
  let trouble: string | undefined
  const frame = (canvas: ScreenCanvas): Frame => {
    const [worst] = trouble === undefined ? troublesOf(shown) : [trouble]
    const status = worst && canvas.palette.bad(worst)
    const body = scrolled(columnsFor(shown), shown.runners, canvas)
    return { title: summaryOf(shown), state: "", status, body, keys: [] }
  }
  const look = Effect.map(Effect.result(status), (result) => {
    if (Result.isSuccess(result)) shown = result.success
    trouble = Result.isSuccess(result) ? undefined : safe((result.failure as { readonly message: string }).message)
  })
  yield* showing({ frame }, Effect.forever(Effect.delay(look, everyMs)))
})

/** Prints how all do, once or again and again; fails with `Reported` where not all is well. */
export const runStatus = Effect.fnUntraced(function* (settings: StatusSettings) {
  const status = yield* statusFor(settings)
  const { json, watch } = settings
  if (watch !== undefined && !json && canShow()) {
    return yield* showStatus(status, watch * 1000)
  }
  const look = Effect.flatMap(status, (fleet) => print(fleet, json))
  if (watch !== undefined) return yield* Effect.forever(Effect.andThen(look, Effect.sleep(watch * 1000)))
  if (!(yield* look)) return yield* new Reported()
})
