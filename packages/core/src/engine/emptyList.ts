/**
 * An empty array for objects. V8 takes `[]` for one of small integers until something else is pushed. Code that an earlier scan has
 * warmed up was compiled for what its arrays had become, and is thrown away when the next scan comes with such a fresh one: that made
 * the first few hundred targets of a second scan cost twice as much.
 *
 * @module
 */

/** `[]` that V8 takes for a list of objects from the start. */
export const emptyList = <T>(): Array<T> => {
  const list: Array<T | undefined> = [undefined]
  list.pop()
  return list as Array<T>
}
