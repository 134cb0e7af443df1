/** Joins the split replies of many senders at the same time. A flow consists of the fragments from one address to another address. */
import type { DecodeError } from "@sourcewire/protocol"
import { type Joined, Reassembler } from "@sourcewire/protocol/wire"
import * as Result from "effect/Result"

/** A complete split reply. */
export interface FlowReply<Place> {
  readonly joined: Joined
  /**
   * For each fragment of the reply, the value that the caller passed to {@link Flows.add}. The values are in the order of the fragments in
   * the reply.
   */
  readonly places: ReadonlyArray<Place>
}

/**
 * Maximum number of flows with an incomplete reply. If a new flow exceeds this number, the flow whose last fragment is oldest is dropped.
 */
const MAX_FLOWS = 1024

interface Flow<Place> {
  readonly reassembler: Reassembler
  /** The values that the caller passed to {@link Flows.add}, in the order of the calls. */
  readonly places: Array<Place>
}

/** Joins fragments. The caller passes a `Place` for each fragment, for example the index of the fragment in a list. */
export class Flows<Place> {
  /** The flows, the least recently used flow first. */
  private readonly flows = new Map<string, Flow<Place>>()

  /** Adds a fragment. Returns the joined reply if no fragment of it is missing any more, otherwise `undefined`. */
  add(
    fragment: { readonly from?: string | undefined; readonly to?: string | undefined; readonly bytes: Uint8Array },
    place: Place
  ): Result.Result<FlowReply<Place> | undefined, DecodeError> {
    const key = `${fragment.from} ${fragment.to}`
    const flow = this.flows.get(key) ?? { reassembler: new Reassembler(), places: [] }
    flow.places.push(place)
    const added = Result.map(flow.reassembler.add(fragment.bytes), (joined) =>
      joined === undefined
        ? undefined
        : { joined, places: joined.fragments.map(({ datagram }) => flow.places[datagram]!) }
    )
    this.flows.delete(key)
    if (flow.reassembler.received > 0) this.flows.set(key, flow)
    if (this.flows.size > MAX_FLOWS) this.flows.delete(this.flows.keys().next().value!)
    return added
  }

  /** Number of stored fragments of incomplete replies. */
  get held(): number {
    return [...this.flows.values()].reduce((sum, { reassembler }) => sum + reassembler.received, 0)
  }

  /**
   * Yields a result for each flow with an incomplete reply. `missing` describes the missing fragments of the oldest incomplete reply of the
   * flow. `places` contains the values that the caller passed to {@link Flows.add} with the fragments of the flow.
   */
  *unfinished(): Iterable<{ readonly missing: string; readonly places: ReadonlyArray<Place> }> {
    for (const { places, reassembler } of this.flows.values()) {
      const missing = reassembler.missing()
      if (missing !== undefined) yield { missing, places }
    }
  }
}
