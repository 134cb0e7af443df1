/** Faults in the fragments of a split reply. */
import { isSplit } from "@sourcewire/protocol/wire"
import type { SplitLayout } from "@sourcewire/protocol/wire"
import type { Faults } from "./Faults.ts"

const ID_AT = 4

/** Offset of the CRC32 in the first fragment of a compressed reply. The CRC32 follows the header of the fragment and the size. */
const CRC_AT: Readonly<Partial<Record<SplitLayout, number>>> = { source: 16, "source-no-size": 14 }

const flipped = (datagram: Uint8Array, at: number): Uint8Array => datagram.with(at, datagram[at]! ^ 0x55)

/** Injects faults into fragments: a wrong id, a wrong CRC32, or fragments of other replies. Does not change replies without fragments. */
export const fragmentFaults = (
  replies: ReadonlyArray<Uint8Array>,
  { badChecksum, wrongId, foreignFragment }: Faults,
  layout: SplitLayout = "source"
): ReadonlyArray<Uint8Array> => {
  const first = replies[0]
  if (first === undefined || !isSplit(first)) return replies
  const fragments = [...replies]
  const crcAt = CRC_AT[layout]
  const compressed = (first[ID_AT + 3]! & 0x80) !== 0
  if (badChecksum === true && compressed && crcAt !== undefined) fragments[0] = flipped(first, crcAt)
  const last = fragments.length - 1
  if (wrongId === true) fragments[last] = flipped(fragments[last]!, ID_AT)
  if (foreignFragment === true) fragments.unshift(flipped(replies[last]!, ID_AT + 1))
  return fragments
}
