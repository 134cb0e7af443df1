/**
 * The frames of a capture file, whichever of the two formats it has.
 *
 * @module
 */
import { ByteSource } from "./byteSource.ts"
import { InvalidCapture } from "./packet.ts"
import type { Packet } from "./packet.ts"
import { isPcap, readPcap } from "./pcap.ts"
import { readPcapng, SECTION_HEADER } from "./pcapng.ts"

/** Reads frame by frame, so that a capture may be larger than memory. Throws `InvalidCapture`. */
export async function* readCapture(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Packet> {
  const source = new ByteSource(chunks)
  const start = await source.take(4)
  const magic = start.length < 4 ? 0 : new DataView(start.buffer, start.byteOffset, 4).getUint32(0)
  if (magic === SECTION_HEADER) yield* readPcapng(source)
  else if (isPcap(magic)) yield* readPcap(source, magic)
  else throw new InvalidCapture({ message: "the file is neither a pcap nor a pcapng capture" })
}
