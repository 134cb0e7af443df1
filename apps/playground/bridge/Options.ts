/** What a bridge is started with, as types see it and as JavaScript may hand it over. */
import { parseAddress } from "@sourcewire/core"
import { IpRanges } from "@sourcewire/core/machines"
import * as Data from "effect/Data"
import * as Record from "effect/Record"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { isIP } from "node:net"
import { type BridgeLimits, DEFAULT_LIMITS } from "./Limits.ts"
import { sentenceOf } from "./sentence.ts"

/** Where to listen, and what to offer. */
export interface PlaygroundOptions {
  /** Numeric address to listen on; 127.0.0.1 unless given. */
  readonly host?: string
  /** TCP port; 0, the default, lets the system choose. */
  readonly port?: number
  /** Whether the page may run console commands; `false` unless given. */
  readonly rcon?: boolean
  /** What may be asked: ranges (`203.0.113.0/24`), `host` or `host:port`. Everything on loopback unless given, elsewhere required. */
  readonly allow?: ReadonlyArray<string>
  /** `host:port` as browsers name a bridge that is not on loopback; its address and port unless given. */
  readonly names?: ReadonlyArray<string>
  /** Directory of the built page; beside this package unless given. */
  readonly page?: string
  /** How much the bridge takes on, where that is not the default. */
  readonly limits?: Partial<BridgeLimits>
}

/** The options would make a bridge that is not safe, or none at all. */
export class InvalidPlayground extends Data.TaggedError("InvalidPlayground")<{
  /** A sentence for people. */
  readonly message: string
}> {}

const isTarget = (entry: string): boolean =>
  Result.isSuccess(IpRanges.parse(entry)) || Result.isSuccess(parseAddress(entry))

const Positive = Schema.optionalKey(Schema.Finite.check(Schema.isGreaterThan(0)))

const Options = Schema.Struct({
  host: Schema.optional(
    Schema.String.check(Schema.makeFilter((host) => isIP(host) !== 0 || "Expected a numeric address"))
  ),
  port: Schema.optional(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 65_535 }))),
  rcon: Schema.optional(Schema.Boolean),
  allow: Schema.optional(
    Schema.Array(
      Schema.String.check(Schema.makeFilter((entry) => isTarget(entry) || "Expected a range, a host or host:port"))
    )
  ),
  names: Schema.optional(Schema.Array(Schema.String)),
  page: Schema.optional(Schema.String),
  limits: Schema.optional(
    Schema.Struct(Record.map(DEFAULT_LIMITS as Record<keyof BridgeLimits, number>, () => Positive))
  )
})

const decode = Schema.decodeUnknownResult(Options, { onExcessProperty: "error" })

/** The options, or why they are none. */
export const checkOptions = (options: unknown): Result.Result<typeof Options.Type, InvalidPlayground> =>
  Result.mapError(
    decode(options),
    ({ issue }) => new InvalidPlayground({ message: sentenceOf(issue, "The options of a playground") })
  )
