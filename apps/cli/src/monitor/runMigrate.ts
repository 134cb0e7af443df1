/** Runs `sourcewire monitor migrate`: copies a monitor's store into another database. */
import { copy, type CopyProgress } from "@sourcewire/monitor"
import * as Effect from "effect/Effect"
import { ProgramError, UsageError } from "../exitCode.ts"
import { jsonLine } from "../output/json.ts"
import { Output } from "../output/output.ts"
import { progress } from "../output/progress.ts"
import { bar, counted, plural } from "../view/quantities.ts"
import type { MigrateSettings } from "./flags.ts"
import { ownStore, chosenStore } from "./settings.ts"

const DRAW = "100 millis"

const describe = ({ all, done, table }: CopyProgress): string =>
  table === "" ? "counting rows …" : `${bar(done, all).join("")} ${counted(done)} of ${counted(all)} rows (${table})`

export const runMigrate = Effect.fnUntraced(function* ({ from, json, to, toFile }: MigrateSettings) {
  const { err, out } = yield* Output
  const target = yield* chosenStore({ store: to, storeFile: toFile }, "to")
  if (target === undefined) {
    return yield* new UsageError("No destination given. Use --to postgres://…, or --to-file FILE.")
  }
  const source = from ?? (yield* ownStore)
  if (source === target) return yield* new UsageError("--from and --to are the same store. Give another destination.")
  let latest: CopyProgress = { table: "", done: 0, all: 0 }
  const copying = Effect.gen(function* () {
    const line = yield* progress(err, () => describe(latest))
    yield* Effect.forkScoped(Effect.forever(Effect.delay(line.around(Effect.void), DRAW)))
    return yield* copy({ from: source, to: target, onProgress: (current) => void (latest = current) })
  })
  const rows = yield* Effect.mapError(Effect.scoped(copying), ({ message }) => new ProgramError(message))
  if (json) return yield* out.line(jsonLine({ ok: true, rows: Object.fromEntries(rows) }))
  const of = (table: string): string => counted(rows.get(table) ?? 0)
  yield* out.line(
    `Copied: ${plural(rows.get("target") ?? 0, "server")}, ${of("sample")} hours of history, ${of("change")} changes.`
  )
})
