/** Helpers for tests of scans: game servers on a simulated network, and a scanner that uses this network. */
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import type { ScanOptions } from "../src/scan/ScanOptions.ts"
import type { ScanQuery, ScanResult } from "../src/scan/ScanResult.ts"
import { scanBatches } from "../src/scan/Scanner.ts"
import type { ScanTargets } from "../src/scan/Scanner.ts"
import type { MemoryNetwork } from "../src/testing/Testing.ts"
import { networkLayer, makeNetwork, seededRandom } from "../src/testing/Testing.ts"
import { serve } from "./memoryServer.ts"
import * as messages from "./messages.ts"

/** The challenge that each server requires. */
const CHALLENGE = "0a0b0c0d"

/**
 * Returns the replies of a server to a request. If the request contains the challenge, the server sends the requested INFO, PLAYER or
 * RULES. Otherwise, the server sends the challenge.
 */
export const answer = (request: string): ReadonlyArray<string> => {
  if (!request.endsWith(CHALLENGE)) return [messages.challengeHex(CHALLENGE)]
  if (request.startsWith("ffffffff54")) return [messages.INFO]
  return request.startsWith("ffffffff55") ? [messages.PLAYERS] : messages.RULES_SPLIT
}

/** Starts `count` servers at different addresses, and returns the addresses as targets. */
export const farm = Effect.fnUntraced(function* (network: MemoryNetwork, count: number) {
  const targets: Array<string> = []
  for (let i = 0; i < count; i++) {
    const address = `10.${(i >> 16) & 255}.${(i >> 8) & 255}.${i & 255}`
    yield* serve(network, answer, { address, port: 27_015 })
    targets.push(`${address}:27015`)
  }
  return targets
})

/** Creates a simulated network, and a scanner that uses this network. */
export const setUp = Effect.fnUntraced(function* (options?: Parameters<typeof makeNetwork>[0]) {
  const network = yield* makeNetwork({ delayMs: 25, jitterMs: 5, seed: 7, reportsClosedPorts: false, ...options })
  const scanner = {
    scan: <Q extends ScanQuery = "info">(targets: ScanTargets, query?: Q, options?: ScanOptions) =>
      Stream.provide(scanBatches(targets, query, options), networkLayer(network))
  }
  /** Runs a scan, runs `meanwhile` during the scan, and returns all results. */
  const scanAll = Effect.fnUntraced(function* <Q extends ScanQuery = "info">(
    targets: ScanTargets,
    query?: Q,
    options?: ScanOptions,
    meanwhile: Effect.Effect<void> = Effect.void
  ) {
    const fiber = yield* Effect.forkChild(
      Stream.runCollect(scanner.scan(targets, query, { random: seededRandom(3), ...options })),
      { startImmediately: true }
    )
    yield* meanwhile
    yield* TestClock.adjust("2 minutes")
    const results: ReadonlyArray<ScanResult<Q>> = (yield* Fiber.join(fiber)).flat()
    return results
  })
  return { network, scanner, scanAll }
})

/** Lists the targets that replied. */
export const answered = (results: ReadonlyArray<ScanResult<ScanQuery>>) =>
  results.filter(({ _tag }) => _tag === "Answered").map(({ target }) => target)
