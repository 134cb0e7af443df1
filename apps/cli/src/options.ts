/** Flags: the kinds that there are, and those that several commands share, so that all are called, explained and checked alike. */
import { Limits } from "@sourcewire/core/machines"
import type { Encoding } from "@sourcewire/protocol"
import { ENCODINGS } from "@sourcewire/protocol/machines"
import * as Argument from "effect/cli/Argument"
import type * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"

/** What the parser makes of flags and arguments. */
export type Settings<Flags extends Command.Command.Config> = Command.Command.Config.Infer<Flags>

/** Runs a command by what `load` imports, so that no command loads another's code. */
export const later =
  <S, E, R>(load: () => Promise<(settings: S) => Effect.Effect<void, E, R>>) =>
  (settings: S): Effect.Effect<void, E, R> =>
    Effect.flatMap(Effect.promise(load), (run) => run(settings))

/** A flag that is given or not. */
export const on = (name: string, description: string) =>
  Flag.Boolean(name).pipe(Flag.withoutNegation, Flag.withDefault(false), Flag.withDescription(description))

const textFlag = (name: string, metavar: string | undefined, description: string) => {
  const flag = Flag.String(name).pipe(Flag.withDescription(description))
  return metavar === undefined ? flag : Flag.withMetavar(flag, metavar)
}

/** A text that may be given. */
export const text = (name: string, metavar: string | undefined, description: string) =>
  Flag.optional(textFlag(name, metavar, description))

/** A text that may be given more than once. */
export const texts = (name: string, metavar: string, description: string) =>
  Flag.atLeast(textFlag(name, metavar, description), 0)

/** One of several words. */
export const oneOf = <const T extends string>(
  name: string,
  words: ReadonlyArray<T>,
  otherwise: T,
  description: string
) => Flag.Literals(name, words).pipe(Flag.withDefault<T>(otherwise), Flag.withDescription(description))

/** A whole number of at least `least`. */
const whole = (name: string, least: number, description: string) =>
  Flag.Int(name).pipe(
    Flag.filter(
      (value) => value >= least,
      (value) => `--${name} must be ${least} or more, not ${value}`
    ),
    Flag.withDescription(description)
  )

/** A number with a default. */
export const count = (
  name: string,
  options: { readonly least: number; readonly otherwise: number; readonly description: string }
) => whole(name, options.least, options.description).pipe(Flag.withDefault(options.otherwise))

/** A number that may be given. */
export const optionalCount = (name: string, description: string, least = 1) =>
  Flag.optional(whole(name, least, description))

/** `--json`, on every command. */
export const json = on("json", "Print one JSON object per line, and nothing else, on standard output")

/** `--encoding`. */
export const encoding = oneOf<Encoding>(
  "encoding",
  ENCODINGS,
  "auto",
  "How texts are read; auto takes UTF-8 where it is valid and else guesses"
)

/** What every command that queries servers takes. */
export const query = {
  addresses: Argument.String("address").pipe(
    Argument.withDescription("host, host:port, 1.2.3.4:27015 or [::1]:27015; the port is 27015 unless given"),
    Argument.variadic()
  ),
  json,
  file: Flag.withAlias(
    text("file", "FILE", "Read more addresses from FILE (- is standard input): one per line, # begins a comment"),
    "f"
  ),
  timeout: count("timeout", {
    least: 1,
    otherwise: Limits.DEFAULT_TIMEOUT_MS,
    description: "Milliseconds that each query may take"
  }),
  retries: count("retries", {
    least: 0,
    otherwise: Limits.DEFAULT_RETRIES,
    description: "How often to ask again when there is no answer"
  }),
  encoding,
  concurrency: count("concurrency", { least: 1, otherwise: 64, description: "Servers to ask at a time" }),
  trace: on("trace", "Show every datagram sent and received, field by field, on standard error")
}

/** What the command line says of a query. */
export type QuerySettings = Settings<typeof query>
