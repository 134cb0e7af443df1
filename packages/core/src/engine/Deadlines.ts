/**
 * The deadlines of an engine's requests, in a binary heap. A waiting request needs no CPU time until its deadline.
 *
 * Nearly every datagram moves the deadline of a request to a later time. To save work, such a request keeps its old place and its old time
 * in the heap until the old time has passed. Then the request is moved to the place of its new deadline. Therefore the heap's time for a
 * request is never later than the deadline of the request.
 */

/** An object with a deadline. */
export abstract class Due {
  /** When to handle the object, in ms; infinity if the object needs no handling. */
  abstract readonly dueAt: number
  /** The index of the object in the heap; -1 if the heap does not contain the object. Only this module writes this field. */
  heapPlace = -1
}

/** Requests in order of their deadlines. */
export class Deadlines<R extends Due> {
  private readonly requests: Array<R> = []
  private readonly times: Array<number> = []
  private readonly due: Array<R> = []

  /** The earliest time in the heap: no deadline passes before this time. Infinity if no request has a deadline. */
  get next(): number {
    return this.times.length === 0 ? Number.POSITIVE_INFINITY : this.times[0]!
  }

  /** Adds a request to the heap. If the heap already contains the request, the request is moved only if its deadline is now earlier. */
  put(request: R): void {
    const { dueAt, heapPlace } = request
    if (heapPlace >= 0) {
      if (dueAt < this.times[heapPlace]!) this.rise(request, dueAt, heapPlace)
      return
    }
    if (dueAt === Number.POSITIVE_INFINITY) return
    this.requests.push(request)
    this.times.push(dueAt)
    this.rise(request, dueAt, this.times.length - 1)
  }

  /** Removes a request if the heap contains it. */
  remove(request: R): void {
    const { heapPlace } = request
    if (heapPlace < 0) return
    request.heapPlace = -1
    const last = this.requests.pop()!
    const lastAt = this.times.pop()!
    if (last === request) return
    if (lastAt < this.times[heapPlace]!) this.rise(last, lastAt, heapPlace)
    else this.sink(last, lastAt, heapPlace)
  }

  /**
   * Removes all requests whose deadline has passed, and calls `use` with each of them. If `use` puts a request back, this call of `take`
   * does not process the request again.
   */
  take(now: number, use: (request: R) => void): void {
    const { due, requests, times } = this
    while (times.length > 0 && times[0]! <= now) {
      const request = requests[0]!
      const { dueAt } = request
      if (dueAt <= now) due.push(request)
      if (dueAt <= now || dueAt === Number.POSITIVE_INFINITY) this.remove(request)
      else this.sink(request, dueAt, 0)
    }
    for (const request of due.splice(0)) if (request.dueAt <= now) use(request)
  }

  clear(): void {
    for (const request of this.requests) request.heapPlace = -1
    this.requests.length = this.times.length = 0
  }

  private set(request: R, at: number, place: number): void {
    this.requests[place] = request
    this.times[place] = at
    request.heapPlace = place
  }

  private rise(request: R, at: number, from: number): void {
    let place = from
    while (place > 0) {
      const above = (place - 1) >> 1
      if (this.times[above]! <= at) break
      this.set(this.requests[above]!, this.times[above]!, place)
      place = above
    }
    this.set(request, at, place)
  }

  private sink(request: R, at: number, from: number): void {
    const { requests, times } = this
    let place = from
    for (let below = 2 * place + 1; below < times.length; below = 2 * place + 1) {
      if (below + 1 < times.length && times[below + 1]! < times[below]!) below++
      if (times[below]! >= at) break
      this.set(requests[below]!, times[below]!, place)
      place = below
    }
    this.set(request, at, place)
  }
}
