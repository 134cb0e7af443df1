/**
 * Errors of decoding and encoding. Decoders and encoders return these errors in a `Result`. A function that does not return a `Result`
 * throws an {@link InvalidOption} if an argument is invalid.
 */
import { TaggedError } from "./TaggedError.ts"

// JSR rejects a function call after `extends`. Therefore each base class is a constant with an explicit type.
type Base<Tag extends string> = ReturnType<typeof TaggedError<Tag>>
const MalformedBase: Base<"Malformed"> = /* @__PURE__ */ TaggedError("Malformed")
const ChecksumMismatchBase: Base<"ChecksumMismatch"> = /* @__PURE__ */ TaggedError("ChecksumMismatch")
const LimitExceededBase: Base<"LimitExceeded"> = /* @__PURE__ */ TaggedError("LimitExceeded")
const EncodeErrorBase: Base<"EncodeError"> = /* @__PURE__ */ TaggedError("EncodeError")
const InvalidOptionBase: Base<"InvalidOption"> = /* @__PURE__ */ TaggedError("InvalidOption")

/**
 * The bytes are not a valid message. The error contains the type of the message, the field, the offset, and the first bytes of the
 * datagram.
 */
export class Malformed extends MalformedBase<{
  /** An English sentence with the field and the reason. */
  readonly message: string
  /** `_tag` of the message that was decoded; `"Datagram"` if the tag is unknown, `"Split"` for a fragment. */
  readonly messageTag: string
  /** Path of the malformed field, for example `players[3].score`. */
  readonly field: string
  /** Offset in the datagram, in bytes. For a split reply, the offset in the joined and decompressed reply. */
  readonly offset: number
  /** The first 32 bytes of the malformed input as lower-case hex. If the message contains a password, only the four bytes of its header. */
  readonly hex: string
}> {}

/** The size or the CRC32 of a decompressed reply differs from the size or the CRC32 in the header of the split reply. */
export class ChecksumMismatch extends ChecksumMismatchBase<{
  readonly message: string
  /** Which value differs: the size or the CRC32. */
  readonly of: "crc32" | "size"
  readonly expected: number
  readonly actual: number
}> {}

/** A limit of `Limits` was exceeded. The input may be valid, but it is rejected and not stored. */
export class LimitExceeded extends LimitExceededBase<{
  readonly message: string
  /** Name of the limit: a constant in `Limits`. */
  readonly limit: string
  readonly max: number
}> {}

/** All errors of a decoder. */
export type DecodeError = Malformed | ChecksumMismatch | LimitExceeded

/**
 * A message cannot be encoded, for example because a number is out of range, or because a text contains a NUL or a character that the
 * encoding lacks.
 */
export class EncodeError extends EncodeErrorBase<{
  readonly message: string
  readonly messageTag: string
  /** Path of the field, for example `players[3].name`. */
  readonly field: string
}> {}

/**
 * An option or argument has the wrong type or an invalid value: a bug in the calling program. Functions that do not return a `Result` throw
 * this error.
 */
export class InvalidOption extends InvalidOptionBase<{
  readonly message: string
  /** Name of the option or argument. */
  readonly option: string
}> {}

/**
 * An error shows at most this number of bytes of a datagram. The first 32 bytes usually contain the header, the type and the first text.
 */
export const HEX_SHOWN_BYTES = 32
