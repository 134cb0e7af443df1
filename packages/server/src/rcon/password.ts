/** A password as bytes, and comparing what a stranger sent with it, in a time that tells the stranger nothing. */
import type { Encoding } from "@sourcewire/protocol"
import { encodeText } from "@sourcewire/protocol/machines"
import * as Redacted from "effect/Redacted"

export const passwordOf = (options: {
  readonly encoding?: Encoding
  readonly password: Redacted.Redacted<string>
}): Uint8Array => {
  const text = Redacted.value(options.password)
  // A password that the encoding lacks can't be sent by anybody either; UTF-8 keeps it from matching something else.
  return encodeText(text, options.encoding ?? "auto") ?? new TextEncoder().encode(text)
}

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
