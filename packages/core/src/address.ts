/**
 * Parses addresses, converts IP addresses to canonical form, and parses ranges of IP addresses.
 *
 * @module
 */
export { DEFAULT_PORT, from as toAddress } from "./address/Address.ts"
export { canonicalAddress } from "./address/ipv6.ts"
export * as IpRanges from "./address/IpRanges.ts"
