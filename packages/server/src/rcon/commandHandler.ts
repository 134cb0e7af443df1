/** The function that runs the commands of an RCON server. */
import * as Effect from "effect/Effect"

/** The client of a command, and its protocol. */
export interface CommandSource {
  readonly address: string
  readonly port: number
  readonly engine: "goldsource" | "quake" | "source"
}

/** Runs a command and returns its output, empty if there is none; at once, as a promise or an effect. */
export type CommandHandler = (
  command: string,
  from: CommandSource
) => Effect.Effect<string> | PromiseLike<string> | string

/** A text is returned at once; a promise waits for everything that is not an effect. */
const given = (result: unknown): Effect.Effect<unknown> => {
  if (Effect.isEffect(result)) return result as Effect.Effect<unknown>
  return typeof result === "string" ? Effect.succeed(result) : Effect.promise(async () => result)
}

/** Runs a handler. Its errors become a line of the reply, and their cause a warning in the log. */
export const runHandler = (handler: CommandHandler, command: string, from: CommandSource): Effect.Effect<string> =>
  Effect.suspend(() => given(handler(command, from))).pipe(
    Effect.flatMap((text) =>
      typeof text === "string"
        ? Effect.succeed(text)
        : Effect.fail(new TypeError(`No text came of it, but ${typeof text}.`))
    ),
    Effect.catchCause((cause) =>
      Effect.as(Effect.logWarning("An RCON command failed", cause), "The server failed to carry out this command.\n")
    )
  )
