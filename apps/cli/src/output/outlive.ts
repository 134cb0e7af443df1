/** A proxy goes on when nobody takes what it prints, and when its terminal hangs up: game servers are not to vanish with a log. */
import * as Effect from "effect/Effect"
import type { Log } from "./log.ts"

/** From here on no fault of standard output or standard error ends the program. The log, which writes by itself, is told of the first. */
export const outliveReaders = (log: Log) =>
  Effect.sync(() => {
    process.stderr.removeAllListeners("error").on("error", () => {})
    process.stdout
      .removeAllListeners("error")
      .on("error", ({ message }) =>
        log("warn", "output", `where it listens could not be printed: ${message}`, { reason: message })
      )
  })

/** Calls `run` at SIGHUP, which otherwise would end the program, for the life of the scope. */
export const atHangUp = (run: () => void) =>
  Effect.acquireRelease(
    Effect.sync(() => process.on("SIGHUP", run)),
    () => Effect.sync(() => process.off("SIGHUP", run))
  )
