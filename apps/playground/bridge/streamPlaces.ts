/** Limits the number of open streams, per client and in total. */
import { IpRanges } from "@sourcewire/core/address"

/**
 * Counts a stream of the client at an address (for IPv6, of its /64 network). Returns a function to call when the stream closes;
 * `undefined` if a limit is reached.
 */
export const streamPlaces = (perClient: number, inAll: number) => {
  const open = new Set<{ readonly client: string }>()
  return (address: string): (() => void) | undefined => {
    const place = { client: IpRanges.network(address, 64) }
    const own = [...open].filter(({ client }) => client === place.client)
    if (own.length >= perClient || open.size >= inAll) return undefined
    open.add(place)
    return () => void open.delete(place)
  }
}
