/** A datagram taken apart: every field with its bytes. What `sourcewire decode --tree` and the playground show. */
import { toHex } from "./Hex.ts"

/** One field and where it stands. */
export interface DissectedField {
  /** Path in the message, as in `players[3].score`; header and type are `header` and `type`, bytes that nothing has read `unread`. */
  readonly path: string
  /** Byte offset in the datagram; in the joined datagram when the reply was split. */
  readonly offset: number
  /** Length in bytes, the NUL of a text included. */
  readonly length: number
  /** How it is written: `u8`, `u16`, `i32`, `u32`, `f32`, `u64`, `text`, `flag`, `code`, `bits`, `literal`, `decimal`, `quoted`, `bytes`. */
  readonly type: string
  /** What was read; a 64-bit number is a decimal string. */
  readonly value: string | number | boolean
  /** What the field means. */
  readonly doc: string
}

/** Adds the bytes after the last field as one named `unread`: what a message that cannot be read, or a cap, leaves over. */
export const noteUnread = (fields: Array<DissectedField>, datagram: Uint8Array): void => {
  const offset = fields.reduce((end, field) => Math.max(end, field.offset + field.length), 0)
  const length = datagram.length - offset
  if (length === 0) return
  const doc = "Bytes that nothing has read."
  fields.push({ path: "unread", offset, length, type: "bytes", value: toHex(datagram, offset), doc })
}
