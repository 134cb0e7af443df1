/**
 * Finds the request that a datagram belongs to, by the address and port of its sender. For IPv4, an address and a port are combined into
 * one number. These numbers are the keys of a table with open addressing.
 *
 * Why not a `Map`: a `Map` allocates an object for a number of 48 bits at each lookup, and copies itself into a new table every few hundred
 * changes. The old tables stay in memory until a full garbage collection, because each old table refers to the next table. In a scan of
 * 100,000 targets with a `Map`, the tables took 100 MB, and a tenth of the scan's time.
 *
 * @module
 */

const FIRST_PLACES = 256

/**
 * Hash of a number of up to 53 bits. The lowest 16 bits of a key are the port. Many keys have the same port. The low 32 bits of such keys
 * differ only in the upper half. After a multiplication, the low 32 bits of the products also differ only in their upper half. Therefore
 * the upper half is mixed into the lower half. If the shift were 15 bits instead of 16, every second place of the table would stay unused.
 */
export const mixNumber = (value: number): number => {
  // If a number is larger than 32 bits, bitwise operations use only its low 32 bits. The operator `%` is not used, because it would be a
  // function call.
  const mixed = Math.imul(value, 0x9e3779b1) ^ Math.imul(value / 4_294_967_296, 0x85ebca6b)
  return mixed ^ (mixed >>> 16)
}

/** A map whose keys are route keys (see `routeKey`): positive numbers, or texts. */
export class RouteTable<T> {
  private count = 0
  private keys = new Float64Array(FIRST_PLACES)
  private values: Array<T | undefined> = Array.from({ length: FIRST_PLACES })
  private mask = FIRST_PLACES - 1
  private readonly texts = new Map<string, T>()

  get size(): number {
    return this.count
  }

  get(key: number | string): T | undefined {
    return typeof key === "number" ? this.values[this.find(key)] : this.texts.get(key)
  }

  /** Adds a value. Returns `false` if the table already has that key. */
  add(key: number | string, value: T): boolean {
    if (typeof key === "string") {
      if (this.texts.has(key)) return false
      this.texts.set(key, value)
    } else {
      if (2 * this.count >= this.keys.length) this.grow()
      const place = this.find(key)
      if (this.keys[place] === key) return false
      this.keys[place] = key
      this.values[place] = value
    }
    this.count++
    return true
  }

  delete(key: number | string): void {
    if (typeof key === "number") this.remove(this.find(key))
    else if (this.texts.delete(key)) this.count--
  }

  /** Calls `use` with each value. If `use` deletes values, other values move in the table and may be skipped. */
  forEach(use: (value: T) => void): void {
    const { values } = this
    for (let i = 0; i < values.length; i++) if (values[i] !== undefined) use(values[i]!)
    this.texts.forEach(use)
  }

  clear(): void {
    this.keys.fill(0)
    this.values.fill(undefined)
    this.count = 0
    this.texts.clear()
  }

  private find(key: number): number {
    const { keys, mask } = this
    let place = mixNumber(key) & mask
    for (; keys[place] !== key && keys[place] !== 0; place = (place + 1) & mask);
    return place
  }

  /**
   * Empties a place. A lookup stops at an empty place. Therefore, if a lookup would stop here before it finds a later value, this value is
   * moved to the empty place.
   */
  private remove(place: number): void {
    const { keys, mask, values } = this
    if (keys[place] === 0) return
    this.count--
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
