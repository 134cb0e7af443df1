/**
 * Reads capture files, pcap and pcapng, as far as UDP datagrams go.
 *
 * @module
 */
import { type Datagram, hasProtocolHead } from "../bytes/Datagram.ts"
import { Frames } from "./frames.ts"
import { packetsOfPcap } from "./pcap.ts"
import { packetsOfPcapng } from "./pcapng.ts"

/** The datagrams of a capture that belong to conversations in which the protocol is spoken. */
export interface Capture {
  readonly datagrams: ReadonlyArray<Datagram>
  /** Frames of other conversations and of other protocols. */
  readonly leftOut: number
}

/** Reads a file; `undefined` when it is no capture. A file that is cut gives what is whole. */
export const readCapture = (file: Uint8Array): Capture | undefined => {
  const packets = packetsOfPcap(file) ?? packetsOfPcapng(file)
  if (packets === undefined) return undefined
  const frames = new Frames()
  const all: Array<Datagram> = []
  const spoken = new Set<string>()
  let count = 0
  for (const { frame, linkType, timeMs } of packets) {
    count++
    const datagram = frames.datagram(frame, linkType)
    if (datagram === undefined) continue
    all.push({ ...datagram, timeMs })
    if (hasProtocolHead(datagram.bytes)) spoken.add(conversation(datagram))
  }
  const datagrams = all.filter((datagram) => spoken.has(conversation(datagram)))
  return { datagrams, leftOut: count - datagrams.length }
}

const conversation = ({ from = "", to = "" }: Datagram): string => (from < to ? `${from} ${to}` : `${to} ${from}`)
