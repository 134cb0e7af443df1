/**
 * Functions that declare flags and arguments, and declarations of the flags that several commands share. The modules in `commandLine/`
 * parse command lines and format the help according to these declarations.
 */
import { Limits } from "@sourcewire/core/engine"
import type { Encoding } from "@sourcewire/protocol"
import { ENCODINGS } from "@sourcewire/protocol/wire"
import type * as Redacted from "effect/Redacted"

export interface Flag<A> {
  readonly is: "argument" | "switch" | "text" | "whole" | "duration" | "secret"
  /**
   * The name of a flag or an argument. {@link named} derives the name of a flag from the flag's key in the declaration of a command, for
   * example `max-stale` from `maxStale`.
   */
  readonly name: string
  readonly description: string
  /** The short form of the flag: a single letter. */
  readonly alias?: string
  /**
   * The placeholder for the value in help. If the placeholder begins with `FILE`, shells complete file names. If it is `DIRECTORY`, shells
   * complete names of directories.
   */
  readonly metavar?: string | undefined
  /** The allowed values of a flag with the type `text`. */
  readonly words?: ReadonlyArray<string>
  /**
   * The minimum of a flag whose value is a whole number or a duration. `most` is the maximum. If the value is a duration, `least` and
   * `most` are in the unit `unit`.
   */
  readonly least?: number
  readonly most?: number
  /** The unit in which the command receives a duration. If the user types a duration without a unit, the duration is also in this unit. */
  readonly unit?: "ms" | "s"
  /**
   * The value of the flag if the command line contains the flag without a value. For example, if `alone` is 60, `--watch` means
   * `--watch=60`.
   */
  readonly alone?: A
  /**
   * The value of the flag if the command line contains the negated flag, for example `--no-open` instead of `--open`. Absent if the flag
   * has no negated form.
   */
  readonly negated?: A
  /**
   * How many values the flag has. `one`: one value, which is required if there is no default. `maybe`: one value, or `undefined` if the
   * flag is absent. `many`: a list of values.
   */
  readonly times: "one" | "maybe" | "many"
  /** The value if the flag is absent from the command line. */
  readonly otherwise?: A
  /** The default that the help shows if the real default is known only when the command runs. */
  readonly defaultText?: string
}

/** The help text of a flag: its description, default, choices, and whether it can be repeated. */
export const formatDescription = (flag: Flag<unknown>): string => {
  const { alone, description, is, otherwise = alone, times, words = [] } = flag
  const { defaultText = otherwise === undefined || is === "switch" ? undefined : String(otherwise) } = flag
  const notes = [
    ...(defaultText === undefined ? [] : [`default: ${defaultText}`]),
    ...(words.length === 0 ? [] : [`one of: ${words.join(", ")}`]),
    ...(times === "many" && is !== "argument" ? ["repeatable"] : [])
  ]
  return notes.length === 0 ? description : `${description} (${notes.join("; ")})`
}

/** The flags of a command, in the order in which its help lists them. */
export type Flags = Readonly<Record<string, Flag<unknown>>>

/** Adds a name to each flag that has no name. The name is derived from the flag's key. */
export const named = <F extends Flags>(flags: F): F =>
  Object.fromEntries(
    Object.entries(flags).map(([key, one]) => [
      key,
      { ...one, name: one.name || key.replaceAll(/[A-Z]/g, (c) => `-${c.toLowerCase()}`) }
    ])
  ) as F

/** The values of a command's flags. Each value has the key under which the command declares the flag. */
export type Settings<F extends Flags> = {
  readonly [K in keyof F]: F[K] extends Flag<infer A> ? A : never
}

