/** A packet of a capture file, in either format. */
import { TaggedError } from "@sourcewire/protocol/wire"

export interface Packet {
  /** Nanoseconds since 1970; `undefined` if the format has no times. */
  readonly timeNs: bigint | undefined
  /** Number of the link-layer format, from the list that both file formats use. */
  readonly linkType: number
  /** The recorded part of the frame. */
  readonly data: Uint8Array
}

/** The file is not a capture, or it is truncated. */
export class InvalidCapture
  extends /* @__PURE__ */ TaggedError("InvalidCapture")<{
    /** The reason, as a clause: "the capture is truncated after packet 7". */
    readonly message: string
  }> {}

/** Maximum size of a frame or block, in bytes. tcpdump stores at most 256 kB; a block adds its options. */
export const MAX_BLOCK_BYTES = 16 * 1024 * 1024

/**
 * Reads one of the two file formats, after its magic number. The reader returns the record at `at` with its end. If the record is
 * incomplete, the reader returns the number of bytes that it needs from `at` on, or 0 if the file may end here.
 */
export type FileFormat = (bytes: DataView, at: number) => Record | InvalidCapture | number

/** A record of a file. `packet` is `undefined` if the record contains something other than a packet. */
export interface Record {
  readonly end: number
  readonly packet: Packet | undefined
}

export const bytesBetween = (view: DataView, from: number, to: number): Uint8Array =>
  new Uint8Array(view.buffer, view.byteOffset + from, to - from)
