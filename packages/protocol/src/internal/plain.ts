/**
 * Plain objects from a constructor. The objects are as `{ … }` creates them, including the prototype. V8 counts what an object literal
 * creates. If enough of these objects survive a collection, as results do, V8 discards the code around the literal: the decoders of players
 * and rules, during a first scan.
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
