/**
 * A store with time limits. If the connection to the database is interrupted, TCP retransmits for many minutes before it reports an error.
 * During this time, a monitor without time limits would not detect that other instances have claimed its slices.
 */
import { currentTiming } from "@sourcewire/core/engine"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { StoreFailed, type Store } from "./Store.ts"

/** Base time limit of an operation. It is longer than the database's limit for idle transactions. */
const ANSWER_MS = 10_000
/** Additional time limit per row. The database usually needs about a hundredth of this time to read or write a row. */
const ROW_MS = 2
/** For a read of whole slices, the time limit is computed as if each slice had this number of targets. */
const TARGETS_OF_SLICE = 5000

/** Returns `store` with time limits: claims, reads of the latest state, and writes fail if they exceed their time limit. */
export const withTimeouts = (store: typeof Store.Service, answerMs = ANSWER_MS): typeof Store.Service => {
  const within = Effect.fnUntraced(function* <A>(work: Effect.Effect<A, StoreFailed>, rows: number) {
    const { schedule } = yield* currentTiming
    const fiber = yield* Effect.forkDetach(work, { startImmediately: true })
    const deadlineMs = answerMs + rows * ROW_MS
    const message = `the database did not respond within ${Math.round(deadlineMs / 1000)} s`
    // If a statement receives no reply, it cannot be interrupted quickly. Therefore this function does not wait for the interruption.
    const giveUp = Effect.andThen(Effect.forkDetach(Fiber.interrupt(fiber)), new StoreFailed({ message }))
    return yield* Effect.callback<A, StoreFailed>((resume) => {
      const cancel = schedule(deadlineMs, () => resume(giveUp))
      fiber.addObserver((exit) => {
        cancel()
        resume(exit)
      })
      return Effect.suspend(() => {
        cancel()
        return Fiber.interrupt(fiber)
      })
    })
  })

  return {
    ...store,
    claim: (owner, slices) => within(store.claim(owner, slices), slices.length),
    known: (of, numbers) => within(store.known(of, numbers), numbers.length * (of === "slices" ? TARGETS_OF_SLICE : 1)),
    write: (batch) =>
      within(
        store.write(batch),
        batch.known.length + batch.changes.length + batch.hours.length + batch.incidents.length
      ),
    noteInFlight: (owner, targets, atMs, isMore) =>
      within(store.noteInFlight(owner, targets, atMs, isMore), targets.length)
  }
}