/** Removes the properties whose value is `undefined`. */
export const given = <T extends object>(values: T): { readonly [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as typeof values

type More<A> = Partial<Omit<Flag<A>, "is" | "description" | "times">>

const kind =
  <A>(is: Flag<A>["is"], times: Flag<A>["times"]) =>
  (description: string, more: More<A> = {}): Flag<A> => ({ is, name: "", description, times, ...more })

/** A required argument. */
export const argument = (name: string, description: string) => kind<string>("argument", "one")(description, { name })

export const optionalArgument = (name: string, description: string) =>
  kind<string | undefined>("argument", "maybe")(description, { name })

export const rest = (name: string, description: string) =>
  kind<ReadonlyArray<string>>("argument", "many")(description, { name })

export const on = (description: string, more: More<boolean> = {}) =>
  kind<boolean>("switch", "one")(description, { otherwise: false, ...more })

const valued =
  <A>(is: Flag<A>["is"], times: Flag<A>["times"]) =>
  (metavar: string | undefined, description: string, more: More<A> = {}) =>
    kind<A>(is, times)(description, { metavar, ...more })

export const text = valued<string | undefined>("text", "maybe")

export const textOr = (metavar: string, otherwise: string, description: string) =>
  kind<string>("text", "one")(description, { metavar, otherwise })

export const texts = valued<ReadonlyArray<string>>("text", "many")

/** A flag whose value is a secret. The value is never printed. */
export const secret = valued<Redacted.Redacted<string> | undefined>("secret", "maybe")

export const oneOf = <const T extends string>(
  words: ReadonlyArray<T>,
  otherwise: T,
  description: string,
  more: More<T> = {}
) => kind<T>("text", "one")(description, { words, otherwise, ...more })

export const optionalChoice = <const T extends string>(
  words: ReadonlyArray<T>,
  description: string,
  more: More<T | undefined> = {}
) => kind<T | undefined>("text", "maybe")(description, { words, ...more })

export const choices = <const T extends string>(
  words: ReadonlyArray<T>,
  description: string,
  more: More<ReadonlyArray<T>> = {}
) => kind<ReadonlyArray<T>>("text", "many")(description, { words, ...more })

/**
 * A flag with a whole number and a default. Like the other functions in this module that declare numbers or durations, this function sets
 * the minimum to 1. To set another minimum, pass `least` in `more`.
 */
export const count = (otherwise: number, description: string, more: More<number> = {}) =>
  kind<number>("whole", "one")(description, { least: 1, otherwise, ...more })

export const optionalCount = (description: string, more: More<number | undefined> = {}) =>
  kind<number | undefined>("whole", "maybe")(description, { least: 1, ...more })

/** A flag with a whole number. If the command line contains the flag without a number, the value of the flag is the text `alone`. */
export const optionalCountOr = <const T extends string>(alone: T, description: string) =>
  kind<number | T | undefined>("whole", "maybe")(description, { least: 1, alone })

/** A flag with a duration in milliseconds and a default. */
export const milliseconds = (otherwise: number, description: string, more: More<number> = {}) =>
  kind<number>("duration", "one")(description, { least: 1, unit: "ms", metavar: "MS", otherwise, ...more })

export const optionalMilliseconds = (description: string, more: More<number | undefined> = {}) =>
  kind<number | undefined>("duration", "maybe")(description, { least: 1, unit: "ms", metavar: "MS", ...more })

export const optionalSeconds = (description: string, more: More<number | undefined> = {}) =>
  kind<number | undefined>("duration", "maybe")(description, { least: 1, unit: "s", metavar: "SECONDS", ...more })

export const json = on("Print one JSON object per line")

export const log = oneOf(["text", "json"], "text", "Format of the log on standard error")

export const ordered = on("Print results in the order of the targets, not in the order of replies")

/** The flag `--verdict`, for commands that can query each server twice and compare the replies. */
export const verdict = optionalSeconds(
  "Query each server twice, with this interval, and report facts that contradict each other",
  { alone: 60 }
)

export const steamList = text(
  "FILE",
  "With --verdict: compare with Steam's counts in FILE, a saved reply of IGameServersService/GetServerList"
)

export const ADDRESS = "HOST or HOST:PORT, as in 192.0.2.7:27015 or [::1]:27015 (default port: 27015)"

export const encoding = oneOf<Encoding>(
  ENCODINGS,
  "auto",
  "Encoding of names and texts; auto: UTF-8 if the bytes are valid UTF-8, otherwise a guess"
)

/** Flags that are common to most commands that query servers. */
export const query = {
  addresses: rest("address", ADDRESS),
  json,
  file: text("FILE", "Read more addresses from FILE (-: standard input), one per line; # starts a comment", {
    alias: "f"
  }),
  timeout: milliseconds(Limits.DEFAULT_TIMEOUT_MS, "Time limit per part of a query (INFO, PLAYER, RULES)"),
  retries: count(Limits.DEFAULT_RETRIES, "Retransmissions of a request without a reply", { least: 0 }),
  encoding,
  ordered,
  concurrency: count(64, "Maximum number of targets in flight"),
  trace: on("Print every datagram sent and received, field by field, on standard error")
}

export type QuerySettings = Settings<typeof query>

export const steamKeyFile = text(
  "FILE",
  "File with a key of Steam's Web API, for servers behind its relays (169.254.0.0/16)",
  { defaultText: "STEAM_API_KEY" }
)

/** The flags of commands that interpret replies according to the server's game. */
export const gameQueryFlags = {
  ...query,
  game: text(
    "ID",
    "Game of the servers, an id of `sourcewire games`: selects the query port and the details. For one server: rust:HOST"
  ),
  steamKeyFile
}
