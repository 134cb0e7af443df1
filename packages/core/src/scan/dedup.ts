/**
 * Detects duplicate targets, so that each server of a list is queried once. A duplicate is always detected if its first occurrence is among
 * the last million IPv4 targets, or among the last 131,072 IPv6 targets. Targets before these are forgotten, so that an endless list does
 * not fill the memory.
 *
 * An IPv4 target is a number in a table with open addressing, which needs 8 bytes per place. For a million targets, a `Set` would need 40
 * MB more than this table.
 */
import { mixNumber } from "../engine/RouteTable.ts"

/** Assumed length of a list whose length is unknown. */
const DEFAULT_VALUES = 3 << 10
/** If more than this share of a table's places is used, the table is full. */
const MOST_FULL = 0.75
/**
 * Factor by which a full table grows. The factor is large, so that a table rarely grows. While a table grows, both the old table and the
 * new table need memory.
 */
const GROWTH = 8
/** Number of places in the largest table, which needs 11 MB of memory. A scan has at most two tables of this size. */
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

  /** `expected` is the number of values for which the table initially has room, up to a million. */
  constructor(expected = DEFAULT_VALUES) {
    this.places = new Float64Array(Math.min(MAX_PLACES, Math.ceil(expected / MOST_FULL) + 1))
    this.most = MOST_FULL * this.places.length
  }

  has(value: number): boolean {
    return this.places[this.find(this.places, value)] !== 0
  }

  /** Adds a value. Returns `false` if the table already contains the value. */
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

/**
 * The route keys of the most recent targets, in two sets. When the newer set is full, the older set is dropped, and further keys are added
 * to a new set. A set has room for about a million IPv4 keys, or for {@link MAX_TEXTS} IPv6 keys.
 */
export class Dedup {
  private numbers: NumberTable
  private earlierNumbers: NumberTable | undefined = undefined
  private texts = new Set<string>()
  private earlierTexts: Set<string> | undefined = undefined

  /** `expected` is the length of the list, if it is known. */
  constructor(expected?: number) {
    this.numbers = new NumberTable(expected)
  }

  /** Adds a route key. Returns `false` if one of the sets already contains the key. */
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

/**
 * The route keys of targets that have no result yet. If the source may return targets again, only targets with one of these keys are
 * duplicates.
 */
export class InFlightKeys {
  private readonly keys = new Set<number | string>()

  /** Adds a route key. Returns `false` if the key is already present. */
  add(key: number | string): boolean {
    const { size } = this.keys
    return this.keys.add(key).size > size
  }

  delete(key: number | string): void {
    this.keys.delete(key)
  }
}
