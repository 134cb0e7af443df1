/** What reading a text can give, and how a datagram of the protocol begins. */
import { isConnectionless, isSplit } from "@sourcewire/protocol/wire"

/** Whether bytes begin as every connectionless message (−1) or fragment (−2) of the protocol does. */
export const hasProtocolHead = (bytes: Uint8Array): boolean => isConnectionless(bytes) || isSplit(bytes)

/** The parts of a text where there are several, of which each begins a datagram: else they only wrap. */
export const datagramsIn = (
  parts: ReadonlyArray<string>,
  bytesOf: (part: string) => Uint8Array | undefined
): ReadonlyArray<string> | undefined =>
  parts.length > 1 && parts.every((part) => hasProtocolHead(bytesOf(part) ?? new Uint8Array(0))) ? parts : undefined

/** What a text was taken for. */
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

/** Text that was not. */
export interface NotUnderstood {
  readonly ok: false
  /** A sentence for people. */
  readonly message: string
  /** Counted from 1, where one line is to blame. */
  readonly line?: number
}

/** What a reader of one spelling gives; `undefined` when the text is not in its spelling at all. */
export type Reading =
  | { readonly spelling: Spelling; readonly pieces: ReadonlyArray<Uint8Array> }
  | NotUnderstood
  | undefined
