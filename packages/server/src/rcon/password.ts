/** A password as bytes, and its comparison in a time that reveals nothing. */
import type { Encoding } from "@sourcewire/protocol"
import { encodeText } from "@sourcewire/protocol/wire"
import * as Redacted from "effect/Redacted"

export const passwordOf = (options: {
  readonly encoding?: Encoding
  readonly password: Redacted.Redacted<string>
}): Uint8Array => {
  const text = Redacted.value(options.password)
  // A password that the encoding lacks cannot be sent; UTF-8 ensures that nothing else equals it.
  return encodeText(text, options.encoding ?? "auto") ?? new TextEncoder().encode(text)
}

/**
 * Whether both have the same bytes. The time depends only on the length of `given`, which its sender knows. An empty password equals
 * nothing: it means that no password is set, and then a server rejects every login.
 */
export const passwordMatches = (given: Uint8Array, password: Uint8Array): boolean => {
  if (password.length === 0) return false
  let difference = given.length ^ password.length
  for (let i = 0; i < given.length; i++) difference |= given[i]! ^ password[i % password.length]!
  return difference === 0
}
