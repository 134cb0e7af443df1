/**
 * The format in which the layout of a message is declared as data. The decoders, the encoder, the dissection, the TypeScript interface, the
 * schema and the byte tables of the documentation are all derived from this data. Only the files of this folder declare layouts.
 *
 * Data types are Valve's: numbers are little endian (only addresses and their ports have network byte order), `long` is 32 bits, a text
 * ends with a NUL.
 */
import type { MessageType } from "../Wire.ts"

/**
 * Condition for the presence of an element. `field` compares the value of an earlier field with `equals`; `left` checks the number of
 * remaining bytes. The remaining bytes, as a string with one character per byte, must match the regular expression `matches`, or must not
 * match the regular expression `misses`. Regular expressions are necessary because some messages have two layouts, and only the content
 * shows which layout a datagram has. `text` describes the condition of the regular expression in words.
 */
export type Presence =
  | { readonly field: string; readonly equals: number | string | boolean }
  | { readonly left: "some" }
  | { readonly left: "exactly"; readonly bytes: number }
  | { readonly matches: string; readonly text: string }
  | { readonly misses: string; readonly text: string }

/**
 * The names of the values of a one-byte code, each with the bytes that it stands for. If a name stands for several bytes, the encoder
 * writes the first of these bytes.
 */
export type CodeNames = Readonly<Record<string, ReadonlyArray<number>>>

interface Named {
  /** Key of the element in the message. */
  readonly name: string
  /** The meaning of the element. This text becomes a doc comment, a table cell, and the explanation in a dissection. */
  readonly doc: string
  /** Conditions for the presence of the element, which must all hold. Without conditions, the element is always present. */
  readonly when?: ReadonlyArray<Presence>
}

/** Number formats. Valve's `short` is always `u16` (ports, app ids, counts). Valve's `long` is `i32` or `u32`. */
export type NumberKind = "u8" | "u16" | "i32" | "u32" | "f32" | "u64"

/** Size in bytes of each number format. */
export const NUMBER_BYTES: Readonly<Record<NumberKind, number>> = { u8: 1, u16: 2, i32: 4, u32: 4, f32: 4, u64: 8 }

/** A number. A `u64` is a decimal string in the message. */
export interface NumberElement extends Named {
  readonly kind: NumberKind
  /** The kind of value that the number represents, for example a duration or a port; see `explainField`. */
  readonly means?: "seconds" | "port" | "challenge" | "steamId" | "gameId"
  /** The meaning of some values of the number, by value. */
  readonly values?: Readonly<Record<number, string>>
  /**
   * Accepted values. If several messages have the same type byte, a value outside this range means that the datagram is another of these
   * messages.
   */
  readonly range?: { readonly min: number; readonly max: number }
}

/** A text that ends with a NUL. */
export interface TextElement extends Named {
  readonly kind: "text"
  /**
   * The behaviour of the decoder if the datagram ends without this NUL:
   * - not given: decoding fails,
   * - `truncated`: the available text is returned, and the message is marked as truncated,
   * - `fine`: the available text is accepted as complete, because some programs omit the NUL.
   */
  readonly unterminated?: "truncated" | "fine"
  /** If the text is empty, the key is omitted from the message. */
  readonly omitEmpty?: true
}

/** One byte, 0 or 1. Any other value is decoded as true, and the byte is also returned as `<name>Code`. */
export interface FlagElement extends Named {
  readonly kind: "flag"
}

/** One byte with named values. If a byte has no name, the decoder returns the byte as a number. */
export interface CodeElement extends Named {
  readonly kind: "code"
  readonly names: CodeNames
}

/** Several elements, which the message contains as an object under one key. */
export interface GroupElement extends Named {
  readonly kind: "group"
  readonly fields: ReadonlyArray<Element>
}

/**
 * A one-byte flag before a {@link GroupElement}: 1 if the group is present. If the byte is neither 0 nor 1, the message also contains the
 * byte as `<name>Code`.
 */
export interface MarkerElement extends Named {
  readonly kind: "marker"
  /** Key of the group. */
  readonly group: string
}

/** A byte in which each bit announces a field. The datagram may end before this byte. */
export interface BitsElement extends Named {
  readonly kind: "bits"
  /** The announced fields and their bits, in the order in which the fields follow this byte. */
  readonly fields: ReadonlyArray<{ readonly bit: number; readonly element: NumberElement | TextElement | GroupElement }>
}

/**
 * A count, followed by entries. The count is only a hint, because it wraps or saturates above its range, and because replies can be
 * truncated. All complete entries are read, even if there are more entries than announced. The message contains `truncated: true` if there
 * are fewer entries than announced, or if the last entry is incomplete.
 */
