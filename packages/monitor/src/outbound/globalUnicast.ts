/**
 * Checks whether an address is global unicast, according to IANA's registries of special-purpose addresses (IPv4 and IPv6, RFC 6890).
 * Without this check, lists and name lookups could direct requests to this host, to its local network, or to the metadata service of a
 * cloud.
 */
import { canonicalAddress, IpRanges } from "@sourcewire/core/address"
import * as Result from "effect/Result"

const ranges = (texts: ReadonlyArray<string>): ReadonlyArray<IpRanges.IpRange> =>
  texts.map((text) => Result.getOrThrow(IpRanges.parse(text)))

/**
 * IPv4 ranges that are not globally reachable, and the public address `168.63.129.16`. In Azure, a virtual machine uses this address to
 * reach the host on which it runs.
 */
const SPECIAL_IPV4 = ranges([
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "168.63.129.16",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  // Multicast, reserved addresses and broadcast.
  "224.0.0.0/3"
]).map(({ first, prefix }) => ({ first: Number(first), size: 2 ** (32 - prefix) }))

const isGlobalIpv4 = (number: number): boolean =>
  SPECIAL_IPV4.every(({ first, size }) => number < first || number >= first + size)

/** All global unicast addresses of IPv6 are assigned from this range. */
const [GLOBAL_IPV6] = ranges(["2000::/3"])
/** Special ranges within `2000::/3`: a range for protocols (Teredo, benchmarks, ORCHID), and ranges for documentation. */
const SPECIAL_IPV6 = ranges(["2001::/23", "2001:db8::/32", "3fff::/20"])
/**
 * Prefixes of IPv6 addresses that contain an IPv4 address: mapped addresses, NAT64 and 6to4. `shift` is the number of bits after the IPv4
 * address.
 */
const EMBEDDING = ranges(["::ffff:0:0/96", "64:ff9b::/96", "2002::/16"]).map((range) => ({
  range,
  shift: BigInt(128 - 32 - range.prefix)
}))

/**
 * Whether a numeric address, in any spelling, is global unicast. If an IPv6 address contains an IPv4 address, the IPv4 address is checked.
 */
export const isGlobalUnicast = (address: string): boolean => {
  const parsed = IpRanges.parse(canonicalAddress(address)?.replace(/%.*/, "") ?? "")
  if (Result.isFailure(parsed)) return false
  const { success: one } = parsed
  if (one.family === 4) return isGlobalIpv4(Number(one.first))
  for (const { range, shift } of EMBEDDING) {
    if (IpRanges.covers(range, one)) return isGlobalIpv4(Number((one.first >> shift) & 0xffff_ffffn))
  }
  return IpRanges.covers(GLOBAL_IPV6!, one) && !SPECIAL_IPV6.some((range) => IpRanges.covers(range, one))
}

/** Names that the C library treats as an IPv4 address, because the last label is a number: `0x7f000001`, `127.1`, `0177.0x1`. */
const ODD_IPV4 = /(?:^|\.)(?:\d+|0x[\da-f]*)\.?$/i
const LOCALHOST = /(?:^|\.)localhost\.?$/i

/**
 * Whether a host from a list may be queried. The host must be a global unicast address or a name. The names `localhost` and `*.localhost`
 * are excluded, and so are names that the C library treats as an address.
 */
export const isGlobalHost = (host: string): boolean => {
  const numeric = canonicalAddress(host.replace(/^\[(.*)\]$/, "$1"))
  return numeric === undefined ? !ODD_IPV4.test(host) && !LOCALHOST.test(host) : isGlobalUnicast(numeric)
}
