/** Creates errors for datagrams that cannot be decoded. Each error contains the first bytes of the datagram. */
import { HEX_SHOWN_BYTES, Malformed } from "../Errors.ts"
import { toHex } from "../Hex.ts"

/**
 * Creates the error for a datagram that cannot be decoded as the message `messageTag`. The error contains at most `most` bytes of the
 * datagram.
 */
export const malformed = (
  messageTag: string,
  bytes: Uint8Array,
  field: string,
  offset: number,
  message: string,
  most = HEX_SHOWN_BYTES
): Malformed =>
  new Malformed({ message, messageTag, field, offset, hex: toHex(bytes, 0, Math.min(bytes.length, most)) })
