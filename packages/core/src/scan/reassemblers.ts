/**
 * Reassemblers to be used again: the fragments of a reply come close together, so a scan needs few at a time, whatever is in flight.
 *
 * @module
 */
import { Reassembler } from "@sourcewire/protocol/machines"
import { emptyList } from "../engine/emptyList.ts"

/** Kept while nobody needs them; each has memory for a usual reply. */
const MAX_IDLE = 32

/** See the module. */
export class Reassemblers {
  private readonly idle = emptyList<Reassembler>()

  /** One that holds nothing. */
  take(): Reassembler {
    return this.idle.pop() ?? new Reassembler({ reuseMemory: true })
  }

  /** What it holds is forgotten. */
  giveBack(reassembler: Reassembler): void {
    if (this.idle.length >= MAX_IDLE) return
    reassembler.reset()
    this.idle.push(reassembler)
  }
}
