/** Creates errors for datagrams that cannot be decoded. An error shows the first bytes of its datagram. */
import { HEX_SHOWN_BYTES, Malformed } from "../Errors.ts"
import { toHex } from "../Hex.ts"

/** Creates the error for a message with this tag. `most` is the maximum number of bytes to show. */
export const malformed = (
  messageTag: string,
  bytes: Uint8Array,
  field: string,
  offset: number,
  message: string,
  most = HEX_SHOWN_BYTES
): Malformed =>
  new Malformed({ message, messageTag, field, offset, hex: toHex(bytes, 0, Math.min(bytes.length, most)) })
