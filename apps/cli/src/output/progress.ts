/**
 * One line at the bottom of the terminal that says how far a long command has come. Drawn on standard error, and only if that is a
 * terminal.
 */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Surface } from "./output.ts"
import { fit } from "./text.ts"

/** The line. */
export interface Progress {
  /** Prints something with the line out of its way. */
  readonly around: <A, E, R>(print: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

const ERASE = "\r\u001b[K"

/** A line whose text `describe` gives, until the scope closes. */
export const progress = (surface: Surface, describe: () => string): Effect.Effect<Progress, never, Scope.Scope> => {
  if (!surface.isTerminal) return Effect.succeed({ around: (print) => print })
  const draw = Effect.suspend(() => surface.write(surface.palette.faint(fit(describe(), surface.columns - 1))))
  const erase = surface.write(ERASE)
  const shown: Progress = { around: (print) => Effect.ensuring(Effect.andThen(erase, print), draw) }
  return Effect.as(
    Effect.acquireRelease(draw, () => erase),
    shown
  )
}
