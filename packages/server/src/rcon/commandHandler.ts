/**
 * Whoever carries out the commands, as an RCON server calls him.
 *
 * @module
 */
import * as Effect from "effect/Effect"

/** Who gave a command, and by which protocol. */
export interface CommandSource {
  readonly address: string
  readonly port: number
  readonly engine: "goldsource" | "quake" | "source"
}

/** Carries out a command and gives the text that it prints, empty when it prints nothing. */
export type CommandHandler = (command: string, from: CommandSource) => Effect.Effect<string> | string

/** Runs a handler. Whatever goes wrong in it becomes a line of the reply, and its cause a warning in the log. */
export const runHandler = (handler: CommandHandler, command: string, from: CommandSource): Effect.Effect<string> =>
  Effect.suspend(() => {
    const result = handler(command, from)
    return typeof result === "string" ? Effect.succeed(result) : result
  }).pipe(
    Effect.catchCause((cause) =>
      Effect.as(Effect.logWarning("An RCON command failed", cause), "The server failed to carry out this command.\n")
    )
  )
