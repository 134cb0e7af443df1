/** What a capture file holds, whichever format it has. */
import { TaggedError } from "@sourcewire/protocol/wire"

export interface Packet {
  /** Nanoseconds since 1970; `undefined` where the format has no times. */
  readonly timeNs: bigint | undefined
  /** Number of the link layer's format, from the list that both file formats share. */
  readonly linkType: number
  /** As much of the frame as was kept. */
  readonly data: Uint8Array
}

/** The file is no capture, or breaks off. */
export class InvalidCapture
  extends /* @__PURE__ */ TaggedError("InvalidCapture")<{
    /** What is wrong, as a clause: "the capture breaks off within a block". */
    readonly message: string
  }> {}

/** Bytes of the largest frame or block that is read: tcpdump keeps 256 kB at most, a block adds its options. */
export const MAX_BLOCK_BYTES = 16 * 1024 * 1024

/**
 * One of the two file formats, past its magic number. Gives the record that stands at `at` and where it ends; a number where more bytes
 * are wanted first: how many there must be from `at` on, or 0 where the file may end.
 */
export type FileFormat = (bytes: DataView, at: number) => Record | InvalidCapture | number

/** A record of a file; without a packet where it holds something else. */
export interface Record {
  readonly end: number
  readonly packet: Packet | undefined
}

export const bytesOf = (view: DataView, from: number, to: number): Uint8Array =>
  new Uint8Array(view.buffer, view.byteOffset + from, to - from)
