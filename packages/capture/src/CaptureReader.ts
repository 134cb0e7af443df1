/** Reads the UDP datagrams of a capture file. The caller passes the file in chunks, so the file can be larger than the memory. */
import { type CapturedDatagram, Frames } from "./frames.ts"
import { type FileFormat, InvalidCapture } from "./Packet.ts"
import { pcap } from "./pcap.ts"
import { pcapng } from "./pcapng.ts"

const MAGIC_BYTES = 4

/**
 * Reads one pcap or pcapng file. A reader stores at most one chunk or one incomplete record, and the fragments of incomplete IP packets.
 */
export class CaptureReader {
  packets = 0
  /** Number of frames without a datagram: frames that are not UDP over IP, and fragments that do not complete an IP packet. */
  withoutDatagram = 0
  /**
   * The error that ended the reading early; `undefined` if no error occurred. {@link CaptureReader.add} still returns all
   * datagrams that precede the error in the file.
   */
  problem: InvalidCapture | undefined = undefined

  private format: FileFormat | undefined = undefined
  private readonly frames = new Frames()
  private waiting: Array<Uint8Array> = []
  private length = 0
  private wanted = MAGIC_BYTES

  /** The ports that are closed according to ICMP messages in the file, as `192.0.2.7:27015`. */
  get refused(): ReadonlySet<string> {
    return this.frames.refused
  }

  /**
   * Adds the next bytes of the file, and returns the datagrams that these bytes complete. Do not change `chunk` after the call, because the
   * reader does not copy it.
   */
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

  /**
   * Finishes reading, and returns {@link CaptureReader.problem}. Call this method after the last chunk. If the file is truncated or empty,
   * this method sets {@link CaptureReader.problem}.
   */
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
