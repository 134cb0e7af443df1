/**
 * What can go wrong between bytes and messages. Every error is a value: decoders return it in a `Result`.
 * Only what types would have kept out is thrown, by functions that have no `Result` to say it in.
 */
import { TaggedError } from "./TaggedError.ts"

// JSR asks for a name with a type in the place of a call behind `extends`.
type Base<Tag extends string> = ReturnType<typeof TaggedError<Tag>>
const MalformedBase: Base<"Malformed"> = /* @__PURE__ */ TaggedError("Malformed")
const ChecksumMismatchBase: Base<"ChecksumMismatch"> = /* @__PURE__ */ TaggedError("ChecksumMismatch")
const LimitExceededBase: Base<"LimitExceeded"> = /* @__PURE__ */ TaggedError("LimitExceeded")
const EncodeErrorBase: Base<"EncodeError"> = /* @__PURE__ */ TaggedError("EncodeError")
const InvalidOptionBase: Base<"InvalidOption"> = /* @__PURE__ */ TaggedError("InvalidOption")

/** The bytes are not the message: says which message, field and offset, and shows how the datagram begins. */
export class Malformed extends MalformedBase<{
  /** A sentence for people. */
  readonly message: string
  /** `_tag` of the message that was being read; `"Datagram"` when not even that was clear, `"Split"` for a fragment. */
  readonly messageTag: string
  /** Path of the field that could not be read, as in `players[3].score`. */
  readonly field: string
  /** Where in the datagram (joined and inflated, for a split one), in bytes from its start. */
  readonly offset: number
  /** The first {@link HEX_SHOWN_BYTES} bytes, lower-case hex. */
  readonly hex: string
}> {}

/** A compressed reply inflated to something else than its header announced (size or CRC32). */
export class ChecksumMismatch extends ChecksumMismatchBase<{
  readonly message: string
  /** Which of the two did not agree. */
  readonly of: "crc32" | "size"
  readonly expected: number
  readonly actual: number
}> {}

/** A cap of `Limits` was reached; the input may be valid, but we refuse to hold more. */
export class LimitExceeded extends LimitExceededBase<{
  readonly message: string
  /** Name of the constant in `Limits`. */
  readonly limit: string
  readonly max: number
}> {}

/** Everything a decoder can say. */
export type DecodeError = Malformed | ChecksumMismatch | LimitExceeded

/** A value that has no bytes: out of range, a NUL inside a text, a character the encoding lacks. */
export class EncodeError extends EncodeErrorBase<{
  readonly message: string
  readonly messageTag: string
  /** Path of the field, as in `players[3].name`. */
  readonly field: string
}> {}

/**
 * An option, or an argument, is not what its types say, or has a value that makes no sense: a mistake of the program. Functions without
 * a `Result` throw it.
 */
export class InvalidOption extends InvalidOptionBase<{
  readonly message: string
  /** Name of the option or argument. */
  readonly option: string
}> {}

/** How many bytes of a datagram an error shows: enough to see header, type and the first text. */
export const HEX_SHOWN_BYTES = 32
