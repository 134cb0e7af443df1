/**
 * `GET /probe?target=` probes one server, as Prometheus' blackbox exporter does. If the target is monitored and was already queried, the
 * response contains its latest state. A target that is not monitored is queried only if its address is in one of the ranges that the
 * configuration allows. Therefore clients cannot use the monitor to scan addresses outside these ranges.
 */
import { type Address, type AddressInput, formatAddress, parseAddress, type ScanBudget } from "@sourcewire/core"
import { IpRanges } from "@sourcewire/core/address"
import { scanBatches } from "@sourcewire/core/scan"
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Option from "effect/Option"
import * as Queue from "effect/Queue"
import * as Result from "effect/Result"
import * as Semaphore from "effect/Semaphore"
import * as Stream from "effect/Stream"
import { type Group, makeGroup, type Plan } from "../config/Config.ts"
import { Monitor } from "../watch/Monitor.ts"
import { observe } from "../watch/observe.ts"
import { unknown, Watched } from "../watch/Watched.ts"
import { metric, probeMetrics } from "./metrics.ts"

/** Maximum number of concurrent probes of targets for which the monitor has no result. */
const MAX_PROBES = 1000

/**
 * While a target is in flight, the scan does not query a second target with the same address. After this pause, in milliseconds, the second
 * target is added to the scan again.
 */
const AGAIN_MS = 200

const TYPE = "text/plain; version=0.0.4; charset=utf-8"

const metricsResponse = (text: string): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(text, { contentType: TYPE })

/** A response that streams metrics in portions. Other work runs between two portions. */
export const metricsStream = (portions: Iterable<string>): HttpServerResponse.HttpServerResponse => {
  const paced = Stream.fromIterable(portions, { chunkSize: 1 }).pipe(
    Stream.tap(() => Effect.promise(() => new Promise((resolve) => setImmediate(resolve))))
  )
  return HttpServerResponse.stream(Stream.encodeText(paced), { contentType: TYPE })
}

const refuse = (status: number, message: string): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(`${message}\n`, { status, contentType: "text/plain; charset=utf-8" })

const PROBED = makeGroup({ timeoutMs: 3000, retries: 2, downAfter: 1 }, "probe", {})

/**
 * Whether a target that is not monitored may be queried. Host names are refused, because the owner of a host name can return a
 * different address for every lookup. Therefore a target with a host name must be in the configuration.
 */
const mayProbe = ({ family, host }: Address, { allowedProbes }: Plan): boolean =>
  family !== undefined && allowedProbes.some((range) => IpRanges.contains(range, host))

const formatProbe = (target: Watched, success: boolean, seconds: number): string =>
  metric("probe_success", "gauge", "1 if the server replied to the last query, otherwise 0.", Number(success)) +
  metric("probe_duration_seconds", "gauge", "Duration of this probe.", seconds) +
  probeMetrics(target)

/**
 * Creates a function that queries a target for which the monitor has no result. A single scan serves all requests, and ends with the scope.
 * A new client for each request would need three times as much CPU time as this single scan. Concurrent requests for the same address share
 * the reply.
 */
const makeProber = Effect.fnUntraced(function* (budget: ScanBudget) {
  const clock = yield* Clock.Clock
  const { retries, timeoutMs } = PROBED.querySettings
  const queue = yield* Queue.unbounded<Watched>()
  const inFlight = new Map<string, Deferred.Deferred<Watched>>()
  const scope = yield* Effect.scope
  const fork = Effect.runForkWith(yield* Effect.context())
  // A configured host name and its numeric address can be probed at the same time, as two targets. In this case, the scan queries only the
  // target that was added first. Therefore the other target is added to the scan again after a pause.
  const onDuplicate = (target: AddressInput): void => {
    const again = Effect.andThen(Effect.sleep(AGAIN_MS), Queue.offer(queue, target as Watched))
    fork(Effect.forkIn(again, scope))
  }
  yield* scanBatches(Stream.fromQueue(queue), "info", {
    retries,
    timeoutMs,
    budget,
    recurring: true,
    onDuplicate
  }).pipe(
    Stream.runForEach((batch) =>
      Effect.sync(() => {
        for (const result of batch) {
          const target = result.target as Watched
          observe(target, result, clock.currentTimeMillisUnsafe())
          Deferred.doneUnsafe(inFlight.get(target.address)!, Effect.succeed(target))
          inFlight.delete(target.address)
        }
      })
    ),
    Effect.orDie,
    Effect.forkScoped({ startImmediately: true })
  )
  return (address: string, where: Address, group: Group = PROBED): Effect.Effect<Watched> =>
    Effect.suspend(() => {
      const known = inFlight.get(address)
      if (known !== undefined) return Deferred.await(known)
      const asked = Deferred.makeUnsafe<Watched>()
      inFlight.set(address, asked)
      Queue.offerUnsafe(queue, new Watched(0, address, where, group, unknown()))
      return Deferred.await(asked)
    })
})

export const makeProbe = Effect.gen(function* () {
  const monitor = yield* Monitor
  const ask = yield* makeProber(monitor.budget)
  const places = yield* Semaphore.make(MAX_PROBES)

  return Effect.fnUntraced(function* (query: URLSearchParams) {
    const module = query.get("module") ?? "info"
    if (module !== "info") return refuse(400, `There is no module ${module}. Use module=info.`)
    const parsed = parseAddress(query.get("target") ?? "")
    if (Result.isFailure(parsed)) return refuse(400, parsed.failure.message)
    const address = formatAddress(parsed.success)
    const began = performance.now()
    const seconds = (): number => (performance.now() - began) / 1000
    const watched = monitor.find(address)
    if (watched !== undefined) yield* monitor.refresh([watched])
    if (watched !== undefined && watched.known.queriedAt !== undefined) {
      return metricsResponse(formatProbe(watched, watched.known.failures === 0, seconds()))
    }
    if (watched === undefined && !mayProbe(parsed.success, monitor.plan())) {
      return refuse(403, `${address} is neither a target nor in a range of probe.allow in the configuration.`)
    }
    const asked = yield* places.withPermitsIfAvailable(1)(ask(address, parsed.success, watched?.group))
    if (Option.isNone(asked)) return refuse(503, "Too many servers are being probed. Try again later.")
    const { value: target } = asked
    return metricsResponse(formatProbe(target, target.known.last !== undefined, seconds()))
  })
})