export interface ListElement extends Named {
  readonly kind: "list"
  readonly count: { readonly kind: "u8" | "u16"; readonly name: string; readonly doc: string }
  readonly entry: ReadonlyArray<NumberElement | TextElement>
  /** Name of an entry in the singular, for example `player`. Generated types and labels contain this name. */
  readonly entryName: string
  /** Maximum number of entries. */
  readonly max: number
  /** Name of the constant of `Limits` that defines `max`. */
  readonly limit: string
  /**
   * Further fields of each entry, which The Ship sends. They follow the last entry: first the further fields of the first entry, then those
   * of the second entry, and so on.
   */
  readonly appended?: ReadonlyArray<NumberElement>
}

/** Fixed bytes, given as text. */
export interface LiteralElement extends Named {
  readonly kind: "literal"
  readonly text: string
  /** Servers and clients may omit these bytes. */
  readonly optional?: true
}

/** A number, written in decimal digits in the datagram. */
export interface DecimalElement extends Named {
  readonly kind: "decimal"
  /** The number and the space after it may be missing. */
  readonly optional?: true
  /**
   * Type of the value in the message (default: number). `u64` is a 64-bit number, as a decimal string. `flag` is a boolean, whose digit in
   * the datagram is `0` or `1`.
   */
  readonly as?: "u64" | "flag"
}

/**
 * A `long`, written in hexadecimal digits in the datagram. The encoder writes eight upper-case digits. The decoder accepts one to eight
 * digits of any case.
 */
export interface HexadecimalElement extends Named {
  readonly kind: "hexadecimal"
  readonly means?: "challenge"
}

/** A space and a word of visible ASCII characters; both may be missing. */
export interface WordElement extends Named {
  readonly kind: "word"
}

/** A text in quotes, or a single word without quotes. The encoder always writes quotes. */
export interface QuotedElement extends Named {
  readonly kind: "quoted"
}

/**
 * Bytes of the datagram. In the message, they are a hex text. `size.field` is the name of the field that contains the number of bytes;
 * `"rest"` means all remaining bytes.
 */
export interface BytesElement extends Named {
  readonly kind: "bytes"
  readonly size: "rest" | { readonly field: string }
}

/**
 * A list of IPv4 addresses with ports, six bytes each, in network byte order. The list ends with 0.0.0.0:0 or at the end of the datagram.
 * If two zero bytes precede the list, they are padding.
 */
export interface AddressesElement extends Named {
  readonly kind: "addresses"
  /** Key of the flag that shows whether the list ended with 0.0.0.0:0. */
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

/** The keys and values of a message that is being read or written. */
export type Fields = Record<string, unknown>

/** A rule that connects several fields of a message. */
export interface Rule {
  /** Key of a field. The rule applies only if the message contains this field. */
  readonly about: string
  /**
   * Called after the whole message was read, if the message contains the field `about`. Generated code imports this function from
   * `internal/rules.ts`.
   */
  readonly decoded: (message: Fields) => void
  /** Returns the fields to write, or a contradiction between the fields. The function must not change its argument. */
  readonly encoding: (message: Fields) => Fields | { readonly contradiction: string; readonly field: string }
  /**
   * Fields whose values in a message can be larger than the field's bytes in the datagram allow, each with its maximum value in a message.
   */
  readonly widens: Readonly<Record<string, number>>
  /** Keys that the rule may add to the message. */
  readonly adds: ReadonlyArray<NumberElement>
}

/** The part of a declaration that decoders and encoders need. */
export interface Layout {
  readonly tag: string
  /**
   * The byte after FF FF FF FF, or the first byte of a `bare` message. Text commands have no type byte; the command is a `literal` element.
   */
  readonly type: number | undefined
  readonly fields: ReadonlyArray<Element>
  readonly rule?: Rule
  /** The message does not start with FF FF FF FF. */
  readonly bare?: true
  /** The message contains a password: errors show only the header. */
  readonly secret?: true
}

/** A message: its layout and its documentation. */
export interface Declaration extends Layout {
  /** Valve's name for the message, or the usual name. */
  readonly valve: string
  readonly direction: "request" | "reply" | "both"
  /** One or two sentences about the purpose of the message. */
  readonly doc: string
  /** The documents (000–004) and captures that define the message. */
  readonly sources: string
  /** The generator creates a fast decoder for this message. The fast decoder decodes only complete, regular datagrams. */
  readonly fast?: true
}

type TypeName = keyof typeof MessageType

/**
 * A declaration as written in the source. If `valve` contains one of Valve's names, this name determines the type byte. If `valve` is in
 * lower case, the message has no type byte.
 */
export interface Declared extends Omit<Declaration, "tag" | "type"> {
  readonly valve: TypeName | `${TypeName} (${string})` | Lowercase<string>
}

/** The messages of a module, by tag. */
export type Declarations = Readonly<Record<string, Declared>>
