/**
 * The prototype of messages with 64-bit numbers.
 *
 * @module
 */

/** Lets `JSON.stringify` write 64-bit numbers as decimal strings; without it a `bigint` anywhere makes it throw. */
export class JsonSafe {
  [key: string]: unknown

  toJSON(): Record<string, unknown> {
    const plain: Record<string, unknown> = {}
    for (const key of Object.keys(this)) {
      const value = this[key]
      plain[key] = typeof value === "bigint" ? value.toString() : value
    }
    return plain
  }
}
