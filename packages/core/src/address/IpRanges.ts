/** Ranges of numeric IPv4 and IPv6 addresses in CIDR notation. A scan can query a range, or exclude a range. Names are not resolved. */
import { TaggedError } from "@sourcewire/protocol/wire"
import * as Result from "effect/Result"
import { demand, tryCondition, isText, isWhole, shown } from "../edge.ts"
import type { Family } from "./ip.ts"
import { ipv4Number, ipv4Text, isIpv4 } from "./ipv4.ts"
import { canonicalAddress, canonicalIpv6, ipv6Number, addressNetwork as networkOfAddress } from "./ipv6.ts"

/** A range: all addresses of one IP version that begin with the same bits. */
export interface IpRange {
  readonly family: Family
  /** First address of the range as a number. The bits of this number after the prefix are zero. */
  readonly first: bigint
  /** Length of the prefix in bits: 0–32 for IPv4, 0–128 for IPv6. */
  readonly prefix: number
}

/** The text is not a range. The message shows valid forms. */
export class InvalidRange
  extends /* @__PURE__ */ TaggedError("InvalidRange")<{
    readonly message: string
    /** The given text. */
    readonly input: string
  }> {}

const BITS: Readonly<Record<Family, number>> = { 4: 32, 6: 128 }

/** Parses a single address as a range. A zone (`%eth0`) is ignored. */
const parseAddressRange = (text: string): IpRange | undefined => {
  if (!isText(text)) return undefined
  const address = (isIpv4(text) ? text : canonicalIpv6(text))?.replace(/%.*/, "")
  if (address === undefined) return undefined
  return address.includes(":")
    ? { family: 6, first: ipv6Number(address), prefix: BITS[6] }
    : { family: 4, first: BigInt(ipv4Number(address)), prefix: BITS[4] }
}

/**
 * Parses `10.0.0.0/8`, `2001:db8::/32` or a single address. Bits after the prefix must be zero, because a range such as `10.0.0.1/8` is
 * probably a mistake.
 */
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
  const one = more.length === 0 && !host.includes("%") ? parseAddressRange(host) : undefined
  if (one === undefined) return invalid("there is no numeric address before the slash")
  const { first, prefix: bits } = one
  const prefix = length === undefined ? bits : /^\d{1,3}$/.test(length) ? Number(length) : -1
  if (prefix < 0 || prefix > bits) return invalid(`the prefix must be a number from 0 to ${bits}`)
  return first & ((1n << BigInt(bits - prefix)) - 1n)
    ? invalid(`the address has bits after the first ${prefix}`)
    : Result.succeed({ ...one, prefix })
}

/** Whether a value is a range. Callers in JavaScript can pass values of any type. */
export const isRange = (value: unknown): value is IpRange =>
  tryCondition(() => {
    const { family, first, prefix } = value as IpRange
    const bits = family === 4 || family === 6 ? BITS[family] : -1
    return isWhole(0, bits)(prefix) && first === BigInt.asUintN(bits, first)
  })

const demandRange = (option: string, range: IpRange): IpRange =>
  demand(option, "a range, as returned by parse", isRange, range)

/** Number of addresses in a range. */
export const size = (range: IpRange): bigint => {
  demandRange("range", range)
  return 1n << BigInt(BITS[range.family] - range.prefix)
}

/** Whether a range contains this numeric address. The address need not be in canonical form. */
export const contains = (range: IpRange, address: string): boolean => {
  demandRange("range", range)
  // An IPv4-mapped address can be in an IPv6 range, and its IPv4 address can be in an IPv4 range. Both addresses are checked.
  return [address, canonicalAddress(address) ?? ""].some((text) => {
    const one = parseAddressRange(text)
    return one !== undefined && covers(range, one)
  })
}

/**
 * The network of a sender as text, for limits per sender. For IPv4, the result is the whole address. For IPv6, the result is the first
 * `bits` bits of the address. A /64 usually belongs to one host, and a /48 often belongs to one owner. For an IPv4-mapped address
 * (`::ffff:192.0.2.1`), the result is the IPv4 address.
 */
export const network = (address: string, bits: 48 | 64): string => {
  demand("address", "a text", isText, address)
  demand("bits", "48 or 64", (value) => value === 48 || value === 64, bits)
  return networkOfAddress(address, bits)
}

/** Whether `outer` contains every address of `inner`. */
export const covers = (outer: IpRange, inner: IpRange): boolean => {
  demandRange("outer", outer)
  demandRange("inner", inner)
  if (outer.family !== inner.family || outer.prefix > inner.prefix) return false
  const shift = BigInt(BITS[outer.family] - outer.prefix)
  return inner.first >> shift === outer.first >> shift
}

/**
 * Yields the addresses of an IPv4 range. If the range contains several /24 networks, consecutive addresses are from different networks. If
 * the addresses were in numeric order, a scan would send all its queries to one network at a time. The generator does not store addresses.
 */
export function* listAddresses(range: IpRange & { readonly family: 4 }): Generator<string> {
  demandRange("range", range)
  demand("family", "4", (family) => family === 4, range.family)
  const first = Number(range.first)
  const count = Number(size(range))
  const hosts = Math.min(count, 256)
  const networks = count / hosts
  for (let host = 0; host < hosts; host++) {
    for (let network = 0; network < networks; network++) yield ipv4Text(first + network * 256 + host)
  }
}

/**
 * Loopback, private and link-local addresses (RFC 1918, 3927, 4193, 4291). You can scan these addresses without permission from other
 * people.
 */
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
