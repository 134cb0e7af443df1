/**
 * What runs for weeks goes on when nobody takes what it prints, and when its terminal hangs up: game servers are not to vanish with a
 * log.
 */
import * as Effect from "effect/Effect"
import type { makeLog } from "./log.ts"

/** How long after the log can be written again it says what it has lost, at most. */
const RESUME = "1 second"

/** Calls `run` at SIGHUP, which otherwise would end the program, for the life of the scope. */
export const atHangUp = (run: () => void) =>
  Effect.acquireRelease(
    Effect.sync(() => process.on("SIGHUP", run)),
    () => Effect.sync(() => process.off("SIGHUP", run))
  )

/** Keeps the program, for the life of the scope, from ending with its readers or its terminal. `hasConfig`: it reads a file again then. */
export const outlive = ({ log, writer }: ReturnType<typeof makeLog>, hasConfig: boolean) =>
  Effect.gen(function* () {
    // From here on no fault of these ends the program; the log writes by itself.
    process.stderr.removeAllListeners("error").on("error", () => {})
    process.stdout
      .removeAllListeners("error")
      .on("error", ({ message }) =>
        log("warn", "output", `where it listens could not be printed: ${message}`, { reason: message })
      )
    yield* atHangUp(() => {
      if (!hasConfig) log("info", "hang-up", "SIGHUP: there is no --config FILE to read again")
    })
    yield* Effect.sleep(RESUME).pipe(
      Effect.andThen(Effect.sync(() => writer.resume())),
      Effect.forever,
      Effect.forkScoped
    )
  })
