/**
 * The engine's clock in programs with Effect. This module uses Effect's `Clock`, so that a test clock controls the engine. The Promise API
 * uses the runtime's clock directly, because Effect's `Clock` would also load Effect's module for durations.
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { live, type Timing } from "./Timing.ts"

/**
 * The clock and timers of the running effect's `Clock`. If the `Clock` is Effect's default clock, the result is the runtime's own clock and
 * timers.
 */
export const timing: Effect.Effect<Timing> = /* @__PURE__ */ Effect.contextWith((context: Context.Context<never>) => {
  const clock = Context.get(context, Clock.Clock)
  if (clock === Context.get(Context.empty(), Clock.Clock)) return Effect.succeed(live)
  const fork = Effect.runForkWith(context)
  return Effect.succeed<Timing>({
    now: () => Number(clock.monotonicTimeNanosUnsafe()) / 1e6,
    schedule: (delayMs, run) => {
      // The delay is rounded up to whole milliseconds, because a clock that truncates the fraction would run the timer too early.
      const fiber = fork(Effect.andThen(Effect.sleep(Math.ceil(delayMs)), Effect.sync(run)))
      return () => fiber.interruptUnsafe()
    }
  })
})

/** Waits for `ms` milliseconds. */
export const sleep = ({ schedule }: Timing, ms: number): Effect.Effect<void> =>
  Effect.callback((resume) => {
    const cancel = schedule(ms, () => resume(Effect.void))
    return Effect.sync(cancel)
  })
