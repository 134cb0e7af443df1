/**
 * Asks a server that nobody watches, now and once: in a recurring scan that runs for all who want that, which costs a third of a client.
 */
import type { Address, ScanResult } from "@sourcewire/core"
import { type ScanBudget, scanBatches } from "@sourcewire/core/machines"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import * as Stream from "effect/Stream"
import type { Way } from "../config/Config.ts"

/** Somebody to ask; a scan can be handed this. */
interface Asked extends Address {
  readonly answered: Deferred.Deferred<ScanResult>
}

/** What asks, for the life of the scope. Whoever asks the same address meanwhile shares the answer. The host must be numeric. */
export const makeAsking = Effect.fnUntraced(function* ({ retries, timeoutMs }: Omit<Way, "query">, budget: ScanBudget) {
  const queue = yield* Queue.unbounded<Asked>()
  const underWay = new Map<string, Asked>()
  const keyOf = ({ host, port }: Address): string => `${host} ${port}`
  yield* scanBatches(Stream.fromQueue(queue), "info", { retries, timeoutMs, budget, recurring: true }).pipe(
    Stream.runForEach((batch) =>
      Effect.sync(() => {
        for (const result of batch) {
          const asked = result.target as Asked
          underWay.delete(keyOf(asked))
          Deferred.doneUnsafe(asked.answered, Effect.succeed(result))
        }
      })
    ),
    Effect.orDie,
    Effect.forkScoped({ startImmediately: true })
  )
  return (address: Address): Effect.Effect<ScanResult> =>
    Effect.suspend(() => {
      const known = underWay.get(keyOf(address))
      if (known !== undefined) return Deferred.await(known.answered)
      const asked = { ...address, answered: Deferred.makeUnsafe<ScanResult>() }
      underWay.set(keyOf(address), asked)
      Queue.offerUnsafe(queue, asked)
      return Deferred.await(asked.answered)
    })
})
