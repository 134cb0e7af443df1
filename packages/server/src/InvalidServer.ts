/**
 * The error of whatever is started with options that make no sense, or that would harm others.
 *
 * @module
 */
import * as Data from "effect/Data"

/** A server that cannot be as asked for. */
export class InvalidServer extends Data.TaggedError("InvalidServer")<{
  /** A sentence for people. */
  readonly message: string
  /** Path of the option that is to be changed, as in `limit.perSecond`. */
  readonly option: string
}> {}
