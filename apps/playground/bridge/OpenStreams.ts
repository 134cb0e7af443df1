/** Places for streams: some for each client, and a number in all. Only clients that have one open are remembered. */
import { IpRanges } from "@sourcewire/core/machines"

/** The places. A client is an address, or for IPv6 the /64 that one host has to itself. */
export class OpenStreams {
  readonly #perClient: number
  readonly #inAll: number
  readonly #open = new Map<string, number>()
  #all = 0

  constructor(perClient: number, inAll: number) {
    this.#perClient = perClient
    this.#inAll = inAll
  }

  /** Takes a place for a stream of the client at this address; `undefined` when there is none, else what to call when it closes. */
  open(address: string): (() => void) | undefined {
    const client = IpRanges.networkOf(address, 64)
    const own = this.#open.get(client) ?? 0
    if (own >= this.#perClient || this.#all >= this.#inAll) return undefined
    this.#change(client, 1)
    let open = true
    return () => {
      if (open) this.#change(client, -1)
      open = false
    }
  }

  #change(client: string, by: number): void {
    const own = (this.#open.get(client) ?? 0) + by
    if (own === 0) this.#open.delete(client)
    else this.#open.set(client, own)
    this.#all += by
  }
}
