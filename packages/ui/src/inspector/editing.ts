/** Edits bytes with keys: hex digits, Delete and Backspace. */

/**
 * The position of the cursor. The cursor can be after the last byte. `isHalf` is set if the user has typed only the first digit of the byte
 * at the cursor.
 */
export interface EditPlace {
  readonly offset: number
  readonly isHalf: boolean
}

export interface Edited extends EditPlace {
  readonly bytes: Uint8Array
}

const spliced = (bytes: Uint8Array, at: number, removed: number, added: ReadonlyArray<number>): Uint8Array =>
  Uint8Array.from([...bytes.subarray(0, at), ...added, ...bytes.subarray(at + removed)])

/**
 * Returns the bytes and the cursor after a key was pressed, or `undefined` if the key changes nothing. If the cursor is after the last
 * byte, digits append bytes.
 */
export const editedBy = (
  key: string,
  bytes: Uint8Array,
  { isHalf, offset }: EditPlace,
  isInserting: boolean
): Edited | undefined => {
  if (key === "Delete") {
    return offset < bytes.length ? { bytes: spliced(bytes, offset, 1, []), offset, isHalf: false } : undefined
  }
  if (key === "Backspace") {
    // Backspace removes the byte before the cursor. If the user has typed only the first digit of the byte at the cursor, Backspace removes
    // the byte at the cursor.
    const at = isHalf ? offset : offset - 1
    return at >= 0 ? { bytes: spliced(bytes, at, 1, []), offset: at, isHalf: false } : undefined
  }
  if (!/^[\da-fA-F]$/.test(key)) return undefined
  const digit = Number.parseInt(key, 16)
  if (isHalf && offset < bytes.length) {
    return { bytes: bytes.with(offset, (bytes[offset]! & 0xf0) | digit), offset: offset + 1, isHalf: false }
  }
  const isNew = isInserting || offset >= bytes.length
  const low = isNew ? 0 : bytes[offset]! & 0x0f
  return { bytes: spliced(bytes, offset, isNew ? 0 : 1, [(digit << 4) | low]), offset, isHalf: true }
}
