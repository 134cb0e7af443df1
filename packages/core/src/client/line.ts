/**
 * People who wait in line: first come, first served, and whoever gives up leaves at once, from wherever he stands.
 *
 * @module
 */

/** Somebody who waits in one line at a time. Only lines write the fields. */
export interface Waiting<T extends Waiting<T>> {
  line: Line<T> | undefined
  ahead: T | undefined
  behind: T | undefined
}

/** See the module. */
export class Line<T extends Waiting<T>> {
  length = 0
  /** Who has waited longest. */
  first: T | undefined = undefined
  private last: T | undefined = undefined

  /** Joins at the end. */
  push(one: T): void {
    one.line = this
    one.ahead = this.last
    if (this.last === undefined) this.first = one
    else this.last.behind = one
    this.last = one
    this.length++
  }

  /** Takes the first out. */
  shift(): T | undefined {
    const { first } = this
    if (first !== undefined) this.remove(first)
    return first
  }

  /** Takes one of this line out. */
  remove(one: T): void {
    const { ahead, behind } = one
    if (ahead === undefined) this.first = behind
    else ahead.behind = behind
    if (behind === undefined) this.last = ahead
    else behind.ahead = ahead
    one.line = one.ahead = one.behind = undefined
    this.length--
  }
}
