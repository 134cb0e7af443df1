/** The function that runs the commands of an RCON server. */
import * as Effect from "effect/Effect"

/** The client that sent a command, and its protocol. */
export interface CommandSource {
  readonly address: string
  readonly port: number
  readonly engine: "goldsource" | "quake" | "source"
}

/** Runs a command and returns its output: a text, a promise of a text, or an effect that succeeds with a text. The output may be empty. */
export type CommandHandler = (
  command: string,
  from: CommandSource
) => Effect.Effect<string> | PromiseLike<string> | string

/** Converts the result of a handler to an effect. */
const given = (result: unknown): Effect.Effect<unknown> => {
  if (Effect.isEffect(result)) return result as Effect.Effect<unknown>
  return typeof result === "string" ? Effect.succeed(result) : Effect.promise(async () => result)
}

/** Runs a handler. If the handler fails, the reply is an error message, and the cause is logged as a warning. */
export const runHandler = (handler: CommandHandler, command: string, from: CommandSource): Effect.Effect<string> =>
  Effect.suspend(() => given(handler(command, from))).pipe(
    Effect.flatMap((text) =>
      typeof text === "string"
        ? Effect.succeed(text)
        : Effect.fail(new TypeError(`The handler must return a text, not ${typeof text}.`))
    ),
    Effect.catchCause((cause) =>
      Effect.as(Effect.logWarning("An RCON command failed", cause), "The server failed to carry out this command.\n")
    )
  )
