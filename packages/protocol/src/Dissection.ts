/**
 * A datagram taken apart: every field with its bytes. What `sourcewire decode --tree` and the playground show.
 *
 * @module
 */

/** One field and where it stands. */
export interface DissectedField {
  /** Path in the message, as in `players[3].score`; header and type are `header` and `type`. */
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
