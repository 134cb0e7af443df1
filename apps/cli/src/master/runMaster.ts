/** Prints a master server's list as it comes in: the work of `sourcewire master`. */
import { formatAddress, parseAddress } from "@sourcewire/core"
import { masterPages, DEFAULT_MASTER_PORT, MasterFilter, type PagingEnd } from "@sourcewire/core/machines"

import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import { Reported, UsageError, isUsage, recordFailure } from "../exitCode.ts"
import { jsonLine } from "../output/json.ts"
import { Output } from "../output/output.ts"
import { spinner, unmoving } from "../output/progress.ts"
import { clientLayer } from "../query/runQueries.ts"
import { printFailure } from "../view/failureLine.ts"
import { plural } from "../view/quantities.ts"
import type { MasterSettings } from "./command.ts"

/** One `--filter`: `key=value`, or the protocol's own text. */
const parseFilter = (text: string): Result.Result<MasterFilter.MasterFilter, UsageError> => {
  if (text.startsWith("\\")) {
    return Result.mapError(MasterFilter.parse(text), ({ message }) => new UsageError(`--filter: ${message}`))
  }
  const match = /^([^=]+)=(.*)$/.exec(text)
  return match === null
    ? Result.fail(new UsageError(`--filter takes key=value or \\key\\value, not "${text}".`))
    : Result.succeed([{ key: match[1]!, value: match[2]! }])
}

const filterOf = Effect.fnUntraced(function* ({ filter, game, map }: MasterSettings) {
  const terms: Array<MasterFilter.Term> = []
  if (game !== undefined) terms.push({ key: "gamedir", value: game })
  if (map !== undefined) terms.push({ key: "map", value: map })
  for (const text of filter) terms.push(...(yield* Effect.fromResult(parseFilter(text))))
  return terms
})

const ENDS: Readonly<Record<PagingEnd, string>> = {
  complete: "the list is complete",
  unconfirmed: "asked again the master sent something else: some may be missing",
  empty: "the master stopped without an end mark",
  loop: "the master began to repeat itself",
  silence: "the master said no more",
  limit: "stopped at --max"
}

/** Lists; fails with `Reported` when the master stops answering. What came until then has been printed. */
export const runMaster = Effect.fnUntraced(function* (settings: MasterSettings) {
  const { err, out } = yield* Output
  const filter = yield* filterOf(settings)
  const server = settings.server ?? ""
  const name = Result.match(parseAddress(server, DEFAULT_MASTER_PORT), {
    onSuccess: formatAddress,
    onFailure: () => server
  })
  let servers = 0
  let pages = 0
  let end: PagingEnd | undefined
  const asked = masterPages(server, {
    filter,
    region: settings.region,
    timeoutMs: settings.timeout,
    retries: settings.retries,
    maxServers: settings.max,
    pageIntervalMs: settings.interval
  })
  const listing = Effect.gen(function* () {
    const line = yield* spinner(settings.trace ? unmoving(err) : err, name)
    yield* Stream.runForEach(asked, (page) => {
      pages = page.number
      servers += page.servers.length
      end = page.end
      const lines = page.servers.map((address) =>
        settings.json ? jsonLine({ address, ok: true, master: name }) : address
      )
      return line.around(out.line(...lines))
    })
  })
  const summary = Effect.suspend(() =>
    err.line(
      `${plural(servers, "server")} in ${plural(pages, "page")}; ${end === undefined ? "there may be more" : ENDS[end]}`
    )
  )
  const result = yield* Effect.scoped(listing).pipe(
    Effect.provide(clientLayer(settings.trace)),
    Effect.result,
    Effect.onInterrupt(() => summary)
  )
  if (Result.isSuccess(result)) return yield* summary
  const error = result.failure
  if (isUsage(error)) return yield* Effect.fail(error)
  recordFailure()
  yield* printFailure(name, error, settings.json)
  if (pages > 0) yield* summary
  return yield* new Reported()
})
