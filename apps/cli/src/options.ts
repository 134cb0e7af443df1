/**
 * Flags that several commands share, declared once so that they are called, explained and checked alike.
 *
 * @module
 */
import { Limits } from "@sourcewire/core"
import type { Encoding } from "@sourcewire/protocol"
import { ENCODINGS } from "@sourcewire/protocol/machines"
import * as Argument from "effect/cli/Argument"
import * as Flag from "effect/cli/Flag"

/** `--json`, on every command. */
export const json = Flag.Boolean("json").pipe(
  Flag.withoutNegation,
  Flag.withDefault(false),
  Flag.withDescription("Print one JSON object per line, and nothing else, on standard output")
)

/** `--encoding`. */
export const encoding = Flag.Literals("encoding", ENCODINGS as ReadonlyArray<Encoding>).pipe(
  Flag.withDefault<Encoding>("auto"),
  Flag.withDescription("How texts are read; auto takes UTF-8 where it is valid and else guesses")
)

/** A whole number of at least `least`. */
const atLeast = (least: number) => (value: number) => value >= least
const must = (name: string, least: number) => (value: number) => `--${name} must be ${least} or more, not ${value}`

const whole = (name: string, least: number) => Flag.Int(name).pipe(Flag.filter(atLeast(least), must(name, least)))

/** `--count`-like flags with a default. */
export const count = (
  name: string,
  options: { readonly least: number; readonly otherwise: number; readonly description: string }
) => whole(name, options.least).pipe(Flag.withDefault(options.otherwise), Flag.withDescription(options.description))

/** What every command that queries servers takes. */
export const query = {
  json,
  file: Flag.String("file").pipe(
    Flag.withAlias("f"),
    Flag.withMetavar("FILE"),
    Flag.optional,
    Flag.withDescription("Read more addresses from FILE (- is standard input): one per line, # begins a comment")
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
  trace: Flag.Boolean("trace").pipe(
    Flag.withoutNegation,
    Flag.withDefault(false),
    Flag.withDescription("Show every datagram sent and received, field by field, on standard error")
  )
}

/** The addresses of a query command. */
export const addresses = Argument.String("address").pipe(
  Argument.withDescription("host, host:port, 1.2.3.4:27015 or [::1]:27015; the port is 27015 unless given"),
  Argument.variadic()
)
