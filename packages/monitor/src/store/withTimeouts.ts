/**
 * Adds time limits to a store. If the connection to the database is interrupted, TCP retransmits for many minutes before it reports an
 * error. During this time, a monitor without time limits would not detect that other instances have claimed its slices.
 */
import { currentTiming } from "@sourcewire/core/engine"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { StoreFailed, type Store } from "./Store.ts"

/**
 * Base time limit of an operation. This limit is longer than the five seconds after which Postgres closes a session with an idle
 * transaction.
 */
const ANSWER_MS = 10_000
/** Additional time limit per row. The database usually reads or writes a row in about a hundredth of this time. */
const ROW_MS = 2
/**
 * When an operation reads whole slices, the number of rows is not known in advance. The time limit of the operation is then computed as if
 * each slice had this number of rows.
 */
const TARGETS_OF_SLICE = 5000

/**
 * Returns a store that uses `store`, and adds time limits to `claim`, `known` and `write`. If one of these operations exceeds its time
 * limit, the operation fails.
 */
export const withTimeouts = (store: typeof Store.Service, answerMs = ANSWER_MS): typeof Store.Service => {
  const within = Effect.fnUntraced(function* <A>(work: Effect.Effect<A, StoreFailed>, rows: number) {
    const { schedule } = yield* currentTiming
    const fiber = yield* Effect.forkDetach(work, { startImmediately: true })
    const deadlineMs = answerMs + rows * ROW_MS
    const message = `the database did not respond within ${Math.round(deadlineMs / 1000)} s`
    // If the database does not respond, the interruption of a statement takes long. Therefore this function does not wait for the end of
    // the interruption.
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
