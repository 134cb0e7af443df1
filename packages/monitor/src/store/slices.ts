/** Slices: shares of the targets that have one owner each, so that what holds per network holds within one owner. */
import { IpRanges } from "@sourcewire/core/address"
import type { Address } from "@sourcewire/core"
import { hashOf } from "../schedule/rhythm.ts"

/** So many slices there are. */
export const SLICES = 300
/** From 0 on. */
export const ALL_SLICES: ReadonlyArray<number> = Array.from({ length: SLICES }, (_, slice) => slice)

/** The slice of a target: by the /24 or /48 of its address, or by its name. */
export const sliceOf = ({ family, host }: Address): number => {
  const network =
    family === 4 ? host.slice(0, host.lastIndexOf(".")) : family === 6 ? IpRanges.networkOf(host, 48) : host
  return hashOf(network) % SLICES
}
