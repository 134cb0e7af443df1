/** Joins the split replies of many senders at once, separately for each pair of addresses. */
import type { DecodeError } from "@sourcewire/protocol"
import { type Joined, Reassembler } from "@sourcewire/protocol/wire"
import * as Result from "effect/Result"

/** A complete split reply. */
export interface FlowReply<Place> {
  readonly joined: Joined
  /** The places of its fragments, in their order in the reply. */
  readonly places: ReadonlyArray<Place>
}

/** Maximum number of flows with an incomplete reply. Above this number, the oldest flow is discarded. */
const MAX_FLOWS = 1024

interface Flow<Place> {
  readonly reassembler: Reassembler
  /** The places of all datagrams since the flow began. */
  readonly places: Array<Place>
}

/** Joins fragments. The caller identifies each fragment by a `Place`. */
export class Flows<Place> {
  /** The least recently used flow is first. */
  private readonly flows = new Map<string, Flow<Place>>()

  /** Adds a fragment and returns the reply that it completes; otherwise `undefined`. */
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

  /** Number of fragments of incomplete replies that are stored. */
  get held(): number {
    return [...this.flows.values()].reduce((sum, { reassembler }) => sum + reassembler.received, 0)
  }

  /** For each incomplete flow, the missing parts of its oldest reply, and the places of all datagrams since the flow began. */
  *unfinished(): Iterable<{ readonly missing: string; readonly places: ReadonlyArray<Place> }> {
    for (const { places, reassembler } of this.flows.values()) {
      const missing = reassembler.missing()
      if (missing !== undefined) yield { missing, places }
    }
  }
}
