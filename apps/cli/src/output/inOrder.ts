/** Delays results until they can be printed in the order of the targets, for the flag `--ordered`. */

/** Orders items with the numbers 0, 1, 2 and so on. Each item is delayed until all items with smaller numbers have arrived. */
export class InOrder<A> {
  #next = 0
  readonly #waiting = new Map<number, A>()

  /** Adds the item with the number `place`. Returns the items that can be printed now. */
  take(place: number, thing: A): ReadonlyArray<A> {
    this.#waiting.set(place, thing)
    const ready: Array<A> = []
    for (; this.#waiting.has(this.#next); this.#next++) {
      ready.push(this.#waiting.get(this.#next)!)
      this.#waiting.delete(this.#next)
    }
    return ready
  }

  /**
   * Returns the items that are still delayed, in the order of their numbers. Call this method if a run ends before all items have arrived.
   */
  rest(): ReadonlyArray<A> {
    return [...this.#waiting].toSorted(([a], [b]) => a - b).map(([, thing]) => thing)
  }
}

/**
 * Puts results into the order in which their targets were passed to `begin`. Each target is a text, and several targets can have the same
 * text.
 */
export class TextsInOrder<A> {
  readonly #order = new InOrder<A | undefined>()
  readonly #places = new Map<string, Array<number>>()
  #count = 0

  begin(text: string): void {
    const places = this.#places.get(text) ?? []
    this.#places.set(text, [...places, this.#count++])
  }

  /**
   * Adds a result of the target `text`. If several targets have this text, the result belongs to the first target among them that has no
   * result yet. Returns the results that can be printed now.
   */
  take(text: string, thing: A): ReadonlyArray<A> {
    return this.#take(text, this.#places.get(text)?.shift(), thing)
  }

  /**
   * Removes a target that never receives a result, because it is a duplicate of another target. If several targets have this text and no
   * result yet, the last of these targets is removed. Returns the results that can be printed now.
   */
  drop(text: string): ReadonlyArray<A> {
    return this.#take(text, this.#places.get(text)?.pop(), undefined)
  }

  rest(): ReadonlyArray<A> {
    return this.#order.rest().filter((one) => one !== undefined)
  }

  #take(text: string, place: number | undefined, thing: A | undefined): ReadonlyArray<A> {
    if (this.#places.get(text)?.length === 0) this.#places.delete(text)
    if (place === undefined) return thing === undefined ? [] : [thing]
    return this.#order.take(place, thing).filter((one) => one !== undefined)
  }
}
