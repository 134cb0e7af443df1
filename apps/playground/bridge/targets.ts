/**
 * Which addresses the bridge may ask. On loopback it is the reader's own tool and asks whatever it is told. Bound elsewhere, strangers
 * use it: then it asks only what is on a list, and never an address of a private network.
 */
import { type Address, type InvalidAddress, type Unresolved, parseAddress } from "@sourcewire/core"
import { IpRanges } from "@sourcewire/core/address"
import { Datagrams } from "@sourcewire/core/transport"
import { type NotQueryable, notQueryable } from "@sourcewire/games"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import { type Failure, TargetRefused } from "./Api.ts"

export interface TargetPolicy {
  /** Ranges such as `203.0.113.0/24`, or `host`, `host:port`; empty for everything. */
  readonly allow: ReadonlyArray<string>
  /** Whether addresses of this machine and of private networks may be asked. */
  readonly local: boolean
}

/** What strangers get to nowhere: beside private networks what is shared, reserved, multicast, or stands for an IPv4 address. */
const RESERVED: ReadonlyArray<IpRanges.IpRange> = [
  "0.0.0.0/8",
  "100.64.0.0/10",
  "192.0.0.0/24",
  "198.18.0.0/15",
  "224.0.0.0/4",
  "240.0.0.0/4",
  "::",
  "::ffff:0:0/96",
  "64:ff9b::/96",
  "2002::/16",
  "ff00::/8"
].map((text) => Result.getOrThrow(IpRanges.parse(text)))

/** Whether a numeric address is that of a host on the open internet. */
export const isPublic = (address: string): boolean =>
  ![...IpRanges.LOCAL, ...RESERVED].some((range) => IpRanges.contains(range, address))

const isListed = (entry: string, target: Address, numeric: string): boolean => {
  const range = IpRanges.parse(entry)
  if (Result.isSuccess(range)) return IpRanges.contains(range.success, numeric)
  const address = parseAddress(entry, target.port)
  return Result.isSuccess(address) && address.success.host === target.host && address.success.port === target.port
}

/**
 * The address to ask, numeric, so that a name cannot mean something else when it is looked up again.
 */
export const checkTarget = (
  input: string,
  { allow, local }: TargetPolicy
): Effect.Effect<Address, InvalidAddress | Unresolved | NotQueryable | TargetRefused, Datagrams> =>
  Effect.gen(function* () {
    const target = yield* Effect.fromResult(parseAddress(input))
    const datagrams = yield* Datagrams
    const { address, family } = yield* datagrams.resolve(target.host)
    if (!local && !isPublic(address)) {
      return yield* new TargetRefused({ message: `${input} is no public address: this bridge does not ask it.` })
    }
    const why = notQueryable(address)
    if (why !== undefined) return yield* Effect.fail(why)
    if (allow.length > 0 && !allow.some((entry) => isListed(entry, target, address))) {
      return yield* new TargetRefused({ message: `${input} is not on the list of what this bridge may ask.` })
    }
    return { host: address, port: target.port, family }
  })

/** What comes of a target: one that may not be asked refuses the request, one that cannot be asked makes an event of it. */
export const onTarget = <A, E, R>(
  input: string,
  policy: TargetPolicy,
  failed: (error: Failure) => A,
  then: (target: Address) => Stream.Stream<A, E, R>
): Effect.Effect<Stream.Stream<A, E, R>, TargetRefused, Datagrams> =>
  checkTarget(input, policy).pipe(
    Effect.map(then),
    Effect.catchTag(["InvalidAddress", "Unresolved", "NotQueryable"], (error) =>
      Effect.succeed(Stream.make(failed(error)))
    )
  )
