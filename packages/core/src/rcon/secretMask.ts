/** Stars in place of a secret, in bytes that are whole and in such that come in pieces. */
import { type DecodeError, fromHex, Malformed, toHex } from "@sourcewire/protocol"
import { encodeText } from "@sourcewire/protocol/wire"
import { toLatin1 } from "./replyText.ts"

const MASK = "********"

/** What stands in the secret's place. */
export const PASSWORD_MASK: Uint8Array = new TextEncoder().encode(MASK)

/** Every occurrence of a secret masked, in a text with a character per byte. */
export const maskText = (text: string, secret: string): string => (secret === "" ? text : text.replaceAll(secret, MASK))

/** The same for a copy of bytes. */
export const maskSecret = (bytes: Uint8Array, secret: Uint8Array): Uint8Array =>
  encodeText(maskText(toLatin1(bytes), toLatin1(secret)), "latin1")!

/** An error without the secret: the bytes that it shows may be what a server makes of it. They may end within it. */
export const maskHex = (error: DecodeError, secret: Uint8Array): DecodeError => {
  if (error._tag !== "Malformed") return error
  const { field, hex, message, messageTag, offset } = error
  const shown = new SecretMask(secret).push(fromHex(hex) ?? new Uint8Array(0))
  return new Malformed({ message, messageTag, field, offset, hex: toHex(shown) })
}

/**
 * Masks a secret in a text that comes piece by piece, also where it stands in several of them. What stands at a piece's end and may
 * be the secret's beginning is masked at once, since nobody knows what the next piece brings.
 */
export class SecretMask {
  /** It, and all else here, as a text with a character per byte. */
  readonly #secret: string
  /** The end of what came, in clear: as much as a secret that ends in the next piece may have here. */
  #tail = ""

  constructor(secret: Uint8Array) {
    this.#secret = toLatin1(secret)
  }

  /** The next piece, masked. */
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
