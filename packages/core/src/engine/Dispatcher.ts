/**
 * Decides which request may start, for clients and for scans. Every request goes through these states:
 *
 * 1. The request enters the dispatcher, and waits for a free place in its group. A group is a server (for a client), or a host and its
 *    network (for a scan).
 * 2. When the request has received a place, it is ready. It waits until one more request may be in flight (until there is *room*). The
 *    request that has been ready longest starts first.
 * 3. The request is in flight until its result is known. Then the request leaves the dispatcher, and the next request of its group gets the
 *    place.
 * 4. If a request gets no reply for a long time, it becomes overdue and no longer uses up room. Without this rule, requests to dead servers
 *    would block the requests to other servers.
 *
 * The user of the dispatcher defines the groups, and defines the room: how many requests may be in flight. Each request has a
 * {@link QueueEntry}, which links the request with its neighbours in a line. Therefore the dispatcher allocates no object and no closure
 * per request, and needs no map to find a request.
 */
import type { Timing } from "./Timing.ts"

/** While requests wait for room: interval at which the dispatcher looks for overdue requests, in ms. */
const TICK_MS = 100

/**
 * The state of a request in the dispatcher: the line that contains the request, and the neighbours of the request in this line. Only this
 * module writes the fields of an entry.
 */
export class QueueEntry<R> {
  readonly request: R
  /** The dispatcher that the request entered. Absent before the request enters. */
  dispatcher: Dispatching<R> | undefined = undefined
  /** The line that contains the request. Absent before the request enters the dispatcher and after it has left. */
  line: Line<R> | undefined = undefined
  ahead: QueueEntry<R> | undefined = undefined
  behind: QueueEntry<R> | undefined = undefined
  /** When the request started. */
  startedAt = 0

  constructor(request: R) {
    this.request = request
  }
}

/** The part of a request that the dispatcher uses. */
export interface Dispatched<R> {
  readonly entry: QueueEntry<R>
  /** Called when the request may start. Called at most once, and never after the request has left the dispatcher. */
  readonly onAdmitted: () => void
  /** Called if the dispatcher is closed before the request could start. */
  readonly onClosed: () => void
}

/**
 * A line of requests, in order of arrival. Any request in the line can be removed. A request is in at most one line at a time. Only this
 * class writes the fields of a line.
 */
export class Line<R> {
  size = 0
  /** The request that has been in the line longest. */
  oldest: QueueEntry<R> | undefined = undefined
  private newest: QueueEntry<R> | undefined = undefined

  add(entry: QueueEntry<R>): void {
    entry.line = this
    entry.ahead = this.newest
    entry.behind = undefined
    if (this.newest === undefined) this.oldest = entry
    else this.newest.behind = entry
    this.newest = entry
    this.size++
  }

  remove(entry: QueueEntry<R>): void {
    const { ahead, behind } = entry
    if (ahead === undefined) this.oldest = behind
    else ahead.behind = behind
    if (behind === undefined) this.newest = ahead
    else behind.ahead = ahead
    entry.line = entry.ahead = entry.behind = undefined
    this.size--
  }

  /** Removes the requests that `isSelected` selects (default: all). */
  take(isSelected: (entry: QueueEntry<R>) => boolean = () => true): ReadonlyArray<R> {
    const taken: Array<R> = []
    for (let entry = this.oldest; entry !== undefined;) {
      const { behind } = entry
      if (isSelected(entry)) {
        this.remove(entry)
        taken.push(entry.request)
      }
      entry = behind
    }
    return taken
  }
}

/**
 * Limits the requests in flight in each group: a group has a limited number of places. Several dispatchers can share one object of this
 * type.
 */
export interface Groups<R> {
  /** Whether an overdue request keeps its place in its group. */
  readonly countsOverdue: boolean
  /**
   * If the request's group has a free place, assigns this place to the request and returns true. Otherwise adds the request to a line of
   * waiting requests and returns false.
   */
  readonly admit: (request: R) => boolean
  /** Releases the place of a request. If another request waits for the place, assigns the place to that request and returns it. */
  readonly release: (request: R) => R | undefined
  /** Removes and returns the waiting requests of a dispatcher. */
  readonly withdraw: (dispatcher: Dispatching<R>) => ReadonlyArray<R>
}

/** Limits the number of requests in flight. */
export interface Room {
  /**
   * Whether one more request may start. `counted` is the number of requests in flight that are not overdue. `overdue` is the number of
   * overdue requests.
   */
  readonly hasRoom: (counted: number, overdue: number) => boolean
}

/** A source of requests, from which a dispatcher reads when there is room. */
export interface Source {
  /** Whether a request can be read now. */
  readonly hasMore: boolean
  /**
   * Reads one request. The source adds the request to the dispatcher, at once or later, if the request must be sent. Returns false if the
   * source had no request.
   */
  readonly readNext: () => boolean
}

/** The groups, the room and the source of a dispatcher, and how it finds overdue requests. */
export interface DispatcherOptions<R> {
  readonly groups: Groups<R>
  readonly room: Room
  readonly source?: Source
  /**
   * How the dispatcher finds overdue requests while other requests wait for room. If this field is absent, the user of the dispatcher calls
   * {@link Dispatcher.setOverdue} for each overdue request.
   */
  readonly overdue?: {
    readonly timing: Timing
    /** Returns the time from the start of a request until it becomes overdue, in ms. */
    readonly afterMs: () => number
    /** Called when requests have become overdue. */
    readonly onOverdue: () => void
  }
}

