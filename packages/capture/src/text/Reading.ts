/** The result types of the functions that read texts, and functions that recognize datagrams by their first bytes. */
import { isConnectionless, isSplit } from "@sourcewire/protocol/wire"

/** Whether bytes begin like a connectionless message (−1) or a fragment (−2). */
export const hasProtocolHead = (bytes: Uint8Array): boolean => isConnectionless(bytes) || isSplit(bytes)

/** Returns the parts of a text if there are several parts and every part begins like a datagram. Otherwise returns `undefined`. */
export const splitDatagrams = (
  parts: ReadonlyArray<string>,
  parseBytes: (part: string) => Uint8Array | undefined
): ReadonlyArray<string> | undefined =>
  parts.length > 1 && parts.every((part) => hasProtocolHead(parseBytes(part) ?? new Uint8Array(0))) ? parts : undefined

/** The detected notation. */
export type Spelling =
  | "hex"
  | "0x list"
  | "array literal"
  | "escaped string"
  | "Python bytes"
  | "base64"
  | "xxd dump"
  | "hexdump -C"
  | "tcpdump -X"
  | "Wireshark hex dump"

/** The result for an invalid text: the notation of the text is unknown, or the text breaks the rules of its notation. */
export interface NotUnderstood {
  readonly ok: false
  /** An English sentence with the reason. */
  readonly message: string
  /** The line with the error, counted from 1. Absent if the error is not in a particular line. */
  readonly line?: number
}

/** The result of a reader for one notation; `undefined` if the text is not in this notation. */
export type Reading =
  | { readonly spelling: Spelling; readonly pieces: ReadonlyArray<Uint8Array> }
  | NotUnderstood
  | undefined
