/** Game servers on a network in memory, to be scanned. */
import * as Effect from "effect/Effect"
import type { MemoryNetwork } from "../src/Testing.ts"
import { serve } from "./memoryServer.ts"
import * as messages from "./messages.ts"

/** What each of them wants first. */
const CHALLENGE = "0a0b0c0d"

/** INFO, PLAYER and RULES of whoever brings the challenge back. */
export const answer = (request: string): ReadonlyArray<string> => {
  if (!request.endsWith(CHALLENGE)) return [messages.challengeOf(CHALLENGE)]
  if (request.startsWith("ffffffff54")) return [messages.INFO]
  return request.startsWith("ffffffff55") ? [messages.PLAYERS] : messages.RULES_SPLIT
}

/** `count` servers, the i-th at `addressOf(i)`; gives those as targets. */
export const farmAt = Effect.fnUntraced(function* (
  network: MemoryNetwork,
  count: number,
  addressOf: (i: number) => string
) {
  const targets: Array<string> = []
  for (let i = 0; i < count; i++) {
    const address = addressOf(i)
    yield* serve(network, answer, { address, port: 27_015 })
    targets.push(`${address}:27015`)
  }
  return targets
})
