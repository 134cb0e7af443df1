/**
 * A database in memory that behaves like Postgres in all respects on which the monitor depends. Transactions are atomic and lock slices. A
 * claim waits until no transaction locks the claimed slices. Only one transaction at a time appends changes. When a session ends, its locks
 * are released. `MemoryStore.ts` implements the monitor's store with this database.
 */
import type { Timing } from "@sourcewire/core/engine"
import type { Mute } from "../../src/watch/Mutes.ts"
import type { ChangeRow, IncidentRow, KnownRow, SampleRow } from "./storedRows.ts"

/** The outcome of a call. */
export type Outcome<A> = { readonly value: A } | { readonly error: string }

/** A callback that receives the outcome of a call. */
export type Done<A> = (outcome: Outcome<A>) => void

/** A client of the database. The database may not detect that the connection of a client has ended. */
export interface Peer {
  /** Fails all calls that wait for a reply. */
  readonly disconnect: (why: string) => void
}

/** The rows that one transaction writes. */
export interface Rows {
  readonly known: ReadonlyArray<KnownRow>
  readonly changes: ReadonlyArray<ChangeRow>
  readonly samples: ReadonlyArray<SampleRow>
  readonly incidents: ReadonlyArray<IncidentRow>
  readonly positions: ReadonlyMap<string, number>
}

/** A transaction that writes. */
export interface Transaction {
  readonly peer: Peer
  /** The slices whose rows the transaction has locked. */
  readonly locked: ReadonlySet<number>
  isOver: boolean
  cancel: () => void
}

/** A session. When the session ends, its advisory locks are released. */
export interface LockSession {
  readonly peer: Peer
  isOpen: boolean
  /** Cancels the timeout that ends an idle session. */
  cancel: () => void
}

/** The simulated duration of a statement without rows, and the additional duration per row, in ms. */
export interface Costs {
  statementMs: number
  rowMs: number
}

/** The value of `idle_in_transaction_session_timeout` in `store/postgres.ts`. */
const IDLE_TRANSACTION_MS = 5000
/** The value of `idle_session_timeout` in the session in which the engine acquires its locks. */
const IDLE_SESSION_MS = 6000

/** The server with its tables, locks and clients. */
export class DatabaseServer {
  readonly slices = new Map<number, { owner: string; epoch: number; peer: Peer }>()
  private readonly ids = new Map<string, number>()
  private readonly groups = new Map<number, string>()
  readonly latest = new Map<number, KnownRow>()
  readonly changes: Array<ChangeRow> = []
  readonly changesByTarget = new Map<number, Array<ChangeRow>>()
  readonly samples = new Map<number, Map<number, SampleRow>>()
  readonly positions = new Map<string, number>()
  readonly lists = new Map<string, { version: number; text: string }>()
  /** The targets in flight, by owner. */
  readonly inFlight = new Map<string, { at: number; targets: ReadonlyArray<number> }>()
  /** The incidents, by target and start. */
  readonly incidents = new Map<string, IncidentRow>()
  readonly mutes = new Map<number, Mute>()
  plan: { version: number; config: string } | undefined = undefined
  /** Runners of the fleet, by address. */
  readonly runners = new Map<string, { runner: string; healthy: boolean; seenAt: number }>()
  readonly locks = new Map<string, LockSession>()

  isUnavailable = false
  readonly costs: Costs
  /** The longest time for which a transaction has waited for permission to append changes, in ms. */
  longestAppendWait = 0
  readonly timing: Pick<Timing, "now" | "schedule">
  private readonly open = new Set<Transaction>()
  private readonly sessions = new Set<LockSession>()
  private readonly peers = new Set<Peer>()
  private claims: Array<{ readonly slices: ReadonlyArray<number>; readonly run: () => void }> = []
  private appending: Transaction | undefined = undefined
  private appenders: Array<{ readonly transaction: Transaction; readonly since: number; readonly run: () => void }> = []

  constructor(timing: Pick<Timing, "now" | "schedule">, costs: Costs = { statementMs: 0, rowMs: 0 }) {
    this.timing = timing
    this.costs = costs
  }

