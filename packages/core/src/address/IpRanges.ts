/**
 * Sets of numeric addresses: CIDR ranges to leave out of a scan, or to walk through. IPv4 and IPv6; nothing is looked up.
 */
import { TaggedError } from "@sourcewire/protocol/wire"
import * as Result from "effect/Result"
import { demand, holdsOf, isText, isWhole, shown } from "../edge.ts"
import type { Family } from "./ip.ts"
import { ipv4Number, ipv4Text, isIpv4 } from "./ipv4.ts"
import { canonicalAddress, canonicalIpv6, ipv6Number, networkOf as networkOfAddress } from "./ipv6.ts"

/** All addresses with the same first bits. */
export interface IpRange {
  readonly family: Family
  /** First address as a number; the bits after the prefix are zero. */
  readonly first: bigint
  /** How many bits are the same: 0–32 or 0–128. */
  readonly prefix: number
}

/** The text is no range; the message says what one looks like. */
export class InvalidRange
  extends /* @__PURE__ */ TaggedError("InvalidRange")<{
    readonly message: string
    /** The text as it was given. */
    readonly input: string
  }> {}

const BITS: Readonly<Record<Family, number>> = { 4: 32, 6: 128 }

/** The range of one address, as it is written; the zone is left out. */
const rangeOf = (text: string): IpRange | undefined => {
  if (!isText(text)) return undefined
  const address = (isIpv4(text) ? text : canonicalIpv6(text))?.replace(/%.*/, "")
  if (address === undefined) return undefined
  return address.includes(":")
    ? { family: 6, first: ipv6Number(address), prefix: BITS[6] }
    : { family: 4, first: BigInt(ipv4Number(address)), prefix: BITS[4] }
}

/** Reads `10.0.0.0/8`, `2001:db8::/32` or a single address. Bits after the prefix must be zero, since they are a slip. */
export const parse = (input: string): Result.Result<IpRange, InvalidRange> => {
  const invalid = (why: string) =>
    Result.fail(
      new InvalidRange({
        message: `${shown(input)} is not a range: ${why}. Write 10.0.0.0/8, 1.2.3.4 or fd00::/8.`,
        input: isText(input) ? input : shown(input)
      })
    )
  if (!isText(input)) return invalid("it is not a text")
  const [host = "", length, ...more] = input.trim().split("/")
  const one = more.length === 0 && !host.includes("%") ? rangeOf(host) : undefined
  if (one === undefined) return invalid("there is no numeric address before the slash")
  const { first, prefix: bits } = one
  const prefix = length === undefined ? bits : /^\d{1,3}$/.test(length) ? Number(length) : -1
  if (prefix < 0 || prefix > bits) return invalid(`the prefix must be a number from 0 to ${bits}`)
  return first & ((1n << BigInt(bits - prefix)) - 1n)
    ? invalid(`the address has bits after the first ${prefix}`)
    : Result.succeed({ ...one, prefix })
}

/** Whether a value is a range: one that a program has put together, perhaps. */
export const isRange = (value: unknown): value is IpRange =>
  holdsOf(() => {
    const { family, first, prefix } = value as IpRange
    const bits = family === 4 || family === 6 ? BITS[family] : -1
    return isWhole(0, bits)(prefix) && first === BigInt.asUintN(bits, first)
  })

const demandRange = (option: string, range: IpRange): IpRange =>
  demand(option, "a range, as parse makes it of 10.0.0.0/8", isRange, range)

/** How many addresses a range has. */
export const sizeOf = (range: IpRange): bigint => {
  demandRange("range", range)
  return 1n << BigInt(BITS[range.family] - range.prefix)
}

/** Whether a range has this numeric address, in any spelling. */
export const contains = (range: IpRange, address: string): boolean => {
  demandRange("range", range)
  // An IPv4-mapped address is in the ranges of both IP versions.
  return [address, canonicalAddress(address) ?? ""].some((text) => {
    const one = rangeOf(text)
    return one !== undefined && covers(range, one)
  })
}

/**
 * Whom a sender stands for, as text: an IPv4 address alone, the first `bits` of an IPv6 address. One host has a whole /64, one party
 * often a /48. An IPv4 address in IPv6's clothes (`::ffff:192.0.2.1`) counts as itself.
 */
export const networkOf = (address: string, bits: 48 | 64): string => {
  demand("address", "a text", isText, address)
  demand("bits", "48 or 64", (value) => value === 48 || value === 64, bits)
  return networkOfAddress(address, bits)
}

/** Whether every address of `inner` is one of `outer`. */
export const covers = (outer: IpRange, inner: IpRange): boolean => {
  demandRange("outer", outer)
  demandRange("inner", inner)
  if (outer.family !== inner.family || outer.prefix > inner.prefix) return false
  const shift = BigInt(BITS[outer.family] - outer.prefix)
  return inner.first >> shift === outer.first >> shift
}

/**
 * The addresses of an IPv4 range, one after the other, in an order that goes round all its /24 networks before it comes back to one,
 * so that a scan does not fall on one network after the other. Nothing is kept of what has been given.
 */
export function* addressesOf(range: IpRange & { readonly family: 4 }): Generator<string> {
  demandRange("range", range)
  demand("family", "4", (family) => family === 4, range.family)
  const first = Number(range.first)
  const size = Number(sizeOf(range))
  const hosts = Math.min(size, 256)
  const networks = size / hosts
  for (let host = 0; host < hosts; host++) {
    for (let network = 0; network < networks; network++) yield ipv4Text(first + network * 256 + host)
  }
}

/** Loopback, private and link-local addresses (RFC 1918, 3927, 4193, 4291): what may be scanned without asking anybody. */
export const LOCAL: ReadonlyArray<IpRange> = /* @__PURE__ */ [
  "127.0.0.0/8",
  "10.0.0.0/8",
  "172.16.0.0/12",
  "192.168.0.0/16",
  "169.254.0.0/16",
  "::1",
  "fc00::/7",
  "fe80::/10"
].map((text) => Result.getOrThrow(parse(text)))
