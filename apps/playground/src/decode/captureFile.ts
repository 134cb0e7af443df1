/** A capture file as the page shows it: the conversations in which the protocol is spoken. */
import { CaptureReader, formatConversation, hasProtocolHead } from "@sourcewire/capture"
import type { Datagram } from "@sourcewire/ui/bytes"

/** The datagrams of a capture that belong to conversations in which the protocol is spoken. */
export interface Capture {
  readonly datagrams: ReadonlyArray<Datagram>
  /** Frames of other conversations and of other protocols. */
  readonly leftOut: number
  /** Addresses with ports of which ICMP says that no program listens there. */
  readonly refused: ReadonlySet<string>
  /** Why the file was not read to its end, as a clause. */
  readonly problem: string | undefined
}

/** Reads a file; `undefined` when it is no capture. A file that breaks off gives what is whole. */
export const readCapture = (file: Uint8Array): Capture | undefined => {
  const reader = new CaptureReader()
  const all = reader.add(file)
  const problem = reader.end()?.message
  if (problem !== undefined && reader.packets === 0) return undefined
  const spoken = new Set(all.filter(({ bytes }) => hasProtocolHead(bytes)).map(formatConversation))
  const datagrams = all
    .filter((datagram) => spoken.has(formatConversation(datagram)))
    .map(({ bytes, from, timeNs, to }): Datagram => ({
      bytes,
      from,
      to,
      timeMs: timeNs === undefined ? undefined : Number(timeNs) / 1e6
    }))
  return { datagrams, leftOut: reader.packets - datagrams.length, refused: reader.refused, problem }
}