  /**
   * The numbers of the monitored targets by address. This map is never modified: when targets are added or removed, a new map replaces it.
   */
  watched: ReadonlyMap<string, number> = new Map()
  /** Numbers of the monitored targets by slice. */
  readonly watchedBySlice = new Map<number, Set<number>>()

  /** Adds monitored targets. */
  enter(targets: ReadonlyArray<{ readonly address: string; readonly slice: number; readonly group: string }>): void {
    const watched = new Map(this.watched)
    for (const { address, group, slice } of targets) {
      const id = this.ids.get(address) ?? this.ids.size + 1
      this.ids.set(address, id)
      this.groups.set(id, group)
      watched.set(address, id)
      const ids = this.watchedBySlice.get(slice) ?? new Set()
      this.watchedBySlice.set(slice, ids.add(id))
    }
    this.watched = watched
  }

  /** Marks targets as no longer monitored. Their rows remain. */
  leave(addresses: ReadonlyArray<string>): void {
    const watched = new Map(this.watched)
    for (const address of addresses) {
      const id = watched.get(address)
      watched.delete(address)
      if (id !== undefined) for (const ids of this.watchedBySlice.values()) ids.delete(id)
    }
    this.watched = watched
  }

  connect(peer: Peer): void {
    this.peers.add(peer)
  }

  /** Begins a transaction that writes rows of the slices in `locked`. These slices are locked until the transaction ends. */
  begin(peer: Peer, locked: ReadonlySet<number>): Transaction {
    const transaction: Transaction = { peer, locked, isOver: false, cancel: () => undefined }
    this.open.add(transaction)
    transaction.cancel = this.timing.schedule(IDLE_TRANSACTION_MS, () => this.end(transaction))
    return transaction
  }

  /** Writes rows and commits the transaction. `check` runs when the rows become visible to all clients. */
  commit(transaction: Transaction, rows: Rows, check: (rows: Rows) => void, done: Done<void>): void {
    if (transaction.isOver) return done({ error: "terminating connection due to idle-in-transaction timeout" })
    transaction.cancel()
    const { costs } = this
    const seen = (): void => {
      if (transaction.isOver) return
      this.write(rows)
      check(rows)
      this.end(transaction)
      done({ value: undefined })
    }
    const append = (): void => {
      const ms = costs.statementMs + rows.changes.length * costs.rowMs
      transaction.cancel = this.timing.schedule(ms, seen)
    }
    const turn = (): void => {
      if (transaction.isOver) return
      if (rows.changes.length === 0) return append()
      if (this.appending === undefined) {
        this.appending = transaction
        return append()
      }
      this.appenders.push({ transaction, since: this.timing.now(), run: append })
    }
    const upserted = rows.known.length + rows.samples.length
    transaction.cancel = this.timing.schedule(costs.statementMs + upserted * costs.rowMs, turn)
  }

  /** Ends a transaction. Its uncommitted rows are discarded. */
  end(transaction: Transaction): void {
    if (transaction.isOver) return
    transaction.isOver = true
    transaction.cancel()
    this.open.delete(transaction)
    if (this.appending === transaction) {
      this.appending = undefined
      for (let next = this.appenders.shift(); next !== undefined; next = this.appenders.shift()) {
        if (next.transaction.isOver) continue
        this.longestAppendWait = Math.max(this.longestAppendWait, this.timing.now() - next.since)
        this.appending = next.transaction
        next.run()
        break
      }
    }
    const waiting = this.claims
    this.claims = []
    for (const { run, slices } of waiting) this.whenFree(slices, run)
  }

  /** Runs a function as soon as no transaction locks any of these slices. */
  whenFree(slices: ReadonlyArray<number>, run: () => void): void {
    const isLocked = slices.some((slice) => [...this.open].some(({ locked }) => locked.has(slice)))
    if (isLocked) this.claims.push({ slices, run })
    else run()
  }

