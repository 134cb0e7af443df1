/** The UDP datagrams of a capture file, chunk by chunk, so that a file may be larger than memory. */
import { type CapturedDatagram, Frames } from "./frames.ts"
import { type FileFormat, InvalidCapture } from "./Packet.ts"
import { pcap } from "./pcap.ts"
import { pcapng } from "./pcapng.ts"

const MAGIC_BYTES = 4

/** Reads one file, of either format. Holds one chunk or one record at most, and incomplete fragments of IP packets. */
export class CaptureReader {
  packets = 0
  /** Frames that gave no datagram: not UDP over IP, or a part of a packet that IP fragmented. */
  withoutDatagram = 0
  /** Why nothing more is read. What was whole before has been given. */
  problem: InvalidCapture | undefined = undefined

  private format: FileFormat | undefined = undefined
  private readonly frames = new Frames()
  private waiting: Array<Uint8Array> = []
  private length = 0
  private wanted = MAGIC_BYTES

  /** Addresses with ports of which ICMP says that no program listens there. */
  get refused(): ReadonlySet<string> {
    return this.frames.refused
  }

  /** Takes the next bytes of the file, which are kept as they are, and gives the datagrams that they complete. */
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

  /** The file is over; gives {@link problem}, which a file that breaks off has from now on. */
  end(): InvalidCapture | undefined {
    if (this.problem === undefined && this.format === undefined) this.problem = noCapture()
    if (this.problem === undefined && this.length > 0) {
      this.problem = new InvalidCapture({ message: `the capture is truncated after packet ${this.packets}` })
    }
    return this.problem
  }

  /** Where the first record begins that is not whole. */
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
