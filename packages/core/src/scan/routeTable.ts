/**
 * From a sender to the target of a scan that waits for it. IPv4 routes, which are numbers, stand in a table with open addressing.
 *
 * A `Map` would do, and did: but it makes a number of 48 bits into an object at each look-up, and copies itself into a new table every
 * few hundred changes, where each table that is left behind keeps the next one alive until a full garbage collection. Over 100 000
 * targets that was 100 MB and a tenth of the time.
 *
 * @module
 */

const FIRST_PLACES = 256

/**
 * Where a search for a number of up to 53 bits begins, before it is cut to the size of the table. Servers of one port differ in the upper
 * half of the low 32 bits alone, which a product passes on to its own upper half only, so that half is mixed into the lower one: with one
 * bit less moved, all would begin at every second place.
 */
export const mixNumber = (value: number): number => {
  // Operations on 32 bits take the low ones of a larger number, without a division of doubles, which is a call.
  const mixed = Math.imul(value, 0x9e3779b1) ^ Math.imul(value / 4_294_967_296, 0x85ebca6b)
  return mixed ^ (mixed >>> 16)
}

/** A map from route keys: positive numbers, or texts. */
export class RouteTable<T> {
  /** Written here only. A field, since a first scan has enough functions to compile. */
  size = 0
  private keys = new Float64Array(FIRST_PLACES)
  private values: Array<T | undefined> = Array.from({ length: FIRST_PLACES })
  private mask = FIRST_PLACES - 1
  private readonly texts = new Map<string, T>()

  get(key: number | string): T | undefined {
    return typeof key === "number" ? this.values[this.find(key)] : this.texts.get(key)
  }

  /** Takes a value in; `false` where there is one of that key. */
  add(key: number | string, value: T): boolean {
    if (typeof key === "string") {
      if (this.texts.has(key)) return false
      this.texts.set(key, value)
    } else {
      if (2 * this.size >= this.keys.length) this.grow()
      const place = this.find(key)
      if (this.keys[place] === key) return false
      this.keys[place] = key
      this.values[place] = value
    }
    this.size++
    return true
  }

  delete(key: number | string): void {
    if (typeof key === "number") this.remove(this.find(key))
    else if (this.texts.delete(key)) this.size--
  }

  /** Calls `use` with each. Where that takes some out, others move up, and may be passed over. */
  forEach(use: (value: T) => void): void {
    const { values } = this
    for (let i = 0; i < values.length; i++) if (values[i] !== undefined) use(values[i]!)
    this.texts.forEach(use)
  }

  clear(): void {
    this.keys.fill(0)
    this.values.fill(undefined)
    this.size = 0
    this.texts.clear()
  }

  private find(key: number): number {
    const { keys, mask } = this
    let place = mixNumber(key) & mask
    for (; keys[place] !== key && keys[place] !== 0; place = (place + 1) & mask);
    return place
  }

  /** Empties a place, and moves up those behind it that a search would no longer find. */
  private remove(place: number): void {
    const { keys, mask, values } = this
    if (keys[place] === 0) return
    this.size--
    let hole = place
    for (let next = (hole + 1) & mask; keys[next] !== 0; next = (next + 1) & mask) {
      const home = mixNumber(keys[next]!) & mask
      if (((next - home) & mask) < ((next - hole) & mask)) continue
      keys[hole] = keys[next]!
      values[hole] = values[next]
      hole = next
    }
    keys[hole] = 0
    values[hole] = undefined
  }

  private grow(): void {
    const { keys, values } = this
    const places = 2 * keys.length
    this.keys = new Float64Array(places)
    this.values = Array.from({ length: places })
    this.mask = places - 1
    for (let i = 0; i < keys.length; i++) {
      if (keys[i] === 0) continue
      const place = this.find(keys[i]!)
      this.keys[place] = keys[i]!
      this.values[place] = values[i]
    }
  }
}
