/**
 * Decides which addresses the bridge may query. A bridge on loopback may query all addresses, because only users of this host can use it. A
 * bridge on another address can be used by other hosts. It queries only listed addresses, and no addresses of private networks.
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
  /** Ranges such as `203.0.113.0/24`, or `host`, `host:port`; empty allows all addresses. */
  readonly allow: ReadonlyArray<string>
  /** Whether addresses of this host and of private networks may be queried. */
  readonly local: boolean
}

/** Ranges besides private networks that other hosts must not reach: shared, reserved, multicast, and IPv6 forms of IPv4 addresses. */
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

/** Whether a numeric address is a public address. */
export const isPublic = (address: string): boolean =>
  ![...IpRanges.LOCAL, ...RESERVED].some((range) => IpRanges.contains(range, address))

const isListed = (entry: string, target: Address, numeric: string): boolean => {
  const range = IpRanges.parse(entry)
  if (Result.isSuccess(range)) return IpRanges.contains(range.success, numeric)
  const address = parseAddress(entry, target.port)
  return Result.isSuccess(address) && address.success.host === target.host && address.success.port === target.port
}

/** Checks a target, and returns its numeric address, because a second lookup of its name could return a different address. */
export const checkTarget = (
  input: string,
  { allow, local }: TargetPolicy
): Effect.Effect<Address, InvalidAddress | Unresolved | NotQueryable | TargetRefused, Datagrams> =>
  Effect.gen(function* () {
    const target = yield* Effect.fromResult(parseAddress(input))
    const datagrams = yield* Datagrams
    const { address, family } = yield* datagrams.resolve(target.host)
    if (!local && !isPublic(address)) {
      return yield* new TargetRefused({
        message: `${input} is not a public address. This bridge queries public addresses only.`
      })
    }
    const why = notQueryable(address)
    if (why !== undefined) return yield* Effect.fail(why)
    if (allow.length > 0 && !allow.some((entry) => isListed(entry, target, address))) {
      return yield* new TargetRefused({ message: `${input} is not one of the addresses that this bridge may query.` })
    }
    return { host: address, port: target.port, family }
  })

/**
 * Runs `then` for an allowed target. If the target is not allowed, the request fails. If the target cannot be queried, the stream contains
 * only the event that `failed` returns.
 */
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
