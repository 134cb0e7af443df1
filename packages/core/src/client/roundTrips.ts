/**
 * The round trips that a client remembers, so that the second query to a server knows how long to wait. Bounded: the one used
 * longest ago goes first.
 *
 * @module
 */
import type { Endpoint } from "../engine/Datagrams.ts"
import { MAX_REMEMBERED_ROUND_TRIPS } from "../Limits.ts"
import { RoundTrip } from "../engine/RoundTrip.ts"
import { routeKey } from "../address/ip.ts"

/** See the module. */
export class RoundTrips {
  private readonly known = new Map<number | string, RoundTrip>()

  /** What is known of the remote, to be read and added to. */
  of(remote: Endpoint): RoundTrip {
    const key = routeKey(remote.address, remote.port)
    const roundTrip = this.known.get(key) ?? new RoundTrip()
    this.known.delete(key)
    this.known.set(key, roundTrip)
    if (this.known.size > MAX_REMEMBERED_ROUND_TRIPS) this.known.delete(this.known.keys().next().value!)
    return roundTrip
  }
}
