/**
 * Decides which request may start. A request first waits for its group (such as the other requests to its server), then, first come first
 * served, for room among all requests. It holds its place in its group until it leaves.
 *
 * A request that gets no reply for long no longer counts against the room, or dead servers would hold up the living. It may still get
 * one.
 */
import type { Timing } from "./Timing.ts"

/** How often the dispatcher looks for such requests while others wait for room, in ms. */
const TICK_MS = 100

/** A request, as far as its turn goes. */
export interface Dispatched {
  /** It may start. Called once, and not after it has left. */
  readonly onTurn: () => void
  /** The dispatcher was closed before it could start. */
  readonly onClosed: () => void
}

/** Which requests may not be in flight together. */
export interface Groups<R> {
  /** Whether the request has a place now. If not, it waits until {@link release} returns it. */
  readonly admit: (request: R) => boolean
  /** Gives its place back. Returns the request that has it now, if one waited for it. */
  readonly release: (request: R) => R | undefined
  /** A request that waits for a place no longer wants it. */
  readonly withdraw: (request: R) => void
  /** Forgets all requests. Returns those that waited. */
  readonly clear: () => ReadonlyArray<R>
}

/** The limits of a dispatcher. */
export interface DispatcherOptions<R> {
  readonly timing: Timing
  readonly groups: Groups<R>
  /** How many requests that count may be in flight now. */
  readonly room: () => number
  /** How many may be in flight, with those that no longer count. */
  readonly maxInFlight: number
  /** After how long a request no longer counts, in ms. */
  readonly overdueMs: () => number
  /** Some requests no longer count. */
  readonly onOverdue: () => void
}

/** Requests in the order in which they came. Any of them can leave. */
export class Line<R> extends Set<R> {
  /** One iterator for all: a new one for each request would step over those that have left since the set was last compacted. */
  private left = this.values()

  /** Takes the first out. */
  shift(): R | undefined {
    if (this.size === 0) return undefined
    let next = this.left.next()
    if (next.done === true) next = (this.left = this.values()).next()
    this.delete(next.value!)
    return next.value
  }
}

/** Gives requests their turns. */
export class Dispatcher<R extends Dispatched> {
  private readonly options: DispatcherOptions<R>
  /** They have a place in their group, and wait for room. */
  private readonly ready = new Line<R>()
  /** In flight, with the time of their turn, in that order. */
  private readonly begun = new Map<R, number>()
  /** In flight, but they no longer count. */
  private readonly overdue = new Set<R>()
  /** They wait for a place in their group. */
  private readonly waiting = new Set<R>()
  private cancelTick: (() => void) | undefined = undefined
  private isClosed = false
  /** Whether a request ever had to wait. */
  hasQueued = false

  constructor(options: DispatcherOptions<R>) {
    this.options = options
  }

  /** Requests whose turn has come, and which have not left. */
  get inFlight(): number {
    return this.begun.size + this.overdue.size
  }

  /** Requests that wait. */
  get queued(): number {
    return this.ready.size + this.waiting.size
  }

  /** The request wants a turn, which may come at once. */
  enter(request: R): void {
    if (this.isClosed) {
      request.onClosed()
      return
    }
    const isAdmitted = this.options.groups.admit(request)
    if (isAdmitted && this.ready.size === 0 && this.hasRoom()) {
      this.begin(request)
      return
    }
    this.hasQueued = true
    if (isAdmitted) this.ready.add(request)
    else this.waiting.add(request)
    this.startAll()
  }

  /** The request has ended, or no longer wants its turn. */
  leave(request: R): void {
    if (this.begun.delete(request) || this.overdue.delete(request) || this.ready.delete(request)) {
      const next = this.options.groups.release(request)
      if (next !== undefined) {
        this.waiting.delete(next)
        // Behind all others that are ready.
        this.ready.add(next)
      }
    } else if (this.waiting.delete(request)) this.options.groups.withdraw(request)
    if (this.ready.size > 0 || this.cancelTick !== undefined) this.startAll()
  }

  /** There may be more room now. */
  startAll(): void {
    while (this.ready.size > 0 && this.hasRoom()) this.begin(this.ready.shift()!)
    if (this.ready.size > 0) this.cancelTick ??= this.options.timing.schedule(TICK_MS, this.tick)
    else this.stopTick()
  }

  /** No request gets a turn any more. Those in flight go on. */
  close(): void {
    this.isClosed = true
    this.stopTick()
    const waiting = [...this.ready, ...this.options.groups.clear()]
    this.ready.clear()
    this.waiting.clear()
    for (const request of waiting) request.onClosed()
  }

  private begin(request: R): void {
    this.begun.set(request, this.options.timing.now())
    request.onTurn()
  }

  private hasRoom(): boolean {
    const { maxInFlight, room } = this.options
    return this.begun.size < room() && this.inFlight < maxInFlight
  }

  private readonly tick = (): void => {
    this.cancelTick = undefined
    const before = this.options.timing.now() - this.options.overdueMs()
    const overdueBefore = this.overdue.size
    for (const [request, at] of this.begun) {
      if (at > before) break
      this.begun.delete(request)
      this.overdue.add(request)
    }
    if (this.overdue.size > overdueBefore) this.options.onOverdue()
    this.startAll()
  }

  private stopTick(): void {
    this.cancelTick?.()
    this.cancelTick = undefined
  }
}
