/**
 * The language in which a message's layout is declared, once, as data. The decoders, the encoder, the dissection, the TypeScript
 * interface, the schema and the byte tables of the documentation all read it; nothing about a layout stands anywhere else.
 *
 * Data types are Valve's: everything is little endian, `long` is 32 bits, a text ends with a NUL.
 */
import type { MessageType } from "../Wire.ts"

/**
 * When an element is there. `field` looks at a value already read, `left` at the number of bytes not read yet. `matches` and `misses` are
 * regular expressions over the bytes not read yet, one character per byte, for layouts that only their content tells apart; `said` is
 * that condition in words.
 */
export type Presence =
  | { readonly field: string; readonly equals: number | string | boolean }
  | { readonly left: "some" }
  | { readonly left: "exactly"; readonly bytes: number }
  | { readonly matches: string; readonly said: string }
  | { readonly misses: string; readonly said: string }

/** Names of the values of a one-byte code. Several bytes may mean the same; the first is the one written. */
export type CodeNames = Readonly<Record<string, ReadonlyArray<number>>>

interface Named {
  /** Key in the message. */
  readonly name: string
  /** What it means: becomes doc comment, table cell and the explanation in the dissection. */
  readonly doc: string
  /** All must hold for the element to be there; absent means always. */
  readonly when?: ReadonlyArray<Presence>
}

/** Number formats: `short` is read unsigned (ports, app ids, counts), `long` keeps its sign unless `u32`. */
export type NumberKind = "u8" | "u16" | "i32" | "u32" | "f32" | "u64"

/** Size in bytes of each number format. */
export const NUMBER_BYTES: Readonly<Record<NumberKind, number>> = { u8: 1, u16: 2, i32: 4, u32: 4, f32: 4, u64: 8 }

/** A number. A `u64` is a decimal string in the message. */
export interface NumberElement extends Named {
  readonly kind: NumberKind
  /** What kind of number it is, where people would read it in another way; see `meaningOf`. */
  readonly means?: "seconds" | "port" | "challenge" | "steamId" | "gameId"
  /** What single values stand for. */
  readonly values?: Readonly<Record<number, string>>
  /** The values that tell the message from another of the same type byte: with one outside it is no such message. */
  readonly range?: { readonly min: number; readonly max: number }
}

/** A text up to its NUL. */
export interface TextElement extends Named {
  readonly kind: "text"
  /**
   * What a missing NUL at the end of the datagram means: `error` (default), `truncated` (the text is kept as far as it came and the
   * message is marked), or `fine` (servers leave it out).
   */
  readonly unterminated?: "truncated" | "fine"
  /** The key is left out of the message when the text is empty. */
  readonly omitEmpty?: true
}

/** One byte, 0 or 1. Another value counts as true and is kept as `<name>Code`. */
export interface FlagElement extends Named {
  readonly kind: "flag"
}

/** One byte with named values. A value without a name stays the number. */
export interface CodeElement extends Named {
  readonly kind: "code"
  readonly names: CodeNames
}

/** Several elements under one key. */
export interface GroupElement extends Named {
  readonly kind: "group"
  readonly fields: ReadonlyArray<Element>
}

/** A one-byte flag in front of a {@link GroupElement}: 1 when the group is there. Another value than 0 and 1 is kept as `<group>Code`. */
export interface MarkerElement extends Named {
  readonly kind: "marker"
  /** Key of the group. */
  readonly group: string
}

/** A byte of which each bit says that a field follows; the byte itself may be missing at the end of the datagram. */
export interface BitsElement extends Named {
  readonly kind: "bits"
  /** In the order in which the fields stand. */
  readonly fields: ReadonlyArray<{ readonly bit: number; readonly element: NumberElement | TextElement | GroupElement }>
}

/**
 * A count and entries. The count is a hint: it wraps or saturates above its range, and replies are truncated. All whole entries are read;
 * the message says `truncated` when fewer came than were announced or the last is incomplete.
 */
export interface ListElement extends Named {
  readonly kind: "list"
  readonly count: { readonly kind: "u8" | "u16"; readonly name: string; readonly doc: string }
  readonly entry: ReadonlyArray<NumberElement | TextElement>
  /** What an entry is called in paths of the documentation. */
  readonly entryName: string
  /** Most entries that are read, and the constant of `Limits` that says so. */
  readonly max: number
  readonly limit: string
  /** Further fields of each entry which stand, entry by entry, after all entries (The Ship). */
  readonly appended?: ReadonlyArray<NumberElement>
}

