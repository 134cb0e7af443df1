/** Whoever carries out the commands, as an RCON server calls him. */
import * as Effect from "effect/Effect"

/** Who gave a command, and by which protocol. */
export interface CommandSource {
  readonly address: string
  readonly port: number
  readonly engine: "goldsource" | "quake" | "source"
}

/** Carries out a command and gives the text that it prints, empty when it prints nothing; at once, as a promise or an effect. */
export type CommandHandler = (
  command: string,
  from: CommandSource
) => Effect.Effect<string> | PromiseLike<string> | string

/** A text at once; for all else that is no effect a promise waits. */
const given = (result: unknown): Effect.Effect<unknown> => {
  if (Effect.isEffect(result)) return result as Effect.Effect<unknown>
  return typeof result === "string" ? Effect.succeed(result) : Effect.promise(async () => result)
}

/** Runs a handler. Whatever goes wrong in it becomes a line of the reply, and its cause a warning in the log. */
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
