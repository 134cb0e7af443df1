/** Split replies of many senders at once, joined per flow. */
import type { DecodeError } from "@sourcewire/protocol"
import { type Joined, Reassembler } from "@sourcewire/protocol/wire"
import * as Result from "effect/Result"

/** A reply that a fragment has completed. */
export interface FlowReply<Place> {
  readonly joined: Joined
  /** Of its fragments, in their order in the reply. */
  readonly places: ReadonlyArray<Place>
}

/** Flows with an unfinished reply that are remembered; the oldest is given up for a new one. */
const MAX_FLOWS = 1024

interface Flow<Place> {
  readonly reassembler: Reassembler
  /** Of each datagram that the reassembler was given. */
  readonly places: Array<Place>
}

/** Joins fragments; each has a place by which the caller knows it. */
export class Flows<Place> {
  /** The one used longest ago first. */
  private readonly flows = new Map<string, Flow<Place>>()

  /** Takes a fragment, and gives the reply that it completes. */
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

  /** Fragments held whose replies are not whole. */
  get held(): number {
    return [...this.flows.values()].reduce((sum, { reassembler }) => sum + reassembler.received, 0)
  }

  /** What the oldest reply of each unfinished flow lacks, and the places of all datagrams since the flow began. */
  *unfinished(): Iterable<{ readonly missing: string; readonly places: ReadonlyArray<Place> }> {
    for (const { places, reassembler } of this.flows.values()) {
      const missing = reassembler.missing()
      if (missing !== undefined) yield { missing, places }
    }
  }
}