/** Fixed bytes, given as text. */
export interface LiteralElement extends Named {
  readonly kind: "literal"
  readonly text: string
  /** Servers and clients that leave these bytes out are understood as well. */
  readonly optional?: true
}

/** A number in decimal digits. */
export interface DecimalElement extends Named {
  readonly kind: "decimal"
  /** The number and the blank after it may be missing. */
  readonly optional?: true
  /** What it is in the message, if not a number: a 64-bit number as decimal string, or a flag that is `0` or `1` on the wire. */
  readonly as?: "u64" | "flag"
}

/** A `long` in hexadecimal digits: eight in upper case are written, one to eight of either case are read. */
export interface HexadecimalElement extends Named {
  readonly kind: "hexadecimal"
  readonly means?: "challenge"
}

/** A blank and a word of visible ASCII characters; both may be missing. */
export interface WordElement extends Named {
  readonly kind: "word"
}

/** A word, or several between quotes; always written with quotes. */
export interface QuotedElement extends Named {
  readonly kind: "quoted"
}

/** Bytes, as hex text: as many as another field says, or all that are left. */
export interface BytesElement extends Named {
  readonly kind: "bytes"
  readonly size: "rest" | { readonly field: string }
}

/**
 * IPv4 addresses with port, six bytes each in network order, to the end of the datagram; 0.0.0.0:0 ends them. Two bytes in front that
 * do not make an address are skipped.
 */
export interface AddressesElement extends Named {
  readonly kind: "addresses"
  /** Key that says whether the end was there. */
  readonly end: string
}

/** Any part of a layout. */
export type Element =
  | NumberElement
  | TextElement
  | FlagElement
  | CodeElement
  | GroupElement
  | MarkerElement
  | BitsElement
  | ListElement
  | LiteralElement
  | DecimalElement
  | HexadecimalElement
  | WordElement
  | QuotedElement
  | BytesElement
  | AddressesElement

/** A record that is being read or written: keys as in the message. */
export type Fields = Record<string, unknown>

/** What a rule between fields does. `Fields` is the message while it is being made. */
export interface Rule {
  /** The field without which it says nothing. */
  readonly about: string
  /** Called with a message that has the field, when all of it has been read. Generated code has it from `internal/rules.ts`. */
  readonly decoded: (message: Fields) => void
  /** The fields to write, from those of the message, or what contradicts. Must not change its argument. */
  readonly encoding: (message: Fields) => Fields | { readonly contradiction: string; readonly field: string }
  /** Fields that hold more than their bytes could, and the most they hold. */
  readonly widens: Readonly<Record<string, number>>
  /** Keys that the rule may add to the message. */
  readonly adds: ReadonlyArray<NumberElement>
}

/** What reading and writing need to know of a message. */
export interface Layout {
  readonly tag: string
  /** The byte after FF FF FF FF; for text commands the bytes of `literal` elements follow it. */
  readonly type: number | undefined
  readonly fields: ReadonlyArray<Element>
  readonly rule?: Rule
  /** There is no FF FF FF FF in front. */
  readonly bare?: true
  /** Holds a password: errors show only the header. */
  readonly secret?: true
}

/** One message: its layout, and what is to be said of it. */
export interface Declaration extends Layout {
  /** Valve's name for it, or the usual one. */
  readonly valve: string
  readonly direction: "request" | "reply" | "both"
  /** What it is, in one or two sentences. */
  readonly doc: string
  /** The documents (000–004) and captures that define it. */
  readonly sources: string
  /** A straight-line decoder is generated for whole, regular datagrams. */
  readonly fast?: true
}

type TypeName = keyof typeof MessageType

/** A message as it is written down: its type byte is the one that Valve's name has; a usual name, in small letters, has none. */
export interface Declared extends Omit<Declaration, "tag" | "type"> {
  readonly valve: TypeName | `${TypeName} (${string})` | Lowercase<string>
}

/** The messages of a module by their tags. */
export type Declarations = Readonly<Record<string, Declared>>
