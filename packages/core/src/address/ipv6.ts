/**
 * Parses IPv6 addresses, and converts addresses of both IP versions to canonical form. The canonical form can be compared with the
 * addresses of senders, because runtimes report these addresses in canonical form.
 */
import { ipv4Number, ipv4Text, isIpv4 } from "./ipv4.ts"

/** The eight groups of an IPv6 address without a zone; `undefined` if the text is invalid. */
const parseGroups = (text: string): ReadonlyArray<number> | undefined => {
  const halves = text.split("::")
  if (halves.length > 2) return undefined
  const parts = halves.map((half) => (half === "" ? [] : half.split(":")))
  const last = parts.at(-1)!
  const dotted = last.at(-1)
  if (dotted?.includes(".") === true) {
    const number = ipv4Number(dotted)
    if (number === -1) return undefined
    last.splice(-1, 1, (number >>> 16).toString(16), (number & 0xffff).toString(16))
  }
  const [head = [], tail] = parts
  if (![...head, ...(tail ?? [])].every((part) => /^[0-9a-f]{1,4}$/i.test(part))) return undefined
  const missing = 8 - head.length - (tail?.length ?? 0)
  if (tail === undefined ? missing !== 0 : missing < 1) return undefined
  return [...head, ...Array.from({ length: missing }, () => "0"), ...(tail ?? [])].map((part) =>
    Number.parseInt(part, 16)
  )
}

/** The IPv4 address in an IPv4-mapped address (`::ffff:192.0.2.1`); otherwise `undefined`. */
const mappedIpv4 = (groups: ReadonlyArray<number>): string | undefined =>
  groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff
    ? ipv4Text(groups[6]! * 65_536 + groups[7]!)
    : undefined

/**
 * Returns the canonical form of an IPv6 address (RFC 5952), or `undefined` if the address is invalid. Rules of the canonical form:
 *
 * - The text is in lower case, without leading zeros.
 * - `::` replaces the longest sequence of at least two zero groups.
 * - IPv4-mapped addresses end in dotted form (`::ffff:192.0.2.1`).
 * - A zone (`%eth0`) stays unchanged.
 */
export const canonicalIpv6 = (text: string): string | undefined => {
  const percent = text.indexOf("%")
  const zone = percent === -1 ? "" : text.slice(percent)
  if (zone.length === 1 || /[\s%\]]/.test(zone.slice(1))) return undefined
  const groups = parseGroups(percent === -1 ? text : text.slice(0, percent))
  if (groups === undefined) return undefined
  const mapped = mappedIpv4(groups)
  if (mapped !== undefined) return `::ffff:${mapped}${zone}`
  const hex = groups.map((group) => group.toString(16)).join(":")
  const zeros = hex.match(/\b0(?::0)+\b/g) ?? []
  const longest = zeros.reduce((most, run) => (run.length > most.length ? run : most), "")
  return (longest === "" ? hex : hex.replace(new RegExp(`(^|:)${longest}(:|$)`), "::")) + zone
}

/** An IPv6 address without a zone as a 128-bit number; 0 if the address is invalid. */
export const ipv6Number = (address: string): bigint =>
  (parseGroups(address) ?? []).reduce((number, group) => (number << 16n) | BigInt(group), 0n)

/** The network of an address, as text. See `network` in `IpRanges.ts`. */
export const addressNetwork = (address: string, bits: 48 | 64): string => {
  if (!address.includes(":")) return address
  const groups = parseGroups(address.replace(/%.*/, ""))
  if (groups === undefined) return address
  const network = groups.slice(0, bits / 16).map((group) => group.toString(16))
  return mappedIpv4(groups) ?? `${network.join(":")}::/${bits}`
}

const MAPPED = "::ffff:"

/**
 * The canonical form of a numeric address, for comparisons; `undefined` for any other text. An IPv4-mapped address (`::ffff:192.0.2.1`) is
 * converted to IPv4, because each socket supports only one IP version.
 */
export const canonicalAddress = (text: string): string | undefined => {
  if (typeof text !== "string") return undefined
  if (isIpv4(text)) return text
  const address = canonicalIpv6(text)
  const mapped = address?.startsWith(MAPPED) === true ? address.slice(MAPPED.length).replace(/%.*/, "") : ""
  return isIpv4(mapped) ? mapped : address
}

/**
 * Whether a canonical address is link-local (fe80::/10). A link-local address is ambiguous if it does not contain a network interface as
 * its zone.
 */
export const isLinkLocal = (address: string): boolean => /^fe[89ab].:/.test(address)
