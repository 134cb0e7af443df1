/**
 * Time for the RCON sessions, which are plain classes: Effect's clock enters here, so that a test's clock drives them.
 *
 * @module
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"

/** A monotonic clock and one-shot timers. */
export interface Timers {
  /** Milliseconds since some fixed moment. */
  readonly now: () => number
  /** Calls `then` once after `ms`; the returned function prevents it. */
  readonly after: (ms: number, then: () => void) => () => void
}

/** The timers of the fibre that asks. */
export const timers: Effect.Effect<Timers> = Effect.gen(function* () {
  const context = yield* Effect.context<never>()
  const clock = yield* Clock.Clock
  const fork = Effect.runForkWith(context)
  return {
    now: () => Number(clock.monotonicTimeNanosUnsafe()) / 1e6,
    after: (ms, then) => {
      const fiber = fork(Effect.andThen(Effect.sleep(ms), Effect.sync(then)))
      return () => fiber.interruptUnsafe()
    }
  }
})
