/** The UDP datagrams of a capture file, chunk by chunk, so that a file may be larger than memory. */
import { type CapturedDatagram, Frames } from "./frames.ts"
import { type FileFormat, InvalidCapture } from "./Packet.ts"
import { pcap } from "./pcap.ts"
import { pcapng } from "./pcapng.ts"

const MAGIC_BYTES = 4

/** Reads one pcap or pcapng file. It stores at most one chunk or one record, and the fragments of incomplete IP packets. */
export class CaptureReader {
  packets = 0
  /** Number of frames without a complete datagram: not UDP over IP, or a fragment of an IP packet. */
  withoutDatagram = 0
  /** The reason why reading ended early; `undefined` if there was no error. Datagrams before the error have been returned. */
  problem: InvalidCapture | undefined = undefined

  private format: FileFormat | undefined = undefined
  private readonly frames = new Frames()
  private waiting: Array<Uint8Array> = []
  private length = 0
  private wanted = MAGIC_BYTES

  /** Addresses with ports that are closed according to ICMP. */
  get refused(): ReadonlySet<string> {
    return this.frames.refused
  }

  /** Adds the next bytes of the file and returns the datagrams that they complete. The caller must not change `chunk` afterwards. */
  add(chunk: Uint8Array): ReadonlyArray<CapturedDatagram> {
    const found: Array<CapturedDatagram> = []
    this.waiting.push(chunk)
    this.length += chunk.length
    if (this.problem !== undefined || this.length < this.wanted) return found
    const bytes = this.waiting.length === 1 ? chunk : joined(this.waiting, this.length)
    const end = this.read(bytes, found)
    this.waiting = [bytes.subarray(end)]
    this.length = bytes.length - end
    return found
  }

  /** Marks the end of the file. Returns {@link CaptureReader.problem}, which is now set if the file is truncated. */
  end(): InvalidCapture | undefined {
    if (this.problem === undefined && this.format === undefined) this.problem = noCapture()
    if (this.problem === undefined && this.length > 0) {
      this.problem = new InvalidCapture({ message: `the capture is truncated after packet ${this.packets}` })
    }
    return this.problem
  }

  /** Reads all complete records, and returns the offset of the first incomplete record. */
  private read(bytes: Uint8Array, found: Array<CapturedDatagram>): number {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
    const magic = view.getUint32(0)
    this.format ??= pcap(magic) ?? pcapng(magic)
    if (this.format === undefined) this.problem = noCapture()
    for (let at = 0; this.format !== undefined;) {
      const read = this.format(view, at)
      if (typeof read === "number") {
        this.wanted = read
        return at
      }
      if (read instanceof InvalidCapture) {
        this.problem = read
        break
      }
      at = read.end
      if (read.packet === undefined) continue
      this.packets++
      const datagram = this.frames.datagram(read.packet, this.packets)
      if (datagram === undefined) this.withoutDatagram++
      else found.push(datagram)
    }
    return bytes.length
  }
}

const noCapture = () => new InvalidCapture({ message: "the file is neither a pcap nor a pcapng capture" })

const joined = (chunks: ReadonlyArray<Uint8Array>, length: number): Uint8Array => {
  const bytes = new Uint8Array(length)
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.length
  }
  return bytes
}
