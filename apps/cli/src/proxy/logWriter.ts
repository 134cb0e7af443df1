/**
 * Writes the lines of a log, and outlives the place where they go: a disk that is full, a reader that went away or has stopped reading. A
 * line that cannot be written at once is lost, and counted; the log says how many as soon as it can be written again.
 */

const NOTHING = new Uint8Array(0)

const encoder = new TextEncoder()

/** Lines go in whole and come out whole, or are counted as lost. */
export class LogWriter {
  /** Lines lost so far. */
  lost = 0
  #gap = 0
  /** What is left of a line that was written in part. */
  #rest: Uint8Array = NOTHING
  readonly #put: (bytes: Uint8Array) => number
  readonly #gapLine: (lost: number) => string

  /** `put` writes at once what it can, gives how many bytes that were, and throws when it can write none. */
  constructor(put: (bytes: Uint8Array) => number, gapLine: (lost: number) => string) {
    this.#put = put
    this.#gapLine = gapLine
  }

  /** Writes a line, given with its end. */
  write(line: string): void {
    this.resume()
    if (this.#gap > 0 || !this.#takes(line)) {
      this.lost++
      this.#gap++
    }
  }

  /** Tells of lost lines, if there are any to be told of and it can be told now. */
  resume(): void {
    if (this.#gap > 0 && this.#takes(this.#gapLine(this.#gap))) this.#gap = 0
  }

  #takes(line: string): boolean {
    try {
      if (this.#rest.length > 0) this.#rest = this.#rest.subarray(this.#put(this.#rest))
      if (this.#rest.length > 0) return false
      const bytes = encoder.encode(line)
      this.#rest = bytes.subarray(this.#put(bytes))
      return true
    } catch {
      return false
    }
  }
}
