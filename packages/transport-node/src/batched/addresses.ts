/**
 * IPv4 addresses between the text that runtimes give and the number that the system takes. Whoever is asked answers, so the texts of
 * those asked last are kept: to build one takes longer than all else that is done for a datagram.
 */

import { ipv4Number } from "@sourcewire/core/transport"

/** Texts kept, a power of two. Addresses side by side do not displace each other. */
const KEPT = 4096

/** Addresses asked last, as texts and as numbers. */
export class Addresses {
  private readonly numbers = new Uint32Array(KEPT)
  private readonly texts: Array<string> = Array.from({ length: KEPT }, () => "0.0.0.0")

  /** The number of 32 bits that an address stands for, or -1 for any other text. */
  numberOf(address: string): number {
    const number = ipv4Number(address)
    if (number >= 0) this.keep(number, address)
    return number
  }

  textOf(number: number): string {
    const place = number & (KEPT - 1)
    if (this.numbers[place] === number) return this.texts[place]!
    const text = `${number >>> 24}.${(number >>> 16) & 255}.${(number >>> 8) & 255}.${number & 255}`
    this.keep(number, text)
    return text
  }

  private keep(number: number, text: string): void {
    const place = number & (KEPT - 1)
    this.numbers[place] = number
    this.texts[place] = text
  }
}
