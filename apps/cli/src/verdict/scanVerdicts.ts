/** `sourcewire scan --verdict`. */
import type { ListEntry } from "@sourcewire/verdict"
import { readFile } from "node:fs/promises"
import * as Effect from "effect/Effect"
import { Reported, UsageError, reading } from "../exitCode.ts"
import type { ScanSettings } from "../scan/flags.ts"
import { chooseFormat } from "../scan/formats.ts"
import { type TargetPlan, excludedFrom, streamTargets } from "../scan/targets.ts"
import type { Predicate } from "../scan/where.ts"
import { runVerdicts } from "./runVerdicts.ts"

interface SteamServer {
  readonly addr: string
  readonly players: number
  readonly bots?: number
  readonly secure?: boolean
}

const isServer = (value: unknown): value is SteamServer =>
  typeof value === "object" &&
  value !== null &&
  "addr" in value &&
  typeof value.addr === "string" &&
  "players" in value &&
  typeof value.players === "number"

/** Steam's entries by address, from a reply of `IGameServersService/GetServerList`. */
const readSteamList = Effect.fnUntraced(function* (file: string) {
  const text = yield* reading(file, () => readFile(file, "utf8"))
  const servers = yield* Effect.try({
    try: () => (JSON.parse(text) as { readonly response?: { readonly servers?: unknown } }).response?.servers,
    catch: () => new UsageError(`--steam-list: ${file} is not JSON.`)
  })
  if (!Array.isArray(servers))
    return yield* new UsageError(
      `--steam-list: ${file} has no list response.servers, as the reply of GetServerList has.`
    )
  return new Map<string, ListEntry>(servers.filter(isServer).map((server) => [server.addr, server]))
})

const forbidden: ReadonlyArray<readonly [flag: string, isSet: (settings: ScanSettings) => boolean]> = [
  ["--watch", ({ watch }) => watch !== undefined],
  ["--checkpoint", ({ checkpoint }) => checkpoint !== undefined],
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
  const { answered, concurrency, encoding, perHost, perNetwork, rate, retries, timeout: timeoutMs } = settings
  const failed = yield* runVerdicts(streamTargets(plan), {
    concurrency,
    encoding,
    perHost,
    perNetwork,
    rate,
    retries,
    timeoutMs,
    exclude: excludedFrom(plan, settings.exclude),
    intervalSeconds: settings.verdict!,
    listed: settings.steamList === undefined ? undefined : yield* readSteamList(settings.steamList),
    format: chooseFormat(settings),
    answered,
    where
  })
  if (failed) return yield* new Reported()
})
