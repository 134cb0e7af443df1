/**
 * The base of the errors of this package and of `@sourcewire/core`: of the shape of Effect's `Data.TaggedError`, but a plain `Error`, so
 * that whoever does without Effect need not load it for them.
 *
 * @module
 */

/** A class of `Error`s with this tag and the fields that they are made with. `JSON.stringify` gives these and the message, never a stack. */
export const TaggedError = <Tag extends string>(
  tag: Tag
): new <Fields extends { readonly message: string; readonly cause?: unknown }>(
  fields: Fields
) => Error & { readonly _tag: Tag } & Readonly<Fields> => {
  class Base extends Error {
    constructor(fields: { readonly message: string; readonly cause?: unknown }) {
      super(fields.message)
      // The tag last: the fields may be another error's.
      Object.assign(this, fields, { _tag: tag })
    }
    toJSON(): object {
      return Object.assign({ message: this.message }, this)
    }
  }
  Base.prototype.name = tag
  return Base as never
}
