/** Keeps a daemon running if its output cannot be written, or if its terminal is closed. */
import * as Effect from "effect/Effect"
import { explainSystemError } from "../systemError.ts"
import type { makeLog } from "./log.ts"

/** If log lines were lost, the program tries to report the loss at this interval. */
const RESUME = "1 second"

/** Calls `run` on SIGHUP until the scope closes. Without a handler, SIGHUP would end the program. */
export const onHangUp = (run: () => void) =>
  Effect.acquireRelease(
    Effect.sync(() => process.on("SIGHUP", run)),
    () => Effect.sync(() => process.off("SIGHUP", run))
  )

/**
 * Prevents write errors and SIGHUP from ending the program. If `hasConfig` is false, the program only logs that it received SIGHUP.
 * Otherwise, another handler (see `followConfig`) reloads the configuration file.
 */
export const keepRunning = ({ log, writer }: ReturnType<typeof makeLog>, hasConfig: boolean) =>
  Effect.gen(function* () {
    // The removed listeners end the program if standard error or standard output cannot be written. The new listeners do not end the
    // program.
    process.stderr.removeAllListeners("error").on("error", () => {})
    process.stdout.removeAllListeners("error").on("error", (error) => {
      const reason = explainSystemError(error)
      log("warn", "output", `cannot print where the program listens: ${reason}`, { reason })
    })
    yield* onHangUp(() => {
      if (!hasConfig) log("info", "hang-up", "SIGHUP received, but there is no --config file to reload")
    })
    yield* Effect.sleep(RESUME).pipe(
      Effect.andThen(Effect.sync(() => writer.resume())),
      Effect.forever,
      Effect.forkScoped
    )
  })
