/** Replaces a secret by asterisks, in complete texts and in texts that arrive in parts. */
import { type DecodeError, fromHex, Malformed, toHex } from "@sourcewire/protocol"
import { encodeText } from "@sourcewire/protocol/wire"
import { toLatin1 } from "./replyText.ts"

const MASK = "********"

/** The replacement for a secret. */
export const PASSWORD_MASK: Uint8Array = new TextEncoder().encode(MASK)

/** Returns a text in which every occurrence of a secret is masked. The text and the secret have one character per byte. */
export const maskText = (text: string, secret: string): string => (secret === "" ? text : text.replaceAll(secret, MASK))

/** Returns a copy of the bytes in which every occurrence of a secret is masked. */
export const maskSecret = (bytes: Uint8Array, secret: Uint8Array): Uint8Array =>
  encodeText(maskText(toLatin1(bytes), toLatin1(secret)), "latin1")!

/**
 * Masks the secret in the bytes that an error contains, because a server can return the secret in its reply. The secret is also masked if
 * the bytes end in the middle of the secret.
 */
export const maskHex = (error: DecodeError, secret: Uint8Array): DecodeError => {
  if (error._tag !== "Malformed") return error
  const { field, hex, message, messageTag, offset } = error
  const shown = new SecretMask(secret).push(fromHex(hex) ?? new Uint8Array(0))
  return new Malformed({ message, messageTag, field, offset, hex: toHex(shown) })
}

/**
 * Masks a secret in a text that arrives in parts, even if the secret begins in one part and ends in a later part. If the last characters of
 * a part may be the beginning of the secret, these characters are masked at once, because the next part is not known yet.
 */
export class SecretMask {
  /** The secret. All texts in this class have one character per byte. */
  readonly #secret: string
  /**
   * The last characters of the received text, unmasked. Their number is at most the length of the secret minus one. The secret may begin in
   * these characters and end in the next part.
   */
  #tail = ""

  constructor(secret: Uint8Array) {
    this.#secret = toLatin1(secret)
  }

  /** Masks the secret in the next part of the text, and returns the masked part. */
  push(piece: Uint8Array): Uint8Array {
    const secret = this.#secret
    if (secret.length === 0) return piece.slice()
    const joined = this.#tail + toLatin1(piece)
    const isHidden = new Uint8Array(joined.length)
    for (let at = joined.indexOf(secret); at >= 0; at = joined.indexOf(secret, at + 1)) {
      isHidden.fill(1, at, at + secret.length)
    }
    for (let length = Math.min(secret.length - 1, joined.length); length > 0; length--) {
      if (!secret.startsWith(joined.slice(-length))) continue
      isHidden.fill(1, -length)
      break
    }
    let shown = ""
    for (let start = this.#tail.length; start < joined.length;) {
      let end = start + 1
      while (end < joined.length && isHidden[end] === isHidden[start]) end++
      shown += isHidden[start] === 1 ? MASK : joined.slice(start, end)
      start = end
    }
    this.#tail = joined.slice(Math.max(0, joined.length - secret.length + 1))
    return encodeText(shown, "latin1")!
  }
}
