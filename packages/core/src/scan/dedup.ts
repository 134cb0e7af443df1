/**
 * Which targets were read already, so that each server of a list with duplicates is queried once. Exact for the last million or two.
 * Earlier targets are forgotten, so that an endless list needs no more memory.
 *
 * IPv4 targets are numbers in a table with open addressing, 8 bytes each. A `Set` of a million takes 40 MB more.
 */
import { mixNumber } from "../engine/RouteTable.ts"

/** Assumed length of a list of unknown length. */
const USUAL_VALUES = 3 << 10
/** How full a table becomes. */
const MOST_FULL = 0.75
/** By how much a full table grows: rarely, because the old and the new table need memory at the same time. */
const GROWTH = 8
/** The largest table, of 11 MB. There are two of them at most. */
const MAX_PLACES = Math.floor(2 ** 20 / MOST_FULL) + 1
const HASHES = 2 ** 32

/** A set of positive numbers below 2 ** 53. */
export class NumberTable {
  /** It cannot grow any more. */
  isFull = false
  private size = 0
  private places: Float64Array
  /** With so many values it is full. */
  private most: number

  /** With room for as many values as are expected, up to a million. */
  constructor(expected = USUAL_VALUES) {
    this.places = new Float64Array(Math.min(MAX_PLACES, Math.ceil(expected / MOST_FULL) + 1))
    this.most = MOST_FULL * this.places.length
  }

  has(value: number): boolean {
    return this.places[this.find(this.places, value)] !== 0
  }

  /** Takes a value in; `false` when it was there. */
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

/** Route keys that were added already, for the last million or two. */
export class Dedup {
  private numbers: NumberTable
  private earlierNumbers: NumberTable | undefined = undefined
  private texts = new Set<string>()
  private earlierTexts: Set<string> | undefined = undefined

  /** `expected` is the length of a list where it is known. */
  constructor(expected?: number) {
    this.numbers = new NumberTable(expected)
  }

  /** Takes a route key in; `false` when it was there. */
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

/** Route keys of targets without a result. If targets may come again, only these are duplicates. */
export class InFlightKeys {
  private readonly keys = new Set<number | string>()

  /** Takes a route key in; `false` when it was there. */
  add(key: number | string): boolean {
    const { size } = this.keys
    return this.keys.add(key).size > size
  }

  delete(key: number | string): void {
    this.keys.delete(key)
  }
}
