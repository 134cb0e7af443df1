/** `sourcewire master`: prints the list of a master server, page by page. */
import { formatAddress, parseAddress } from "@sourcewire/core"
import { masterPages, DEFAULT_MASTER_PORT, MasterFilter, type PagingEnd } from "@sourcewire/core/master"

import { layer } from "@sourcewire/transport-node/effect"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import { Reported, UsageError, isUsage, recordFailure } from "../exitCode.ts"
import { jsonLine } from "../output/json.ts"
import { Output } from "../output/output.ts"
import { spinner, unmoving } from "../output/progress.ts"
import { formatSentence } from "../output/sentences.ts"
import { clientLayer } from "../query/runQueries.ts"
import { printFailure } from "../view/failureLine.ts"
import { plural } from "../view/quantities.ts"
import type { SteamList } from "../verdict/steamList.ts"
import type { MasterSettings } from "./flags.ts"

/** Parses the value of `--filter`: either `KEY=VALUE`, or a filter in the notation of the protocol, such as `\KEY\VALUE`. */
const parseFilter = (text: string): Result.Result<MasterFilter.MasterFilter, UsageError> => {
  if (text.startsWith("\\")) {
    return Result.mapError(MasterFilter.parse(text), ({ message }) => new UsageError(`--filter: ${message}`))
  }
  const match = /^([^=]+)=(.*)$/.exec(text)
  return match === null
    ? Result.fail(new UsageError(`--filter must be KEY=VALUE or \\KEY\\VALUE, not "${text}".`))
    : Result.succeed([{ key: match[1]!, value: match[2]! }])
}

const parseFilters = Effect.fnUntraced(function* ({ filter, game, map }: MasterSettings) {
  const terms: Array<MasterFilter.Term> = []
  if (game !== undefined) terms.push({ key: "gamedir", value: game })
  if (map !== undefined) terms.push({ key: "map", value: map })
  for (const text of filter) terms.push(...(yield* Effect.fromResult(parseFilter(text))))
  return terms
})

const ENDS: Readonly<Record<PagingEnd, string>> = {
  complete: "the list is complete",
  unconfirmed: "the end of the list is not confirmed: servers may be missing",
  empty: "the master did not mark the end of the list",
  loop: "the master started to repeat entries",
  silence: "the master stopped responding",
  limit: "stopped at --max"
}

/**
 * Whether a list is the decoy of a Xash3D master: a list that contains only the master's own address. The master sends the decoy to clients
 * whose filter does not contain the engine's version. The master's host can have several addresses. Therefore this function compares the
 * ports of the listed address and of the master, but not the hosts.
 */
const isDecoy = (listed: ReadonlyArray<string>, filter: MasterFilter.MasterFilter, master: string): boolean => {
  const port = (address: string): string => address.slice(address.lastIndexOf(":"))
  const namesVersion = MasterFilter.format(filter)
    .pipe(Result.getOrElse(() => ""))
    .includes("\\clver\\")
  return listed.length === 1 && !namesVersion && port(listed[0]!) === port(master)
}

const DECOY =
  "This entry is the master's own address, not a game server: a Xash3D master sends it to clients that do not send their engine's version. Use `--filter clver=0.21`. If the operator requires a recent build, add `--filter buildnum=NUMBER`."

const countsIn = Effect.fnUntraced(function* (file: string) {
  const { readSteamList } = yield* Effect.promise(() => import("../verdict/steamList.ts"))
  return yield* readSteamList(file)
})

/** Queries the listed servers, and prints each server with the findings about this server. */
const printVerdicts = Effect.fnUntraced(function* (
  servers: ReadonlyArray<string>,
  { json, retries, timeout: timeoutMs }: MasterSettings,
  intervalSeconds: number,
  listed: SteamList | undefined
) {
  const { runVerdicts } = yield* Effect.promise(() => import("../verdict/runVerdicts.ts"))
  const format = json ? "json" : "table"
  const options = { listed, intervalSeconds, timeoutMs, retries, format, answered: false, where: undefined } as const
  if (yield* runVerdicts(servers, options).pipe(Effect.provide(layer))) return yield* new Reported()
})

/**
 * Runs `sourcewire master`. If the master stops responding, the command still prints the pages that it has received, and then fails with
 * `Reported`.
 */
export const runMaster = Effect.fnUntraced(function* (settings: MasterSettings) {
  const { err, notes, out } = yield* Output
  const filter = yield* parseFilters(settings)
  if (settings.address !== undefined && settings.server !== undefined) {
    return yield* new UsageError(
      `Two master servers given: ${settings.address} and --server ${settings.server}. Give one of them.`
    )
  }
  const server = settings.address ?? settings.server
  if (server === undefined) {
    return yield* new UsageError("No master server given. Valve's public master is offline; use ADDRESS or --server.")
  }
  if (settings.steamList !== undefined && settings.verdict === undefined)
    return yield* new UsageError("--steam-list requires --verdict.")
  const listed = settings.steamList === undefined ? undefined : yield* countsIn(settings.steamList)
  const name = Result.match(parseAddress(server, DEFAULT_MASTER_PORT), {
    onSuccess: formatAddress,
    onFailure: () => server
  })
  let servers = 0
  let first: ReadonlyArray<string> = []
  let pages = 0
  const found: Array<string> = []
  let end: PagingEnd | undefined
  const pageStream = masterPages(server, {
    filter,
    region: settings.region,
    timeoutMs: settings.timeout,
    retries: settings.retries,
    maxServers: settings.max,
    pageIntervalMs: settings.interval
  })
  const listing = Effect.gen(function* () {
    const line = yield* spinner(settings.trace ? unmoving(notes) : notes, name)
    yield* Stream.runForEach(pageStream, (page) => {
      pages = page.number
      servers += page.servers.length
      if (page.servers.length > 0 && first.length === 0) first = page.servers
      end = page.end
      if (settings.verdict !== undefined) {
        found.push(...page.servers)
        return Effect.void
      }
      const lines = page.servers.map((address) =>
        settings.json ? jsonLine({ address, ok: true, master: name }) : address
      )
      return line.around(out.line(...lines))
    })
  })
  const summary = Effect.suspend(() =>
    notes.line(
      `${plural(servers, "server")} in ${plural(pages, "page")}; ${end === undefined ? "there may be more" : ENDS[end]}`
    )
  )
  const result = yield* Effect.scoped(listing).pipe(
    Effect.provide(clientLayer(settings.trace)),
    Effect.result,
    Effect.onInterrupt(() => summary)
  )
  if (Result.isSuccess(result)) {
    yield* summary
    if (servers === 1 && isDecoy(first, filter, name)) yield* err.line(formatSentence(err, "", DECOY))
    return settings.verdict === undefined ? undefined : yield* printVerdicts(found, settings, settings.verdict, listed)
  }
  const error = result.failure
  if (isUsage(error)) return yield* Effect.fail(error)
  recordFailure()
  yield* printFailure(name, error, settings.json)
  if (pages > 0) yield* summary
  return yield* new Reported()
})
