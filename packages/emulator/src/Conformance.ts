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

const runCase = async (one: ConformanceCase, subject: ConformanceSubject): Promise<ConformanceResult> => {
  const { group, name } = one
  let timer: ReturnType<typeof setTimeout> | undefined
  const impatience = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`did not end within ${PATIENCE_MS} ms`)), PATIENCE_MS)
  })
  try {
    await Promise.race([one.run(subject), impatience])
    return { group, name }
  } catch (error) {
    return { group, name, problem: error instanceof Error ? error.message : String(error) }
  } finally {
    clearTimeout(timer)
  }
}

/** Runs every case, several at a time, those that load the machine alone; yields results as they come. */
export async function* runConformance(subject: ConformanceSubject): AsyncGenerator<ConformanceResult, void> {
  const waiting = conformanceCases.filter(({ alone }) => alone !== true)
  const running = new Map<ConformanceCase, Promise<readonly [ConformanceCase, ConformanceResult]>>()
  while (waiting.length > 0 || running.size > 0) {
    while (running.size < LANES && waiting.length > 0) {
      const one = waiting.shift()!
      running.set(
        one,
        runCase(one, subject).then((result) => [one, result] as const)
      )
    }
    const [ended, result] = await Promise.race(running.values())
    running.delete(ended)
    yield result
  }
  for (const one of conformanceCases.filter(({ alone }) => alone === true)) yield await runCase(one, subject)
}
