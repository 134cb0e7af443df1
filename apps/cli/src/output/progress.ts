/** Shows a progress line at the bottom of the terminal. */
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { identity } from "effect/Function"
import type * as Scope from "effect/Scope"
import type { Surface } from "./output.ts"
import { fit } from "./text.ts"

export interface Progress {
  /** Erases the line, runs `print`, and draws the line again. */
  readonly around: <A, E, R>(print: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

/** A progress line that shows nothing, for output without a terminal. */
export const NO_LINE: Progress = { around: identity }

const ERASE = "\r\u001b[K"

/**
 * Shows a progress line with the text that `describe` returns, until the scope closes. If the output is not a terminal, nothing is shown.
 */
export const progress = (surface: Surface, describe: () => string): Effect.Effect<Progress, never, Scope.Scope> => {
  if (!surface.isTerminal) return Effect.succeed(NO_LINE)
  const draw = Effect.suspend(() => surface.write(surface.palette.faint(fit(describe(), surface.columns - 1))))
  const erase = surface.write(ERASE)
  return Effect.as(
    Effect.acquireRelease(draw, () => erase),
    { around: (print) => Effect.ensuring(Effect.andThen(erase, print), draw) }
  )
}

const SPINNER = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"]
const SPINNER_MS = 80
/** Time in ms before the spinner appears. If the reply arrives within this time, as most replies do, no spinner is shown. */
const SPIN_AFTER_MS = 300

/**
 * Shows a spinner, the text `waiting`, and the number of seconds since the call. The spinner disappears before the first output, or when
 * the scope closes. If the output is not a terminal, nothing is shown.
 */
export const spinner = Effect.fnUntraced(function* (
  surface: Surface,
  name: string,
  waiting = `No reply from ${name} for`
) {
  if (!surface.isTerminal) return NO_LINE
  const begun = Date.now()
  let frame = 0
  const draw = Effect.suspend(() => {
    const spinner = surface.palette.accent(SPINNER[frame++ % SPINNER.length]!)
    const text = `${waiting} ${((Date.now() - begun) / 1000).toFixed(1)} s`
    return surface.write(`\r${spinner} ${surface.palette.faint(fit(text, surface.columns - 3))}`)
  })
  const turning = yield* Effect.andThen(draw, Effect.sleep(SPINNER_MS)).pipe(
    Effect.forever,
    Effect.ensuring(surface.write(ERASE)),
    Effect.delay(SPIN_AFTER_MS),
    Effect.forkScoped
  )
  const stopped: Progress = { around: (print) => Effect.andThen(Fiber.interrupt(turning), print) }
  return stopped
})

/** Returns a surface on which no progress lines are shown, for commands that print lines while they wait for a reply. */
export const unmoving = (surface: Surface): Surface => ({ ...surface, isTerminal: false })
