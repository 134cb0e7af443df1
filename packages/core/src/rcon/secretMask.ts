/** Stars in place of a secret, in bytes that are whole and in such that come in pieces. */
import { type DecodeError, fromHex, Malformed, toHex } from "@sourcewire/protocol"
import { concatBytes, toLatin1 } from "./replyText.ts"

/** What stands in the secret's place. */
export const PASSWORD_MASK: Uint8Array = new TextEncoder().encode("********")

const indexOf = (bytes: Uint8Array, wanted: Uint8Array, from: number): number => {
  for (let at = bytes.indexOf(wanted[0]!, from); at >= 0; at = bytes.indexOf(wanted[0]!, at + 1)) {
    if (wanted.every((byte, i) => bytes[at + i] === byte)) return at
  }
  return -1
}

/** A copy of `bytes` with every occurrence of `secret` masked. */
export const maskSecret = (bytes: Uint8Array, secret: Uint8Array): Uint8Array => {
  if (secret.length === 0) return bytes.slice()
  const parts: Array<Uint8Array> = []
  let from = 0
  for (let at = indexOf(bytes, secret, 0); at >= 0; at = indexOf(bytes, secret, from)) {
    parts.push(bytes.subarray(from, at), PASSWORD_MASK)
    from = at + secret.length
  }
  return concatBytes([...parts, bytes.subarray(from)])
}

/** The same for texts with a character per byte. */
export const maskText = (text: string, secret: string): string =>
  secret === "" ? text : text.replaceAll(secret, toLatin1(PASSWORD_MASK))

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
  readonly #secret: Uint8Array
  /** The end of what came, in clear: as much as a secret that ends in the next piece may have here. */
  #tail: Uint8Array = new Uint8Array(0)

  constructor(secret: Uint8Array) {
    this.#secret = secret
  }

  /** The next piece, masked. */
  push(piece: Uint8Array): Uint8Array {
    const secret = this.#secret
    if (secret.length === 0) return piece.slice()
    const joined = concatBytes([this.#tail, piece])
    const isHidden = new Uint8Array(joined.length)
    for (let at = indexOf(joined, secret, 0); at >= 0; at = indexOf(joined, secret, at + 1)) {
      isHidden.fill(1, at, at + secret.length)
    }
    for (let length = Math.min(secret.length - 1, joined.length); length > 0; length--) {
      const begin = joined.length - length
      if (joined.subarray(begin).every((byte, i) => secret[i] === byte)) {
        isHidden.fill(1, begin)
        break
      }
    }
    const parts: Array<Uint8Array> = []
    for (let start = this.#tail.length; start < joined.length;) {
      let end = start + 1
      while (end < joined.length && isHidden[end] === isHidden[start]) end++
      parts.push(isHidden[start] === 1 ? PASSWORD_MASK : joined.subarray(start, end))
      start = end
    }
    this.#tail = joined.slice(Math.max(0, joined.length - secret.length + 1))
    return concatBytes(parts)
  }
}
