/**
 * A test suite for the transport of a runtime. The suite tests the guarantees of the transport interfaces, every scenario of the
 * emulator, RCON with many different splits of the TCP stream, cancellation, many sockets, and many targets. The suite uses real sockets on
 * loopback and needs no test framework. Import the suite from `@sourcewire/emulator/conformance`.
 *
 * @example
 * import { conformanceCases, runConformance } from "@sourcewire/emulator/conformance"
 * import { layer } from "@sourcewire/transport-node/effect"
 * for await (const { name, problem } of runConformance({ transport: layer, reportsClosedPorts: true })) {
 *   console.log(problem === undefined ? "passed" : "FAILED", name, problem ?? "")
 * }
 *
 * @module
 */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { cancellationCases } from "./conformance/cancellation.ts"
import type { ConformanceCase, ConformanceSubject } from "./conformance/ConformanceCase.ts"
import { datagramCases } from "./conformance/datagrams.ts"
import { queryCases } from "./conformance/queries.ts"
import { rconCases } from "./conformance/rcon.ts"

export type { ConformanceCase, ConformanceSubject } from "./conformance/ConformanceCase.ts"

/** All test cases of the suite. */
export const conformanceCases: ReadonlyArray<ConformanceCase> = [
  ...datagramCases,
  ...queryCases,
  ...rconCases,
  ...cancellationCases
]

/** The result of one test case of the suite. */
export interface ConformanceResult {
  readonly group: ConformanceCase["group"]
  readonly name: string
  /** A sentence that describes the problem; absent if the case passed. */
  readonly problem?: string
}

/** Number of cases that run in parallel. The number is larger than the usual number of cores, because most cases wait most of the time. */
const PARALLEL_CASES = 8

/** Time limit of a case in ms, with a margin for a busy machine. */
const TIME_LIMIT_MS = 60_000

const runCase = (
  { group, name, run }: ConformanceCase,
  subject: ConformanceSubject
): Effect.Effect<ConformanceResult> =>
  Effect.tryPromise({
    try: () => run(subject),
    catch: (error) => (error instanceof Error ? error.message : String(error))
  }).pipe(
    Effect.timeoutOrElse({
      duration: TIME_LIMIT_MS,
      orElse: () => Effect.fail(`did not end within ${TIME_LIMIT_MS} ms`)
    }),
    Effect.match({ onFailure: (problem) => ({ group, name, problem }), onSuccess: () => ({ group, name }) })
  )

/**
 * Runs all cases, and yields the result of each case when the case ends. Several cases run in parallel, but cases that load the machine run
 * alone.
 */
export const runConformance = (subject: ConformanceSubject): AsyncIterable<ConformanceResult> => {
  const run = (cases: ReadonlyArray<ConformanceCase>, concurrency: number) =>
    Stream.mapEffect(Stream.fromIterable(cases), (one) => runCase(one, subject), { concurrency, unordered: true })
  const alone = conformanceCases.filter(({ alone }) => alone)
  const others = conformanceCases.filter(({ alone }) => !alone)
  return Stream.toAsyncIterable(Stream.concat(run(others, PARALLEL_CASES), run(alone, 1)))
}
