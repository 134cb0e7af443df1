/** A password as bytes, and its comparison in constant time. */
import type { Encoding } from "@sourcewire/protocol"
import { encodeText } from "@sourcewire/protocol/wire"
import * as Redacted from "effect/Redacted"

export const encodePassword = (options: {
  readonly encoding?: Encoding
  readonly password: Redacted.Redacted<string>
}): Uint8Array => {
  const text = Redacted.value(options.password)
  // If the encoding lacks a character of the password, the password is compared in UTF-8.
  return encodeText(text, options.encoding ?? "auto") ?? new TextEncoder().encode(text)
}

/**
 * Whether both passwords have the same bytes. The duration of the comparison depends only on the length of `given`, which the client knows.
 * An empty password means that no password is set: it matches nothing, and the server rejects every login.
 */
export const passwordMatches = (given: Uint8Array, password: Uint8Array): boolean => {
  if (password.length === 0) return false
  let difference = given.length ^ password.length
  for (let i = 0; i < given.length; i++) difference |= given[i]! ^ password[i % password.length]!
  return difference === 0
}
