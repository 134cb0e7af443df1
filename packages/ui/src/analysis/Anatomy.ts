/**
 * The content of the inspector for one message, fragment or split reply: the bytes in sections, and a tree of fields with the positions of
 * their bytes.
 */
import type { Message } from "@sourcewire/protocol"

/** Bytes that are shown together: a datagram, or the decompressed content of a reply. */
export interface Section {
  readonly title: string
  readonly bytes: Uint8Array
  readonly kind: "datagram" | "inflated"
  /** Index of the datagram in the list of datagrams. */
  readonly datagram?: number
}

/**
 * The bytes of a section from offset `start` up to, but not including, offset `end`. If `start` equals `end`, the span marks the position
 * of a missing byte.
 */
export interface Span {
  readonly section: number
  readonly start: number
  readonly end: number
}

/** The colours of bytes. All bytes of a field have the same colour, which depends on the type of the field. */
export type Tone = "head" | "text" | "number" | "code" | "id" | "raw" | "error"

/** A field, or a group of fields. */
export interface FieldNode {
  /** The path of the field in the message, such as `players[3].score`. It is unique in the tree. */
  readonly id: string
  readonly name: string
  /** The encoding of a field, see `DissectedField.type`. Absent for a group. */
  readonly type?: string
  /**
   * The value as text, for example a number, hex digits or a text in quotes. For a list: the number of its entries. For an entry: the
   * values of its fields.
   */
  readonly value: string
  /** The meaning of the value, see `explainField`. */
  readonly meaning?: string
  readonly doc: string
  readonly tone: Tone
  readonly spans: ReadonlyArray<Span>
  readonly children: ReadonlyArray<FieldNode>
}

export interface Anatomy {
  /** Valve's name of the message, such as `S2A_INFO_SRC`. If the bytes are not a message, the title describes the bytes in plain words. */
  readonly title: string
  readonly doc: string
  /** The documents and captures on which the description of the message is based. */
  readonly sources: string
  readonly sections: ReadonlyArray<Section>
  readonly fields: ReadonlyArray<FieldNode>
  /** The decoded message. Absent if the bytes cannot be decoded, or if they are a fragment. */
  readonly message?: Message
  readonly problem?: string
}

/**
 * Returns the leaves of the tree, from top to bottom. A leaf is a field without children, a field that consists of bit fields, or a group
 * for which `isOne` returns `true`.
 */
export const listLeaves = (
  fields: ReadonlyArray<FieldNode>,
  isOne: (group: FieldNode) => boolean = () => false
): ReadonlyArray<FieldNode> =>
  fields.flatMap((field) =>
    field.children.length === 0 || field.type !== undefined || isOne(field)
      ? [field]
      : listLeaves(field.children, isOne)
  )

/**
 * Returns, for each byte of a section, the index of its field in `leaves`. The index is -1 if no field contains the byte. The array has one
 * more item for the position after the last byte, where a byte can be missing.
 */
export const byteOwners = (leaves: ReadonlyArray<FieldNode>, section: number, length: number): Int32Array => {
  const owners = new Int32Array(length + 1).fill(-1)
  leaves.forEach(({ spans }, index) => {
    for (const span of spans) {
      if (span.section !== section) continue
      const end = Math.max(span.end, span.start + 1)
      for (let at = span.start; at < end && at <= length; at++) if (owners[at] === -1) owners[at] = index
    }
  })
  return owners
}
