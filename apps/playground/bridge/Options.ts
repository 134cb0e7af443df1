/** What a bridge is started with, as types see it and as JavaScript may hand it over. */
import { parseAddress } from "@sourcewire/core"
import { IpRanges } from "@sourcewire/core/address"
import * as Record from "effect/Record"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { isIP } from "node:net"
import { InvalidOption } from "@sourcewire/server"
import { DEFAULT_LIMITS } from "./Limits.ts"
import { fieldOf, sentenceOf } from "./form.ts"

const isTarget = (entry: string): boolean =>
  Result.isSuccess(IpRanges.parse(entry)) || Result.isSuccess(parseAddress(entry))

const Positive = Schema.optionalKey(Schema.Finite.check(Schema.isGreaterThan(0)))

const Options = Schema.Struct({
  /** Numeric address to listen on; 127.0.0.1 unless given. */
  host: Schema.optional(
    Schema.String.check(Schema.makeFilter((host) => isIP(host) !== 0 || "Expected a numeric address"))
  ),
  /** TCP port; 0, the default, lets the system choose. */
  port: Schema.optional(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 65_535 }))),
  /** Whether the page may run console commands; `false` unless given. */
  rcon: Schema.optional(Schema.Boolean),
  /** What may be asked: ranges (`203.0.113.0/24`), `host` or `host:port`. Everything on loopback unless given, elsewhere required. */
  allow: Schema.optional(
    Schema.Array(
      Schema.String.check(Schema.makeFilter((entry) => isTarget(entry) || "Expected a range, a host or host:port"))
    )
  ),
  /** `host:port` as browsers name a bridge that is not on loopback; its address and port unless given. */
  names: Schema.optional(Schema.Array(Schema.String)),
  /** Directory of the built page; beside this package unless given. */
  page: Schema.optional(Schema.String),
  /** How much the bridge takes on, where that is not the default. */
  limits: Schema.optional(Schema.Struct(Record.map(DEFAULT_LIMITS, () => Positive)))
})

/** Where to listen, and what to offer. */
export type PlaygroundOptions = typeof Options.Type

const decode = Schema.decodeUnknownResult(Options, { onExcessProperty: "error" })

export const checkOptions = (options: unknown): Result.Result<PlaygroundOptions, InvalidOption> =>
  Result.mapError(
    decode(options),
    ({ issue }) =>
      new InvalidOption({ option: fieldOf(issue), message: sentenceOf(issue, "The options of a playground") })
  )
