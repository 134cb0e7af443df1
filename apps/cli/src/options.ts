/**
 * Flags and arguments as data: the kinds that there are, and those that several commands share, so that all are called, explained and
 * checked alike. `commandLine/` reads command lines by them.
 */
import { Limits } from "@sourcewire/core/machines"
import type { Encoding } from "@sourcewire/protocol"
import { ENCODINGS } from "@sourcewire/protocol/machines"
import type * as Redacted from "effect/Redacted"

export interface Flag<A> {
  readonly is: "argument" | "switch" | "text" | "whole" | "secret"
  /** That of a flag comes from its key: `max-stale` from `maxStale`. */
  readonly name: string
  readonly description: string
  /** One letter. */
  readonly alias?: string
  /** What help shows in the place of the value; shells complete names of files where it begins with `FILE`, or is `DIRECTORY`. */
  readonly metavar?: string | undefined
  /** The only values of a text. */
  readonly words?: ReadonlyArray<string>
  /** The least and the most that a whole number may be. */
  readonly least?: number
  readonly most?: number
  /** The value of a whole number whose flag stands alone. */
  readonly alone?: number
  /** Whether a switch has `--no-` as well. */
  readonly negatable?: boolean
  /** `one` must be given unless it has a default; `maybe` is `undefined` where it is not; the value of `many` is a list. */
  readonly times: "one" | "maybe" | "many"
  /** The default. */
  readonly otherwise?: A
}

/** What a flag is for, with its default where there is one to tell. */
export const descriptionOf = ({ description, is, otherwise }: Flag<unknown>): string =>
  otherwise === undefined || is === "switch" ? description : `${description}; ${String(otherwise)} unless given`

/** What a command takes, in the order in which help lists it. */
export type Flags = Readonly<Record<string, Flag<unknown>>>

/** What a command line says, under the names of its {@link Flags}. */
export type Settings<F extends Flags> = {
  readonly [K in keyof F]: F[K] extends Flag<infer A> ? A : never
}

/** What is there of some values. */
export const given = <T extends object>(values: T): { readonly [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as typeof values

type More<A> = Partial<Omit<Flag<A>, "is" | "description" | "times">>

const kind =
  <A>(is: Flag<A>["is"], times: Flag<A>["times"]) =>
  (description: string, more: More<A> = {}): Flag<A> => ({ is, name: "", description, times, ...more })

/** An argument that must be given. */
export const argument = (name: string, description: string) => kind<string>("argument", "one")(description, { name })

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

/** A text that nobody else may see, if it is given. */
export const secret = valued<Redacted.Redacted<string> | undefined>("secret", "maybe")

export const oneOf = <const T extends string>(words: ReadonlyArray<T>, otherwise: T, description: string) =>
  kind<T>("text", "one")(description, { words, otherwise })

export const maybeOneOf = <const T extends string>(words: ReadonlyArray<T>, description: string) =>
  kind<T | undefined>("text", "maybe")(description, { words })

export const someOf = <const T extends string>(words: ReadonlyArray<T>, description: string) =>
  kind<ReadonlyArray<T>>("text", "many")(description, { words })

/** A whole number with a default; `more` says what is the least where that is not 1, as below. */
export const count = (otherwise: number, description: string, more: More<number> = {}) =>
  kind<number>("whole", "one")(description, { least: 1, otherwise, ...more })

export const optionalCount = (description: string, more: More<number | undefined> = {}) =>
  kind<number | undefined>("whole", "maybe")(description, { least: 1, ...more })

export const json = on("Print one JSON object per line, and nothing else, on standard output")

export const log = oneOf(["text", "json"], "text", "How the log on standard error is written")

export const ADDRESS = "host, host:port, 1.2.3.4:27015 or [::1]:27015; the port is 27015 unless given"

export const encoding = oneOf<Encoding>(
  ENCODINGS,
  "auto",
  "How texts are read; auto takes UTF-8 where it is valid and else guesses"
)

/** What every command that queries servers takes. */
export const query = {
  addresses: rest("address", ADDRESS),
  json,
  file: text("FILE", "Read more addresses from FILE (- is standard input): one per line, # begins a comment", {
    alias: "f"
  }),
  timeout: count(Limits.DEFAULT_TIMEOUT_MS, "Milliseconds that each query may take"),
  retries: count(Limits.DEFAULT_RETRIES, "How often to ask again when there is no answer", { least: 0 }),
  encoding,
  concurrency: count(64, "Servers to ask at a time"),
  trace: on("Show every datagram sent and received, field by field, on standard error")
}

export type QuerySettings = Settings<typeof query>

/** What commands take that read answers in the way of a game. */
export const queryOfGame = {
  ...query,
  game: text(
    "ID",
    "What the servers run, as `sourcewire games` lists it: where to ask, and how to read the answer; rust:HOST says it of one server"
  )
}
