/**
 * Comparing what a stranger sent with a secret, in a time that tells the stranger nothing.
 *
 * @module
 */

/** Whether both hold the same bytes. The time depends on the length of `given` alone. An empty secret equals nothing. */
export const equalsSecret = (given: Uint8Array, secret: Uint8Array): boolean => {
  if (secret.length === 0) return false
  let difference = given.length ^ secret.length
  for (let i = 0; i < given.length; i++) difference |= given[i]! ^ secret[i % secret.length]!
  return difference === 0
}
