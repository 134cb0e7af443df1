/**
 * A suite that a runtime's transport has to pass: the seams' promises, every scenario, RCON however TCP cuts it, giving up, many
 * sockets and many targets, over real sockets on loopback. Behind `@sourcewire/emulator/conformance`; it needs no test framework.
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

/** Every row of the table. */
export const conformanceCases: ReadonlyArray<ConformanceCase> = [
  ...datagramCases,
  ...queryCases,
  ...rconCases,
  ...cancellationCases
]

/** How one row ended. */
export interface ConformanceResult {
  readonly group: ConformanceCase["group"]
  readonly name: string
  /** What was wrong, for people; absent when nothing was. */
  readonly problem?: string
}

/** Cases that run side by side: many of them mostly wait. */
const LANES = 8

/** Longest that a case may take, in ms, some minutes' work of a loaded machine included. */
const PATIENCE_MS = 60_000

const runCase = (
  { group, name, run }: ConformanceCase,
  subject: ConformanceSubject
): Effect.Effect<ConformanceResult> =>
  Effect.tryPromise({
    try: () => run(subject),
    catch: (error) => (error instanceof Error ? error.message : String(error))
  }).pipe(
    Effect.timeoutOrElse({
      duration: PATIENCE_MS,
      orElse: () => Effect.fail(`did not end within ${PATIENCE_MS} ms`)
    }),
    Effect.match({ onFailure: (problem) => ({ group, name, problem }), onSuccess: () => ({ group, name }) })
  )

/** Runs every case, several at a time, those that load the machine alone; yields results as they come. */
export const runConformance = (subject: ConformanceSubject): AsyncIterable<ConformanceResult> => {
  const run = (cases: ReadonlyArray<ConformanceCase>, concurrency: number) =>
    Stream.mapEffect(Stream.fromIterable(cases), (one) => runCase(one, subject), { concurrency, unordered: true })
  const alone = conformanceCases.filter(({ alone }) => alone)
  const others = conformanceCases.filter(({ alone }) => !alone)
  return Stream.toAsyncIterable(Stream.concat(run(others, LANES), run(alone, 1)))
}