  /** Opens a session for advisory locks. */
  openSession(peer: Peer): LockSession {
    const session: LockSession = { peer, isOpen: true, cancel: () => undefined }
    this.sessions.add(session)
    this.use(session)
    return session
  }

  /** Restarts the idle timeout of a session. */
  use(session: LockSession): void {
    session.cancel()
    session.cancel = this.timing.schedule(IDLE_SESSION_MS, () => this.close(session))
  }

  /** Ends a session and releases its locks. */
  close(session: LockSession): void {
    session.isOpen = false
    session.cancel()
    this.sessions.delete(session)
    for (const [lock, holder] of this.locks) if (holder === session) this.locks.delete(lock)
  }

  /** Ends the transactions and sessions of a client whose connections have ended. */
  drop(peer: Peer): void {
    for (const transaction of this.open) if (transaction.peer === peer) this.end(transaction)
    for (const session of this.sessions) if (session.peer === peer) this.close(session)
    this.peers.delete(peer)
  }

  /** Stops the server. Uncommitted rows are lost, and connections are closed. */
  stop(): void {
    this.isUnavailable = true
    this.claims = []
    this.appenders = []
    for (const transaction of this.open) this.end(transaction)
    for (const session of this.sessions) this.close(session)
    for (const peer of this.peers) peer.disconnect("the connection was closed")
  }

  /** Starts the server again, with the committed rows. */
  start(): void {
    this.isUnavailable = false
  }

  /** The address and the group of a target. */
  describe(target: number): { readonly address: string; readonly group: string; readonly watched: 0 | 1 } {
    const address = [...this.ids].find(([, id]) => id === target)![0]
    return { address, group: this.groups.get(target)!, watched: this.watched.has(address) ? 1 : 0 }
  }

  /**
   * Removes incidents that ended before the given time. If a target is no longer monitored, its incidents that began before the given time
   * are removed, too, even if they have not ended.
   */
  forgetIncidents(before: number): void {
    for (const [key, { from_at, target, to_at }] of this.incidents) {
      const isOver = (to_at !== null && to_at < before) || this.describe(target).watched === 0
      if (from_at < before && isOver) this.incidents.delete(key)
    }
  }

  /** Removes changes whose number is smaller than `before`. */
  forgetChanges(before: number): void {
    const kept = this.changes.filter(({ id }) => id >= before)
    this.changes.splice(0, this.changes.length)
    for (const row of kept) this.changes.push(row)
    for (const [target, rows] of this.changesByTarget) {
      this.changesByTarget.set(
        target,
        rows.filter(({ id }) => id >= before)
      )
    }
  }

  private write({ changes, incidents, known, samples, positions }: Rows): void {
    for (const row of known) {
      const before = this.latest.get(row.target)?.last
      const { answer, summary } = (row.hasAnswer ? before : row.last) ?? {}
      const last = row.last === undefined ? undefined : { ...row.last, answer: answer!, summary: summary! }
      this.latest.set(row.target, row.hasAnswer ? { ...row, last } : row)
    }
    for (const row of samples) {
      const hours = this.samples.get(row.target) ?? new Map<number, SampleRow>()
      this.samples.set(row.target, hours.set(row.hour, row))
    }
    for (const row of incidents) {
      const key = `${row.target} ${row.from_at}`
      const before = this.incidents.get(key) ?? row
      this.incidents.set(key, { ...before, to_at: row.to_at ?? before.to_at })
    }
    for (const [name, id] of positions) this.positions.set(name, Math.max(id, this.positions.get(name) ?? id))
    if (changes.length === 0) return
    const [{ id: first }] = changes as [ChangeRow]
    const newest = this.changes.at(-1)?.id ?? 0
    const behind = Math.max(0, newest + 1 - first)
    for (const row of changes) {
      const before = this.changesByTarget.get(row.target) ?? []
      if (before.some(({ at, field, id }) => id >= first && at === row.at && field === row.field)) continue
      const numbered = { ...row, id: row.id + behind }
      this.changes.push(numbered)
      this.changesByTarget.set(row.target, [...before, numbered])
    }
  }
}
