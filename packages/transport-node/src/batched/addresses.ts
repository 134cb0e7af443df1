/**
 * Converts IPv4 addresses from text to 32-bit numbers and back: the runtimes use text, and the system calls use numbers. The texts of
 * recently used addresses are cached, because building a text takes longer than all other work for a datagram.
 */

import { ipv4Number } from "@sourcewire/core/transport"

/**
 * Maximum number of cached texts, a power of two. The low bits of an address are its position in the cache. Therefore consecutive addresses
 * have different positions.
 */
const MAX_CACHED = 4096

/** Converts addresses, and caches the texts of recently used addresses. */
export class Addresses {
  private readonly numbers = new Uint32Array(MAX_CACHED)
  private readonly texts: Array<string> = Array.from({ length: MAX_CACHED }, () => "0.0.0.0")

  /** Converts an IPv4 address to its 32-bit number, and caches the text. Returns −1 if the text is not an IPv4 address. */
  toNumber(address: string): number {
    const number = ipv4Number(address)
    if (number >= 0) this.cache(number, address)
    return number
  }

  toText(number: number): string {
    const place = number & (MAX_CACHED - 1)
    if (this.numbers[place] === number) return this.texts[place]!
    const text = `${number >>> 24}.${(number >>> 16) & 255}.${(number >>> 8) & 255}.${number & 255}`
    this.cache(number, text)
    return text
  }

  private cache(number: number, text: string): void {
    const place = number & (MAX_CACHED - 1)
    this.numbers[place] = number
    this.texts[place] = text
  }
}
