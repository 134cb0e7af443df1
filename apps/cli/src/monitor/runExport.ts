/** Runs `sourcewire monitor export`: exports the history of a monitor. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { ProgramError } from "../exitCode.ts"
import { Output } from "../output/output.ts"
import { readBody, fetchFrom } from "./fetchFrom.ts"
import type { ExportSettings } from "./flags.ts"
import { parsePeriod } from "./period.ts"
import { tokenIn } from "./settings.ts"

const TIMEOUT_MS = 60_000
const DAYS_30_MS = 30 * 86_400_000

export const runExport = Effect.fnUntraced(function* (settings: ExportSettings) {
  const { out } = yield* Output
  const now = yield* Clock.currentTimeMillis
  const { format, group, tokenFile, url, what } = settings
  const end =
    settings.to === undefined ? now : (yield* parsePeriod({ from: undefined, to: settings.to }, { from: 0, to: 0 })).to
  const { from, to } = yield* parsePeriod(settings, { from: end - DAYS_30_MS, to: end })
  const query = new URLSearchParams({
    from: String(from),
    to: String(to),
    format: format === "json" ? "ndjson" : "csv",
    ...(group === undefined ? {} : { group })
  })
  const monitor = { url, token: yield* tokenIn(tokenFile) }
  const response = yield* fetchFrom(monitor, `/api/export/${what}?${query.toString()}`, TIMEOUT_MS)
  if (!response.ok || response.body === null) return yield* Effect.asVoid(readBody(response, "the export"))
  const decoder = new TextDecoder()
  yield* Stream.fromReadableStream({
    evaluate: () => response.body!,
    onError: () =>
      new ProgramError("The monitor ended the export early. The printed part is incomplete: run the command again.")
  }).pipe(
    Stream.map((bytes) => decoder.decode(bytes, { stream: true })),
    Stream.runForEach(out.write)
  )
})
