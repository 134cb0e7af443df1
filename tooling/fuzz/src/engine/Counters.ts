/** Counts how often each block of the instrumented sources runs in one run of a target, and detects new counts. */

/** Maximum number of blocks of all instrumented sources together. Currently, the sources have fewer blocks. */
const MAX_BLOCKS = 32_768

/** The error of a run that took more steps than its budget allows. */
export class Hang extends Error {
  override readonly name = "Hang"
}

/**
 * Maps a count to a bit that represents its magnitude. For example, the counts 4 and 5 have the same bit, and the count 40 has another bit.
 */
const MAGNITUDE = Uint8Array.from({ length: 256 }, (_, hits) =>
  hits === 0 ? 0 : hits <= 3 ? 1 << (hits - 1) : hits < 8 ? 8 : hits < 16 ? 16 : hits < 32 ? 32 : hits < 128 ? 64 : 128
)

/** For each block, the magnitudes of its counts in all runs of a target so far. */
export type Seen = Uint8Array

/** The counters. Instrumented code accesses only `blocks`, `steps` and `hang`. */
export class Counters {
  readonly blocks = new Uint8Array(MAX_BLOCKS)
  /** Number of steps that are left in the budget. Between runs, this number is infinite. */
  readonly steps = new Float64Array([Number.POSITIVE_INFINITY])
  readonly #words = new Int32Array(this.blocks.buffer)
  readonly #paths: Array<string> = []
  #budget = 0

  readonly hang = (): void => {
    // If the tested code catches this error, the next step of this code throws the error again, because `steps` stays below 0.
    throw new Hang(`more than ${this.#budget} steps`)
  }

  /** Returns a function that numbers the blocks of one source. */
  blockOf(path: string): () => number {
    return () => {
      if (this.#paths.length === MAX_BLOCKS) throw new Error("more blocks than there is room for")
      return this.#paths.push(path) - 1
    }
  }

  /** Starts a run with a budget of steps. */
  begin(budget: number): void {
    this.#budget = budget
    this.steps[0] = budget
    this.#words.fill(0, 0, this.#used)
  }

  /** Ends a run, and returns the number of steps that the run took. */
  end(): number {
    const taken = this.#budget - this.steps[0]!
    this.steps[0] = Number.POSITIVE_INFINITY
    return taken
  }

  /** Adds the magnitudes of the last run to `seen`. Returns whether any magnitude was new. */
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

  /** Counts the blocks of the sources whose paths match `covers`, and counts how many of these blocks were reached according to `seen`. */
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
