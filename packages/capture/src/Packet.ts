/** A packet of a capture file (pcap or pcapng). */
import { TaggedError } from "@sourcewire/protocol/wire"

export interface Packet {
  /** Nanoseconds since 1970; `undefined` if the file contains no time for this packet. */
  readonly timeNs: bigint | undefined
  /** Number of the link-layer format. The numbers are the same in pcap and pcapng. */
  readonly linkType: number
  /** The bytes of the frame. A capture program can truncate long frames. */
  readonly data: Uint8Array
}

/** The file is not a capture file, is truncated, or contains an invalid record. */
export class InvalidCapture
  extends /* @__PURE__ */ TaggedError("InvalidCapture")<{
    /** The reason, as a clause: "the capture is truncated after packet 7". */
    readonly message: string
  }> {}

/**
 * Maximum size of a frame (pcap) or of a block (pcapng), in bytes. tcpdump stores at most 256 kB of a frame. A block contains a frame and
 * options.
 */
export const MAX_BLOCK_BYTES = 16 * 1024 * 1024

/**
 * A function that reads records in one file format: pcap or pcapng. The function returns the record at the offset `at`, with the offset of
 * the record's end. If the record is incomplete, the function returns a number: the caller must read at least this number of bytes from
 * `at` on before it calls the function again.
 */
export type FileFormat = (bytes: DataView, at: number) => Record | InvalidCapture | number

/** A record of a file. `packet` is `undefined` if the record is not a packet, for example if it describes a network interface. */
export interface Record {
  readonly end: number
  readonly packet: Packet | undefined
}

export const bytesBetween = (view: DataView, from: number, to: number): Uint8Array =>
  new Uint8Array(view.buffer, view.byteOffset + from, to - from)
