/**
 * Decides which request may start, for clients and scans alike. There is one queue, through which every request goes:
 *
 * 1. A request enters. It waits until it has a place in its group: a client's server, or a scan's host and network.
 * 2. It is ready. It waits until there is room. The request that has been ready longest starts first.
 * 3. It is in flight until it leaves, which gives its place in the group to the next.
 * 4. Meanwhile it can become overdue: it has had no reply for long, and no longer uses up room. Otherwise dead servers would block the
 *    servers that reply.
 *
 * How much room there is, and who is in a group, is up to the user of the dispatcher. Nothing here costs an object, a closure or a look-up
 * per request: each request brings its {@link Turn}, which links it into the line that it is in.
 */
import type { Timing } from "./Timing.ts"

/** How often the dispatcher looks for overdue requests while others wait for room, in ms. */
const TICK_MS = 100

/** The turn of a request: the line that it waits in, and its neighbours there. Only this module writes its fields. */
export class Turn<R> {
  readonly request: R
  /** Decides about the request. Absent until the request enters. */
  dispatcher: Dispatching<R> | undefined = undefined
  /** Absent before the request enters and after it has left. */
  line: Line<R> | undefined = undefined
  ahead: Turn<R> | undefined = undefined
  behind: Turn<R> | undefined = undefined
  /** When the request started. */
  startedAt = 0

  constructor(request: R) {
    this.request = request
  }
}

/** A request, as far as its turn goes. */
export interface Dispatched<R> {
  readonly turn: Turn<R>
  /** It may start. Called once, and not after it has left. */
  readonly onTurn: () => void
  /** The dispatcher was closed before it could start. */
  readonly onClosed: () => void
}

/** Requests in the order in which they came. Any of them can leave. A request is in one line at a time. Fields are written here only. */
export class Line<R> {
  size = 0
  /** The request that has been here longest. */
  oldest: Turn<R> | undefined = undefined
  private newest: Turn<R> | undefined = undefined

  add(turn: Turn<R>): void {
    turn.line = this
    turn.ahead = this.newest
    turn.behind = undefined
    if (this.newest === undefined) this.oldest = turn
    else this.newest.behind = turn
    this.newest = turn
    this.size++
  }

  remove(turn: Turn<R>): void {
    const { ahead, behind } = turn
    if (ahead === undefined) this.oldest = behind
    else ahead.behind = behind
    if (behind === undefined) this.newest = ahead
    else behind.ahead = ahead
    turn.line = turn.ahead = turn.behind = undefined
    this.size--
  }

  /** Removes the requests that `isMeant` selects, or all. */
  take(isMeant: (turn: Turn<R>) => boolean = () => true): ReadonlyArray<R> {
    const taken: Array<R> = []
    for (let turn = this.oldest; turn !== undefined;) {
      const { behind } = turn
      if (isMeant(turn)) {
        this.remove(turn)
        taken.push(turn.request)
      }
      turn = behind
    }
    return taken
  }
}

/** Which requests may not be in flight together. Several dispatchers can share the groups. */
export interface Groups<R> {
  /** Whether an overdue request keeps its place. */
  readonly keepsOverdue: boolean
  /** Gives the request a place, or has it wait in a line. Returns whether it has one. */
  readonly admit: (request: R) => boolean
  /** The request gives its place back. Returns a request that waited, and has a place now. */
  readonly release: (request: R) => R | undefined
  /** Removes the requests of a dispatcher that wait. */
  readonly withdraw: (dispatcher: Dispatching<R>) => ReadonlyArray<R>
}

/** How many requests may be in flight. */
export interface Room {
  /** Whether one more may start: `counted` requests in flight use up room, `overdue` ones do not. */
  readonly hasRoom: (counted: number, overdue: number) => boolean
}

/** A source from which a dispatcher gets requests if there is room for more. */
export interface Source {
  /** Whether it may have one now. */
  readonly hasMore: boolean
  /** Reads one, which may enter the dispatcher. Returns whether there was one. */
  readonly readNext: () => boolean
}

/** The limits of a dispatcher. */
export interface DispatcherOptions<R> {
  readonly groups: Groups<R>
  readonly room: Room
  readonly source?: Source
  /** Finds overdue requests while others wait. If absent, {@link Dispatcher.setOverdue} reports each. */
  readonly overdue?: {
    readonly timing: Timing
    /** How long after its start a request is overdue, in ms. */
    readonly afterMs: () => number
    /** Some requests have become overdue. */
    readonly onOverdue: () => void
  }
}

