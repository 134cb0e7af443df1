/**
 * A store that does not wait for ever. A way to the database that is cut tells nobody: TCP would send again what was lost after as long
 * as it has tried already, and until then nobody would learn that others have taken over.
 */
import { currentTiming } from "@sourcewire/core/engine"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { StoreFailed, type Store } from "./Store.ts"

/** So long an answer may take, beside what rows take. Longer than the database keeps a transaction in which nothing is said. */
const ANSWER_MS = 10_000
/** What a row may take, which is a hundred times what it does. */
const ROW_MS = 2
/** So many targets of a slice are read at most in the time that they are given. */
const TARGETS_OF_SLICE = 5000

/** The same store, in which claims, reading what is known and writing fail when no answer comes in time. */
export const withTimeouts = (store: typeof Store.Service, answerMs = ANSWER_MS): typeof Store.Service => {
  const within = Effect.fnUntraced(function* <A>(work: Effect.Effect<A, StoreFailed>, rows: number) {
    const { schedule } = yield* currentTiming
    const fiber = yield* Effect.forkDetach(work, { startImmediately: true })
    const deadlineMs = answerMs + rows * ROW_MS
    const message = `the database has not answered for ${Math.round(deadlineMs / 1000)} s`
    // A statement that nothing comes back to takes its time to end, too.
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
