/**
 * Plain objects from a constructor: what it makes is as `{ … }` is, prototype included. V8 keeps statistics of what an object literal
 * makes, and when enough of it outlives a collection, as results do, it throws away the code that was compiled around the literal:
 * the decoders of players and rules, in the midst of a first scan.
 *
 * @module
 */

/** While it is being made. */
export type Writable<T> = { -readonly [K in keyof T]: T[K] }

/** Makes a constructor of `assign`, which sets the fields. */
export const plain = <T extends object, Fields extends ReadonlyArray<unknown>>(
  assign: (this: Writable<T>, ...fields: Fields) => void
): new (...fields: Fields) => T => {
  assign.prototype = Object.prototype
  return assign as never
}
