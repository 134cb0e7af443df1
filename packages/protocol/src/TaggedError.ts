/**
 * The base class of the errors of this package and of `@sourcewire/core`. An error of this class has the same properties as an error of
 * Effect's `Data.TaggedError`, but is a plain `Error`, so that programs without Effect do not load Effect.
 *
 * @module
 */

/**
 * Creates a class of `Error`s with this tag. The argument of the constructor contains the fields of the error. The JSON text of the error
 * contains the fields and the message, but not the stack.
 */
export const TaggedError = <Tag extends string>(
  tag: Tag
): new <Fields extends { readonly message: string; readonly cause?: unknown }>(
  fields: Fields
) => Error & { readonly _tag: Tag } & Readonly<Fields> => {
  class Base extends Error {
    constructor(fields: { readonly message: string; readonly cause?: unknown }) {
      super(fields.message)
      // The tag is set last, because a caller may pass the fields of another error, including the tag of that error.
      Object.assign(this, fields, { _tag: tag })
    }
    toJSON(): object {
      return Object.assign({ message: this.message }, this)
    }
  }
  Base.prototype.name = tag
  return Base as never
}
