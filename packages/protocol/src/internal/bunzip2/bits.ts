/**
 * The bits of a bzip2 stream, most significant first.
 *
 * @module
 */

/** Thrown inside the decompressor, caught at its edge. Not an `Error`: it needs no stack, and taking one costs microseconds. */
export class Corrupt {
  readonly reason: string
  constructor(reason: string) {
    this.reason = reason
  }
}

/** Reads bits up to the end of the bytes; to use one beyond it throws {@link Corrupt}. */
export class BitReader {
  private readonly bytes: Uint8Array
  private next = 0
  private window = 0
  private held = 0

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
  }

  /** The next `count` bits, at most 24, without using them: zeros stand for what lies beyond the end. */
  peek(count: number): number {
    while (this.held < count) {
      this.window = (this.window << 8) | (this.next < this.bytes.length ? this.bytes[this.next]! : 0)
      this.next++
      this.held += 8
    }
    return (this.window >>> (this.held - count)) & ((1 << count) - 1)
  }

  /** Uses `count` bits that were peeked at. */
  skip(count: number): void {
    this.held -= count
    if (this.next * 8 - this.held > this.bytes.length * 8) throw new Corrupt("the stream ends early")
  }

  /** The next `count` bits, at most 24. */
  read(count: number): number {
    const value = this.peek(count)
    this.skip(count)
    return value
  }
}
