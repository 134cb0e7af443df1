/** Reads a capture file, and selects the conversations that use Valve's query protocol. */
import { CaptureReader, formatConversation, hasProtocolHead } from "@sourcewire/capture"
import type { Datagram } from "@sourcewire/ui/bytes"

/** The result of reading a capture file. Only conversations that use Valve's query protocol are included. */
export interface Capture {
  readonly datagrams: ReadonlyArray<Datagram>
  /**
   * Number of frames of the file that are not in `datagrams`: frames without UDP, and datagrams of conversations that do not use Valve's
   * query protocol.
   */
  readonly leftOut: number
  /** Addresses and ports at which no program listens, according to ICMP messages in the capture. */
  readonly refused: ReadonlySet<string>
  /**
   * The reason why the end of the file could not be read. The page shows the reason after “Reading stopped:”. If the whole file was read,
   * it is `undefined`.
   */
  readonly problem: string | undefined
}

/**
 * Reads a file. Returns `undefined` if the file is not a capture. If the file is truncated, the result contains the packets that are
 * complete.
 */
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
