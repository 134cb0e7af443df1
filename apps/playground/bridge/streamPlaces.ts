/** Places for streams: some for each client, and a number in all. */
import { IpRanges } from "@sourcewire/core/address"

/**
 * Takes a place for a stream of the client at an address, or for IPv6 in the /64 that one host has to itself; `undefined` when there is
 * none, else what to call when it closes.
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
