/**
 * Reads the bits of a bzip2 stream, most significant bit first.
 *
 * @module
 */

/**
 * Reports a corrupt stream. The decompressor throws this object, and its entry point catches it. The class does not extend `Error`, because
 * capturing a stack takes microseconds.
 */
export class Corrupt {
  readonly reason: string
  constructor(reason: string) {
    this.reason = reason
  }
}

/** Reads the bits of a stream. Throws {@link Corrupt} if the caller consumes bits beyond the end of the stream. */
export class BitReader {
  private readonly bytes: Uint8Array
  private next = 0
  private window = 0
  private held = 0

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
  }

  /** Returns the next `count` bits and does not consume them; `count` is at most 24. Bits beyond the end of the stream are zeros. */
  peek(count: number): number {
    while (this.held < count) {
      this.window = (this.window << 8) | (this.next < this.bytes.length ? this.bytes[this.next]! : 0)
      this.next++
      this.held += 8
    }
    return (this.window >>> (this.held - count)) & ((1 << count) - 1)
  }

  /** Consumes the next `count` bits. Call {@link BitReader.peek | peek} for at least these bits before. */
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
