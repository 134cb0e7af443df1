/**
 * Starts a scan: validates the options and creates the objects of the scan. When the scope closes, the scan stops and closes its sockets.
 */
import * as Effect from "effect/Effect"
import type { AddressInput } from "../client/ClientShape.ts"
import { Datagrams } from "../engine/Datagrams.ts"
import { type PlainTargets, type ScanOptions, checkedScanOptions } from "./ScanOptions.ts"
import type { ScanQuery } from "./ScanResult.ts"
import { timing } from "../engine/effectTiming.ts"
import { isFunction, isObject, readable, refuse } from "../edge.ts"
import { HostLookup } from "../engine/lookup.ts"
import { MAX_REMEMBERED_NAMES } from "../Limits.ts"
import { ScanRun } from "./scanRun.ts"
import { SERVER_QUERIES } from "../query/ServerExchange.ts"

type Targets = Iterable<AddressInput> | AsyncIterable<AddressInput>

const isIterable = (value: object): value is Targets =>
  isFunction((value as Partial<Iterable<unknown>>)[Symbol.iterator]) ||
  isFunction((value as Partial<AsyncIterable<unknown>>)[Symbol.asyncIterator])

const toIterable = (targets: PlainTargets): Targets => {
  if (typeof targets === "string") return [targets]
  if (isObject(targets)) {
    if (isIterable(targets)) return targets
    if ("host" in targets) return [targets as AddressInput]
  }
  return refuse("targets", "an address, or an array or another source of addresses", targets)
}

const checkedQuery = (query: unknown): ScanQuery => {
  if (SERVER_QUERIES.includes(query as ScanQuery)) return query as ScanQuery
  const hint = isObject(query) ? " (options are the third argument)" : ""
  return refuse("query", `one of ${SERVER_QUERIES.join(", ")}${hint}`, query)
}

export const beginScan = /* @__PURE__ */ Effect.fnUntraced(function* (
  targets: PlainTargets,
  query: ScanQuery,
  options: ScanOptions | undefined
) {
  const datagrams = yield* Datagrams
  const source = yield* Effect.fromResult(readable(() => toIterable(targets), "targets"))
  const chosen = yield* Effect.fromResult(readable(() => checkedQuery(query)))
  const settings = yield* Effect.fromResult(checkedScanOptions(options))
  const scope = yield* Effect.scope
  const clock = yield* timing
  const fork = Effect.runForkWith(yield* Effect.context<never>())
  const run = new ScanRun({
    ...settings,
    targets: options?.stop?.aborted === true ? [] : source,
    query: chosen,
    timing: clock,
    open: datagrams.open,
    lookup: new HostLookup(datagrams.resolve, clock, fork, settings.recurring ? 0 : MAX_REMEMBERED_NAMES),
    fork,
    forkScoped: (effect) => fork(Effect.forkIn(effect, scope, { startImmediately: true }))
  })
  const stop = (): void => run.stop()
  options?.stop?.addEventListener("abort", stop)
  yield* Effect.addFinalizer(() =>
    Effect.suspend(() => {
      options?.stop?.removeEventListener("abort", stop)
      return run.close
    })
  )
  return run
})
