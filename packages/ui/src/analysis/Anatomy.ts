/** What the inspector shows of one row: bytes in sections, and a tree of fields that know their bytes. */
import type { Message } from "@sourcewire/protocol"

/** Bytes that are shown together: a datagram, or what a compressed reply inflates to. */
export interface Section {
  readonly title: string
  readonly bytes: Uint8Array
  readonly kind: "datagram" | "inflated"
  /** The place of the datagram in the list. */
  readonly datagram?: number
}

/** Bytes of a section, from `start` up to and without `end`. Equal ends stand for a byte that should be there and is not. */
export interface Span {
  readonly section: number
  readonly start: number
  readonly end: number
}

/** How bytes are tinted: by what kind of thing they are. */
export type Tone = "head" | "text" | "number" | "code" | "id" | "raw" | "error"

/** A field, or several under one name. */
export interface FieldNode {
  /** Unique in its tree: the path in the message, as in `players[3].score`. */
  readonly id: string
  readonly name: string
  /** Of a field how it is written, see `DissectedField.type`; of a group nothing. */
  readonly type?: string
  /** For people: a text in quotes, a number in digits. */
  readonly value: string
  /** What the value means beyond itself, see `meaningOf`. */
  readonly meaning?: string
  readonly doc: string
  readonly tone: Tone
  readonly spans: ReadonlyArray<Span>
  readonly children: ReadonlyArray<FieldNode>
}

export interface Anatomy {
  /** What it is, as in `S2A_INFO_SRC`, and in the page's words. */
  readonly title: string
  readonly doc: string
  /** The documents and captures that define it. */
  readonly sources: string
  readonly sections: ReadonlyArray<Section>
  readonly fields: ReadonlyArray<FieldNode>
  /** Absent when the bytes could not be read, or are a fragment. */
  readonly message?: Message
  readonly problem?: string
}

/** Every field that has bytes of its own, in the order of the tree: the children of one are its bits. Groups may count as one. */
export const leavesOf = (
  fields: ReadonlyArray<FieldNode>,
  isOne: (group: FieldNode) => boolean = () => false
): ReadonlyArray<FieldNode> =>
  fields.flatMap((field) =>
    field.children.length === 0 || field.type !== undefined || isOne(field) ? [field] : leavesOf(field.children, isOne)
  )

/** For each byte of a section its field: a place in the list of leaves, or -1. */
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
