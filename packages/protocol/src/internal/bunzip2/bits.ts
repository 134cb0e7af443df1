/**
 * Reads the bits of a bzip2 stream, most significant bit first.
 *
 * @module
 */

/** Thrown inside the decompressor and caught at its entry point. It is not an `Error`, because capturing a stack takes microseconds. */
export class Corrupt {
  readonly reason: string
  constructor(reason: string) {
    this.reason = reason
  }
}

/** Reads bits up to the end of the bytes. Throws {@link Corrupt} if bits beyond the end are consumed. */
export class BitReader {
  private readonly bytes: Uint8Array
  private next = 0
  private window = 0
  private held = 0

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
  }

  /** Returns the next `count` bits and does not consume them; `count` is at most 24. Bits beyond the end are zeros. */
  peek(count: number): number {
    while (this.held < count) {
      this.window = (this.window << 8) | (this.next < this.bytes.length ? this.bytes[this.next]! : 0)
      this.next++
      this.held += 8
    }
    return (this.window >>> (this.held - count)) & ((1 << count) - 1)
  }

  /** Consumes `count` bits after a {@link BitReader.peek | peek}. */
  skip(count: number): void {
    this.held -= count
    if (this.next * 8 - this.held > this.bytes.length * 8) throw new Corrupt("the stream ends early")
  }

  /** Consumes and returns the next `count` bits; `count` is at most 24. */
  read(count: number): number {
    const value = this.peek(count)
    this.skip(count)
    return value
  }
}
