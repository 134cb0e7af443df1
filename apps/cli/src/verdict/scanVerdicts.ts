/** Runs `sourcewire scan --verdict`. */
import * as Effect from "effect/Effect"
import { Reported, UsageError } from "../exitCode.ts"
import { type ScanSettings, scanOptions } from "../scan/flags.ts"
import { chooseFormat } from "../scan/formats.ts"
import { type TargetPlan, excludedFrom, streamTargets } from "../scan/targets.ts"
import type { Predicate } from "../scan/where.ts"
import { runVerdicts } from "./runVerdicts.ts"
import { readSteamList } from "./steamList.ts"

const forbidden: ReadonlyArray<readonly [flag: string, isSet: (settings: ScanSettings) => boolean]> = [
  ["--watch", ({ watch }) => watch !== undefined],
  ["--checkpoint", ({ checkpoint }) => checkpoint !== undefined],
  ["--game", ({ game }) => game !== undefined],
  ["--ordered", ({ ordered }) => ordered],
  ["--query", ({ query }) => query !== "info"]
]

export const scanVerdicts = Effect.fnUntraced(function* (
  settings: ScanSettings,
  plan: TargetPlan,
  where: Predicate | undefined
) {
  const other = forbidden.find(([, isSet]) => isSet(settings))
  if (other !== undefined)
    return yield* new UsageError(`--verdict and ${other[0]} cannot be combined. Remove one of them.`)
  const failed = yield* runVerdicts(streamTargets(plan), {
    ...scanOptions(settings),
    exclude: excludedFrom(plan, settings.exclude),
    intervalSeconds: settings.verdict!,
    listed: settings.steamList === undefined ? undefined : yield* readSteamList(settings.steamList),
    format: chooseFormat(settings),
    answered: settings.answered,
    where
  })
  if (failed) return yield* new Reported()
})
