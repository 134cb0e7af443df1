/**
 * When the requests of an engine are due: a binary heap, so that a request that only waits costs nothing until then.
 *
 * If a deadline becomes later, its request keeps its place, because nearly every reply makes one later. The request is checked again at its
 * old time. Therefore the time of each place is not after the deadline of its request.
 */

/** A request that can be due. */
export abstract class Due {
  /** When there is something to do, in ms; infinity if there is nothing. */
  abstract readonly dueAt: number
  /** Its place in the heap; -1 if it has none. Only this module writes it. */
  heapPlace = -1
}

/** Requests in order of their deadlines. */
export class Deadlines<R extends Due> {
  private readonly requests: Array<R> = []
  private readonly times: Array<number> = []
  private readonly due: Array<R> = []

  /** The earliest time at which something may be due; infinity if nothing is. */
  get next(): number {
    return this.times.length === 0 ? Number.POSITIVE_INFINITY : this.times[0]!
  }

  /** The deadline of this request was set. */
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

  /** Removes a request, if it is here. */
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

  /** Removes all requests that are due, and calls `use` with each. Requests that `use` puts in wait for the next call. */
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