/** A dispatcher, as groups see it. */
export interface Dispatching<R> {
  readonly isClosed: boolean
  /** A request that waited has a place in its group now. */
  readonly onAdmitted: (request: R) => void
}

/** Gives requests their turns. */
export class Dispatcher<R extends Dispatched<R>> implements Dispatching<R> {
  private readonly options: DispatcherOptions<R>
  /** Requests that wait for room. */
  private readonly ready = new Line<R>()
  /** Requests in flight that use up room, in the order of their start. */
  private readonly counted = new Line<R>()
  private readonly overdue = new Line<R>()
  /** How many wait for a place in their groups. */
  private waiting = 0
  private cancelTick: (() => void) | undefined = undefined
  private isStarting = false
  /** These two are written here only. */
  isClosed = false
  /** Whether a request ever had to wait. */
  hasQueued = false

  constructor(options: DispatcherOptions<R>) {
    this.options = options
  }

  /** Requests whose turn has come, and which have not left. */
  get inFlight(): number {
    return this.counted.size + this.overdue.size
  }

  /** Requests that wait. */
  get queued(): number {
    return this.ready.size + this.waiting
  }

  /** Requests that wait for a place in their groups. */
  get parked(): number {
    return this.waiting
  }

  /** The request wants a turn, which may come at once. */
  enter(request: R): void {
    if (this.isClosed) {
      request.onClosed()
      return
    }
    const { turn } = request
    turn.dispatcher = this
    if (this.options.groups.admit(request)) this.ready.add(turn)
    else this.waiting++
    if (this.isStarting) return
    this.startAll()
    if (turn.line !== undefined && turn.line !== this.counted) this.hasQueued = true
  }

  /** The request has ended, or no longer wants its turn. */
  leave(request: R): void {
    const { turn } = request
    const { line } = turn
    if (line === undefined) return
    line.remove(turn)
    const isOverdue = line === this.overdue
    if (line === this.counted || line === this.ready || isOverdue) {
      if (!isOverdue || this.options.groups.keepsOverdue) this.release(request)
    } else this.waiting--
    this.startAll()
  }

  /** The request is overdue: another one may start in its place. */
  setOverdue(request: R): void {
    this.moveToOverdue(request)
    this.startAll()
  }

  onAdmitted(request: R): void {
    this.waiting--
    // Behind all others that are ready.
    this.ready.add(request.turn)
    this.startAll()
  }

  /** Starts the requests for which there is room. Called whenever there may be more. */
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

  /** No request gets a turn any more. Requests in flight continue, but no longer have places in their groups. */
  close(): void {
    if (this.isClosed) return
    this.isClosed = true
    this.stopTick()
    const { groups } = this.options
    const waiting = groups.withdraw(this)
    const ready = this.ready.take()
    for (const request of [...ready, ...this.counted.take()]) this.release(request)
    for (const request of this.overdue.take()) if (groups.keepsOverdue) this.release(request)
    this.waiting = 0
    for (const request of [...ready, ...waiting]) request.onClosed()
  }

  private startNext(): boolean {
    const { overdue, room, source } = this.options
    if (this.isClosed || (this.ready.size === 0 && source?.hasMore !== true)) return false
    if (!room.hasRoom(this.counted.size, this.overdue.size)) return false
    if (this.ready.size === 0 && !source!.readNext()) return false
    // The target that was read may have to wait, or need no turn.
    const turn = this.ready.oldest
    if (turn === undefined) return true
    this.ready.remove(turn)
    this.counted.add(turn)
    if (overdue !== undefined) turn.startedAt = overdue.timing.now()
    turn.request.onTurn()
    return true
  }

  private release(request: R): void {
    const { groups } = this.options
    let next = groups.release(request)
    while (next?.turn.dispatcher?.isClosed === true) next = groups.release(next)
    next?.turn.dispatcher?.onAdmitted(next)
  }

  private moveToOverdue(request: R): void {
    const { turn } = request
    if (turn.line !== this.counted) return
    this.counted.remove(turn)
    this.overdue.add(turn)
    if (!this.options.groups.keepsOverdue) this.release(request)
  }

  private readonly tick = (): void => {
    this.cancelTick = undefined
    const { afterMs, onOverdue, timing } = this.options.overdue!
    const before = timing.now() - afterMs()
    const overdueBefore = this.overdue.size
    for (let turn = this.counted.oldest; turn !== undefined && turn.startedAt <= before; turn = this.counted.oldest) {
      this.moveToOverdue(turn.request)
    }
    if (this.overdue.size > overdueBefore) onOverdue()
    this.startAll()
  }

  private stopTick(): void {
    this.cancelTick?.()
    this.cancelTick = undefined
  }
}
