/** Which part of a list is on the screen. */

/** Lines that a key moves a list; `undefined` for a key that does not. */
const stepOf = (key: string, page: number): number | undefined => {
  switch (key) {
    case "up":
    case "k":
      return -1
    case "down":
    case "j":
      return 1
    case "pageup":
      return -page
    case "pagedown":
      return page
    case "home":
    case "g":
      return -Infinity
    case "end":
    case "G":
      return Infinity
    default:
      return undefined
  }
}

/** Where a list stands. */
export class Scrolling {
  #first = 0
  #page = 1
  #count = 0

  /** Takes a key; whether it was one for a list. */
  takes(key: string): boolean {
    const step = stepOf(key, this.#page)
    if (step === undefined) return false
    this.#first = Math.max(0, Math.min(this.#count - this.#page, this.#first + step))
    return true
  }

  /** What of a list goes on so many rows. */
  window<A>(list: ReadonlyArray<A>, rows: number): ReadonlyArray<A> {
    this.#count = list.length
    this.#page = Math.max(1, rows)
    this.#first = Math.max(0, Math.min(this.#count - this.#page, this.#first))
    return list.slice(this.#first, this.#first + this.#page)
  }

  /** As in `12–40 of 350`; nothing where all is seen. */
  get place(): string {
    if (this.#count <= this.#page) return ""
    return `${this.#first + 1}–${Math.min(this.#count, this.#first + this.#page)} of ${this.#count}`
  }
}
