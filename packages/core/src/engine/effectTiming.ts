/**
 * The engine's clock in programs with Effect: it follows Effect's `Clock`, so that a test's clock drives everything. Promises have the
 * runtime's own, since Effect's brings its durations along.
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { live, type Timing } from "./Timing.ts"

/** Follows the `Clock` of the running effect; the runtime's own functions directly where that clock is the usual one. */
export const timing: Effect.Effect<Timing> = /* @__PURE__ */ Effect.contextWith((context: Context.Context<never>) => {
  const clock = Context.get(context, Clock.Clock)
  if (clock === Context.get(Context.empty(), Clock.Clock)) return Effect.succeed(live)
  const fork = Effect.runForkWith(context)
  return Effect.succeed<Timing>({
    now: () => Number(clock.monotonicTimeNanosUnsafe()) / 1e6,
    schedule: (delayMs, run) => {
      // Whole milliseconds, since a clock that rounds a fraction away would come too early for ever.
      const fiber = fork(Effect.andThen(Effect.sleep(Math.ceil(delayMs)), Effect.sync(run)))
      return () => fiber.interruptUnsafe()
    }
  })
})

/** Lasts so long. */
export const sleep = ({ schedule }: Timing, ms: number): Effect.Effect<void> =>
  Effect.callback((resume) => {
    const cancel = schedule(ms, () => resume(Effect.void))
    return Effect.sync(cancel)
  })
