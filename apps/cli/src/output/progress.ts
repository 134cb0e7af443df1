/** One line at the bottom of the terminal while a command works, on standard error: how far it has come, or that it waits. */
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as Scope from "effect/Scope"
import type { Surface } from "./output.ts"
import { fit } from "./text.ts"

/** The line; there is none where no terminal is. */
export interface Progress {
  /** Prints something with the line out of its way. */
  readonly around: <A, E, R>(print: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

const NONE: Progress = { around: (print) => print }

const ERASE = "\r\u001b[K"

/** A line whose text `describe` gives, until the scope closes. */
export const progress = (surface: Surface, describe: () => string): Effect.Effect<Progress, never, Scope.Scope> => {
  if (!surface.isTerminal) return Effect.succeed(NONE)
  const draw = Effect.suspend(() => surface.write(surface.palette.faint(fit(describe(), surface.columns - 1))))
  const erase = surface.write(ERASE)
  return Effect.as(
    Effect.acquireRelease(draw, () => erase),
    { around: (print) => Effect.ensuring(Effect.andThen(erase, print), draw) }
  )
}

const TURNS = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"]
const TURN_MS = 80
/** What comes sooner needs no sign that it is waited for. */
const SPIN_AFTER_MS = 300

/** A line that turns until the first print or the end of the scope; `describe` is given the milliseconds since the beginning. */
export const spinner = Effect.fnUntraced(function* (surface: Surface, describe: (elapsedMs: number) => string) {
  if (!surface.isTerminal) return NONE
  const begun = Date.now()
  let turns = 0
  const draw = Effect.suspend(() => {
    const turn = surface.palette.accent(TURNS[turns++ % TURNS.length]!)
    return surface.write(`\r${turn} ${surface.palette.faint(fit(describe(Date.now() - begun), surface.columns - 3))}`)
  })
  const erase = Effect.suspend(() => (turns === 0 ? Effect.void : surface.write(ERASE)))
  yield* Effect.addFinalizer(() => erase)
  const turning = Effect.forever(Effect.andThen(draw, Effect.sleep(TURN_MS)))
  const fiber = yield* Effect.forkScoped(Effect.delay(turning, SPIN_AFTER_MS))
  const stopped: Progress = {
    around: (print) => Effect.andThen(Effect.andThen(Fiber.interrupt(fiber), erase), print)
  }
  return stopped
})
