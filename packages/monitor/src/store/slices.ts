/**
 * Divides the target list into slices. Each slice has one owner: the instance that queries the targets of the slice. All targets of a
 * network are in the same slice. Therefore a single instance sends all queries to the network, and can limit their rate.
 */
import { IpRanges } from "@sourcewire/core/address"
import type { Address } from "@sourcewire/core"
import { hashText } from "../schedule/rhythm.ts"

/** The number of slices. */
export const SLICES = 300
export const ALL_SLICES: ReadonlyArray<number> = Array.from({ length: SLICES }, (_, slice) => slice)

/**
 * Returns the slice of a target. Targets in the same /24 network (IPv4) or /48 network (IPv6), or with the same host name, are in the same
 * slice.
 */
export const findSlice = ({ family, host }: Address): number => {
  const network = family === 4 ? host.slice(0, host.lastIndexOf(".")) : family === 6 ? IpRanges.network(host, 48) : host
  return hashText(network) % SLICES
}
