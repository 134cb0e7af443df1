/** A dissected datagram: every field with its bytes. `sourcewire decode --tree` and the playground show dissected datagrams. */
import { toHex } from "./Hex.ts"

/** One field and its position. */
export interface DissectedField {
  /**
   * Path in the message, for example `players[3].score`. Parts of the datagram that are not fields of the message also have a path, for
   * example `header`, `type`, or `unread` for the bytes after the last decoded field.
   */
  readonly path: string
  /** Byte offset in the datagram, or in the joined datagram of a split reply. */
  readonly offset: number
  /** Length in bytes, including the NUL at the end of a text. */
  readonly length: number
  /**
   * Format: `u8`, `u16`, `i32`, `u32`, `f32`, `u64`, `text`, `flag`, `code`, `bits`, `literal`, `decimal`, `hexadecimal`, `word`, `quoted`,
   * `addresses`, `bytes`.
   */
  readonly type: string
  /** The value; a 64-bit number is a decimal string. */
  readonly value: string | number | boolean
  /** The meaning of the field. */
  readonly doc: string
}

/**
 * Adds a field `unread` that contains all bytes after the last decoded field. Unread bytes remain if the decoder stopped at an error or at
 * a limit.
 */
export const addUnread = (fields: Array<DissectedField>, datagram: Uint8Array): void => {
  const offset = fields.reduce((end, field) => Math.max(end, field.offset + field.length), 0)
  const length = datagram.length - offset
  if (length === 0) return
  const doc = "Bytes that the decoder has not read."
  fields.push({ path: "unread", offset, length, type: "bytes", value: toHex(datagram, offset), doc })
}