/** The part of a dispatcher that groups use. */
export interface Dispatching<R> {
  readonly isClosed: boolean
  /** Called when a waiting request has received a place in its group. */
  readonly onAdmitted: (request: R) => void
}

/** Starts requests when there is room for them. */
export class Dispatcher<R extends Dispatched<R>> implements Dispatching<R> {
  private readonly options: DispatcherOptions<R>
  /** Requests that wait for room. */
  private readonly ready = new Line<R>()
  /** Requests in flight that use up room, in the order of their start. */
  private readonly counted = new Line<R>()
  private readonly overdue = new Line<R>()
  /** Number of requests that wait for a place in their groups. */
  private waiting = 0
  private cancelTick: (() => void) | undefined = undefined
  private isStarting = false
  /** Only this class writes `isClosed` and `hasQueued`. */
  isClosed = false
  /** Whether a request has ever had to wait for a place or for room. */
  hasQueued = false

  constructor(options: DispatcherOptions<R>) {
    this.options = options
  }

  /** Number of requests that have started and have not left the dispatcher. */
  get inFlight(): number {
    return this.counted.size + this.overdue.size
  }

  /** Number of requests that wait for a place or for room. */
  get queued(): number {
    return this.ready.size + this.waiting
  }

  /** Number of requests that wait for a place in their groups. */
  get parked(): number {
    return this.waiting
  }

  /** Adds a request. The request can start during this call, if its group has a free place and there is room. */
  enter(request: R): void {
    if (this.isClosed) {
      request.onClosed()
      return
    }
    const { entry } = request
    entry.dispatcher = this
    if (this.options.groups.admit(request)) this.ready.add(entry)
    else this.waiting++
    if (this.isStarting) return
    this.startAll()
    if (entry.line !== undefined && entry.line !== this.counted) this.hasQueued = true
  }

  /** Removes a request that has ended, or that was cancelled before it started. */
  leave(request: R): void {
    const { entry } = request
    const { line } = entry
    if (line === undefined) return
    line.remove(entry)
    const isOverdue = line === this.overdue
    if (line === this.counted || line === this.ready || isOverdue) {
      if (!isOverdue || this.options.groups.countsOverdue) this.release(request)
    } else this.waiting--
    this.startAll()
  }

  /** Marks a request as overdue: the request no longer uses up room, so that another request may start. */
  setOverdue(request: R): void {
    this.moveToOverdue(request)
    this.startAll()
  }

  onAdmitted(request: R): void {
    this.waiting--
    this.ready.add(request.entry)
    this.startAll()
  }

  /** Starts ready requests while there is room for them. Call this method when the room may have become larger. */
  startAll(): void {
    if (this.isStarting) return
    this.isStarting = true
    while (this.startNext());
    this.isStarting = false
    const { overdue } = this.options
    if (overdue === undefined) return
    if (this.ready.size > 0) this.cancelTick ??= overdue.timing.schedule(TICK_MS, this.tick)
    else this.stopTick()
  }

  /** Closes the dispatcher: no further request starts. Requests in flight continue, but their places in the groups are released. */
  close(): void {
    if (this.isClosed) return
    this.isClosed = true
    this.stopTick()
    const { groups } = this.options
    const waiting = groups.withdraw(this)
    const ready = this.ready.take()
    for (const request of [...ready, ...this.counted.take()]) this.release(request)
    for (const request of this.overdue.take()) if (groups.countsOverdue) this.release(request)
    this.waiting = 0
    for (const request of [...ready, ...waiting]) request.onClosed()
  }

  private startNext(): boolean {
    const { overdue, room, source } = this.options
    if (this.isClosed || (this.ready.size === 0 && source?.hasMore !== true)) return false
    if (!room.hasRoom(this.counted.size, this.overdue.size)) return false
    if (this.ready.size === 0 && !source!.readNext()) return false
    // `readNext` may have read a target without adding it to `ready`, because the target waits for a place in its group, or already has a
    // result.
    const entry = this.ready.oldest
    if (entry === undefined) return true
    this.ready.remove(entry)
    this.counted.add(entry)
    if (overdue !== undefined) entry.startedAt = overdue.timing.now()
    entry.request.onAdmitted()
    return true
  }

  private release(request: R): void {
    const { groups } = this.options
    let next = groups.release(request)
    while (next?.entry.dispatcher?.isClosed === true) next = groups.release(next)
    next?.entry.dispatcher?.onAdmitted(next)
  }

  private moveToOverdue(request: R): void {
    const { entry } = request
    if (entry.line !== this.counted) return
    this.counted.remove(entry)
    this.overdue.add(entry)
    if (!this.options.groups.countsOverdue) this.release(request)
  }

  private readonly tick = (): void => {
    this.cancelTick = undefined
    const { afterMs, onOverdue, timing } = this.options.overdue!
    const before = timing.now() - afterMs()
    const overdueBefore = this.overdue.size
    for (
      let entry = this.counted.oldest;
      entry !== undefined && entry.startedAt <= before;
      entry = this.counted.oldest
    ) {
      this.moveToOverdue(entry.request)
    }
    if (this.overdue.size > overdueBefore) onOverdue()
    this.startAll()
  }

  private stopTick(): void {
    this.cancelTick?.()
    this.cancelTick = undefined
  }
}
