/**
 * Comparing what a stranger sent with the password, in a time that tells the stranger nothing.
 *
 * @module
 */

/**
 * Whether both hold the same bytes. The time depends on the length of `given` alone, which its sender knows anyway. An empty
 * password equals nothing: it stands for "no password set", with which no server lets anybody in.
 */
export const passwordMatches = (given: Uint8Array, password: Uint8Array): boolean => {
  if (password.length === 0) return false
  let difference = given.length ^ password.length
  for (let i = 0; i < given.length; i++) difference |= given[i]! ^ password[i % password.length]!
  return difference === 0
}
