/**
 * Detects targets that were read before, so that each server of a list with duplicates is queried once. Exact for the last one to two
 * million targets. Older ones are forgotten, so that an endless list needs no more memory.
 *
 * IPv4 targets are numbers in a table with open addressing, at 8 bytes each. A `Set` of a million takes 40 MB more.
 */
import { mixNumber } from "../engine/RouteTable.ts"

/** Assumed length of a list whose length is unknown. */
const USUAL_VALUES = 3 << 10
/** Maximum share of used places in a table. */
const MOST_FULL = 0.75
/** Factor by which a full table grows. It is large, because the old and the new table need memory at the same time. */
const GROWTH = 8
/** Size of the largest table: 11 MB. There are at most two of them. */
const MAX_PLACES = Math.floor(2 ** 20 / MOST_FULL) + 1
const HASHES = 2 ** 32

/** A set of positive numbers below 2 ** 53. */
export class NumberTable {
  /** Whether the table is full and cannot grow. */
  isFull = false
  private size = 0
  private places: Float64Array
  /** The number of values at which the table is full. */
  private most: number

  /** `expected` is the expected number of values, up to a million. */
  constructor(expected = USUAL_VALUES) {
    this.places = new Float64Array(Math.min(MAX_PLACES, Math.ceil(expected / MOST_FULL) + 1))
    this.most = MOST_FULL * this.places.length
  }

  has(value: number): boolean {
    return this.places[this.find(this.places, value)] !== 0
  }

  /** Adds a value. Returns `false` if the table already has it. */
  add(value: number): boolean {
    const place = this.find(this.places, value)
    if (this.places[place] !== 0) return false
    this.places[place] = value
    if (++this.size < this.most) return true
    if (this.places.length < MAX_PLACES) this.grow()
    else this.isFull = true
    return true
  }

  private find(places: Float64Array, value: number): number {
    const { length } = places
    let place = Math.floor(((mixNumber(value) >>> 0) / HASHES) * length)
    while (places[place] !== 0 && places[place] !== value) place = place + 1 === length ? 0 : place + 1
    return place
  }

  private grow(): void {
    const grown = new Float64Array(Math.min(MAX_PLACES, GROWTH * this.places.length))
    for (let i = 0; i < this.places.length; i++) {
      const value = this.places[i]!
      if (value !== 0) grown[this.find(grown, value)] = value
    }
    this.places = grown
    this.most = MOST_FULL * grown.length
  }
}

const MAX_TEXTS = 1 << 17

/** The route keys that were added, for the last one to two million. */
export class Dedup {
  private numbers: NumberTable
  private earlierNumbers: NumberTable | undefined = undefined
  private texts = new Set<string>()
  private earlierTexts: Set<string> | undefined = undefined

  /** `expected` is the length of the list, if it is known. */
  constructor(expected?: number) {
    this.numbers = new NumberTable(expected)
  }

  /** Adds a route key. Returns `false` if it was added before. */
  add(key: number | string): boolean {
    if (typeof key === "string") return this.addText(key)
    if (this.earlierNumbers?.has(key) === true) return false
    if (this.numbers.isFull) {
      this.earlierNumbers = this.numbers
      this.numbers = new NumberTable()
    }
    return this.numbers.add(key)
  }

  private addText(key: string): boolean {
    if (this.texts.has(key) || this.earlierTexts?.has(key) === true) return false
    if (this.texts.size >= MAX_TEXTS) {
      this.earlierTexts = this.texts
      this.texts = new Set()
    }
    this.texts.add(key)
    return true
  }
}

/** The route keys of targets without a result. If targets may be read again, only these count as duplicates. */
export class InFlightKeys {
  private readonly keys = new Set<number | string>()

  /** Adds a route key. Returns `false` if it was added before. */
  add(key: number | string): boolean {
    const { size } = this.keys
    return this.keys.add(key).size > size
  }

  delete(key: number | string): void {
    this.keys.delete(key)
  }
}
