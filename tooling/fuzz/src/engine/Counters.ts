/**
 * How often each block of the instrumented sources has run in one run of a target, and which of that was never seen before.
 */

/** More blocks than all our sources have; a longer list would only cost time. */
const MAX_BLOCKS = 32_768

/** A run took more steps than its budget. */
export class Hang extends Error {
  override readonly name = "Hang"
}

/** Hits of a block count by their magnitude, as bits: whether a loop ran 4 or 5 times is no news, 4 or 40 times is. */
const MAGNITUDE = Uint8Array.from({ length: 256 }, (_, hits) =>
  hits === 0 ? 0 : hits <= 3 ? 1 << (hits - 1) : hits < 8 ? 8 : hits < 16 ? 16 : hits < 32 ? 32 : hits < 128 ? 64 : 128
)

/** What a target has reached over all its runs: per block the magnitudes seen. */
export type Seen = Uint8Array

/** The counts. The first three fields are what instrumented code touches. */
export class Counters {
  readonly blocks = new Uint8Array(MAX_BLOCKS)
  /** What is left of the budget; no limit between runs. */
  readonly steps = new Float64Array([Number.POSITIVE_INFINITY])
  readonly #words = new Int32Array(this.blocks.buffer)
  readonly #paths: Array<string> = []
  #budget = 0

  readonly hang = (): void => {
    // What catches it and goes on shall be caught again at the next step.
    throw new Hang(`more than ${this.#budget} steps`)
  }

  /** Numbers for the blocks of one source. */
  blockOf(path: string): () => number {
    return () => {
      if (this.#paths.length === MAX_BLOCKS) throw new Error("more blocks than there is room for")
      return this.#paths.push(path) - 1
    }
  }

  /** Before a run. */
  begin(budget: number): void {
    this.#budget = budget
    this.steps[0] = budget
    this.#words.fill(0, 0, this.#used)
  }

  /** After a run: how many steps it took. */
  end(): number {
    const taken = this.#budget - this.steps[0]!
    this.steps[0] = Number.POSITIVE_INFINITY
    return taken
  }

  /** After a run: adds what it reached to `seen`, and says whether anything of it was new. */
  merge(seen: Seen): boolean {
    let isNew = false
    const words = this.#words
    for (let word = 0; word < this.#used; word++) {
      if (words[word] === 0) continue
      for (let block = word * 4; block < word * 4 + 4; block++) {
        const magnitude = MAGNITUDE[this.blocks[block]!]!
        if ((seen[block]! & magnitude) === magnitude) continue
        seen[block]! |= magnitude
        isNew = true
      }
    }
    return isNew
  }

  nothing(): Seen {
    return new Uint8Array(MAX_BLOCKS)
  }

  /** Of the blocks in sources that match: how many there are, how many of them `seen` has. */
  reached(seen: Seen, covers: RegExp): { readonly all: number; readonly reached: number } {
    let all = 0
    let reached = 0
    this.#paths.forEach((path, block) => {
      if (!covers.test(path)) return
      all++
      if (seen[block] !== 0) reached++
    })
    return { all, reached }
  }

  get #used(): number {
    return Math.ceil(this.#paths.length / 4)
  }
}
