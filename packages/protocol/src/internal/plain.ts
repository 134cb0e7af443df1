/**
 * Creates constructors of plain objects. The objects equal those of an object literal `{ … }`, including the prototype. V8 counts the
 * objects that a literal creates. If enough of them survive a garbage collection, as the results of a scan do, V8 discards the compiled
 * code around the literal. With literals, this would happen to the decoders of players and rules during a first scan.
 *
 * @module
 */

/** A type without `readonly`, for an object under construction. */
export type Writable<T> = { -readonly [K in keyof T]: T[K] }

/** Makes a constructor of `assign`, which sets the fields. */
export const plain = <T extends object, Fields extends ReadonlyArray<unknown>>(
  assign: (this: Writable<T>, ...fields: Fields) => void
): new (...fields: Fields) => T => {
  assign.prototype = Object.prototype
  return assign as never
}
