/**
 * Reassemblers to be used again: the fragments of a reply come close together, so few are needed at a time, however many queries are
 * under way.
 *
 * @module
 */
import { Reassembler } from "@sourcewire/protocol/machines"

/** Kept while nobody needs them; each has memory for a usual reply. */
const MAX_IDLE = 32

const idle: Array<Reassembler> = []

/** One that holds nothing. */
export const takeReassembler = (): Reassembler => idle.pop() ?? new Reassembler({ reuseMemory: true })

/** What it holds is forgotten. */
export const giveBackReassembler = (reassembler: Reassembler): void => {
  if (idle.length >= MAX_IDLE) return
  reassembler.reset()
  idle.push(reassembler)
}
