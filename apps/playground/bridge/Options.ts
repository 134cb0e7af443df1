/** The options of a bridge: their types, and checks for callers without types. */
import { parseAddress } from "@sourcewire/core"
import { IpRanges } from "@sourcewire/core/address"
import * as Record from "effect/Record"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { isIP } from "node:net"
import { InvalidOption } from "@sourcewire/server"
import { DEFAULT_LIMITS } from "./Limits.ts"
import { findField, formatProblem } from "./form.ts"

const isTarget = (entry: string): boolean =>
  Result.isSuccess(IpRanges.parse(entry)) || Result.isSuccess(parseAddress(entry))

const Positive = Schema.optionalKey(Schema.Finite.check(Schema.isGreaterThan(0)))

const Options = Schema.Struct({
  /** Numeric address to listen on (default: 127.0.0.1). */
  host: Schema.optional(
    Schema.String.check(Schema.makeFilter((host) => isIP(host) !== 0 || "Expected a numeric address"))
  ),
  /** TCP port; 0: any free port (default: 0). */
  port: Schema.optional(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 65_535 }))),
  /** Whether the page may run console commands (default: `false`). */
  rcon: Schema.optional(Schema.Boolean),
  /**
   * Addresses that may be queried: ranges (`203.0.113.0/24`), `host` or `host:port`. Required if the bridge does not listen on
   * loopback (default on loopback: all).
   */
  allow: Schema.optional(
    Schema.Array(
      Schema.String.check(Schema.makeFilter((entry) => isTarget(entry) || "Expected a range, a host or host:port"))
    )
  ),
  /** Each `host:port` by which browsers reach a bridge that is not on loopback (default: its address and port). */
  names: Schema.optional(Schema.Array(Schema.String)),
  /** Directory of the built page (default: the page next to this package). */
  page: Schema.optional(Schema.String),
  /** Limits that differ from the defaults. */
  limits: Schema.optional(Schema.Struct(Record.map(DEFAULT_LIMITS, () => Positive)))
})

/** Options of a bridge: its listening address, and its features. */
export type PlaygroundOptions = typeof Options.Type

const decode = Schema.decodeUnknownResult(Options, { onExcessProperty: "error" })

export const checkOptions = (options: unknown): Result.Result<PlaygroundOptions, InvalidOption> =>
  Result.mapError(
    decode(options),
    ({ issue }) =>
      new InvalidOption({ option: findField(issue), message: formatProblem(issue, "The options of a playground") })
  )
