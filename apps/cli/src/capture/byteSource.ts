/**
 * Bytes of a stream in the portions that a file format asks for. Holds one portion and one chunk at most.
 *
 * @module
 */

/** Takes portions off a stream of chunks. */
export class ByteSource {
  readonly #chunks: AsyncIterator<Uint8Array>
  #chunk: Uint8Array = new Uint8Array()
  #position = 0

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.#chunks = chunks[Symbol.asyncIterator]()
  }

  /** The next `length` bytes; fewer where the stream ends before. They stay valid. */
  async take(length: number): Promise<Uint8Array> {
    if (this.#chunk.length - this.#position >= length) return this.#cut(length)
    const parts: Array<Uint8Array> = []
    let missing = length
    while (missing > 0) {
      const part = this.#cut(Math.min(missing, this.#chunk.length - this.#position))
      parts.push(part)
      missing -= part.length
      if (missing > 0) {
        const next = await this.#chunks.next()
        if (next.done === true) break
        this.#chunk = next.value
        this.#position = 0
      }
    }
    const bytes = new Uint8Array(length - missing)
    let at = 0
    for (const part of parts) {
      bytes.set(part, at)
      at += part.length
    }
    return bytes
  }

  #cut(length: number): Uint8Array {
    const part = this.#chunk.subarray(this.#position, this.#position + length)
    this.#position += length
    return part
  }
}
