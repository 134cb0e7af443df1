/** Places for streams: some for each client, and a number in all. */
import { IpRanges } from "@sourcewire/core/machines"

/** The places. A client is an address, or for IPv6 the /64 that one host has to itself. */
export class OpenStreams {
  readonly #perClient: number
  readonly #inAll: number
  readonly #open = new Set<{ readonly client: string }>()

  constructor(perClient: number, inAll: number) {
    this.#perClient = perClient
    this.#inAll = inAll
  }

  /** Takes a place for a stream of the client at this address; `undefined` when there is none, else what to call when it closes. */
  open(address: string): (() => void) | undefined {
    const place = { client: IpRanges.networkOf(address, 64) }
    const own = [...this.#open].filter(({ client }) => client === place.client)
    if (own.length >= this.#perClient || this.#open.size >= this.#inAll) return undefined
    this.#open.add(place)
    return () => void this.#open.delete(place)
  }
}
