/**
 * Slices are parts of the target list. Each slice is owned by one instance, which queries the targets of the slice. All targets of a
 * network are in the same slice, so that this instance can limit the queries per network.
 */
import { IpRanges } from "@sourcewire/core/address"
import type { Address } from "@sourcewire/core"
import { hashText } from "../schedule/rhythm.ts"

/** The number of slices. */
export const SLICES = 300
export const ALL_SLICES: ReadonlyArray<number> = Array.from({ length: SLICES }, (_, slice) => slice)

/** The slice of a target, by the /24 or /48 network of its IP address, or by its host name. */
export const findSlice = ({ family, host }: Address): number => {
  const network = family === 4 ? host.slice(0, host.lastIndexOf(".")) : family === 6 ? IpRanges.network(host, 48) : host
  return hashText(network) % SLICES
}
