/** The servers of `scan --watch`, as a list that the user can sort and filter. */
import * as Result from "effect/Result"
import { Changes, changeWords } from "./changes.ts"
import type { ResultLine } from "./resultLine.ts"
import { type Predicate, parsePredicate } from "./where.ts"

export interface WatchedServer {
  readonly address: string
  /**
   * The result of the last query to which the server replied. If the server has never replied, this field contains the failed result of the
   * first query.
   */
  readonly line: ResultLine
  readonly isAlive: boolean
  /** The last change of the server, as text that is safe for a terminal. Empty if the server has not changed. */
  readonly change: string
  readonly changedIn: number
  readonly changedAt: number
  /**
   * If a filter consists of words, the filter searches this text for them. The text contains the address, the name, the map and the last
   * change of the server, in lower case.
   */
  readonly text: string
}

/** The titles of the columns by which the user can sort the table, from left to right. */
export const SORT_KEYS = ["address", "ms", "players", "map", "name", "changed"] as const

export type SortKey = (typeof SORT_KEYS)[number]

/** Pads the numbers in an address with zeros, so that addresses are sorted by the values of their numbers. */
const sortable = (address: string): string => address.replaceAll(/\d+/g, (digits) => digits.padStart(5, "0"))

const VALUES: Readonly<Record<SortKey, (server: WatchedServer) => string | number>> = {
  address: ({ address }) => sortable(address),
  ms: ({ isAlive, line: { rttMs = Infinity } }) => (isAlive ? rttMs : Infinity),
  players: ({ line: { info } }) => info?.players ?? -1,
  map: ({ line: { info } }) => info?.map ?? "",
  name: ({ line: { info } }) => (info?.name ?? "").toLowerCase(),
  changed: ({ changedAt }) => changedAt
}

/**
 * Parses a filter. If the filter contains one of the characters `= < > ~ !`, it is an expression of `--where`. Otherwise, it consists of
 * words, and the filter shows a server if the server's text contains all these words.
 */
const parseFilter = (filter: string): Result.Result<(server: WatchedServer) => boolean, string> => {
  if (/[=<>~!]/.test(filter)) {
    return Result.mapBoth(parsePredicate(filter), {
      onSuccess:
        (where: Predicate) =>
        ({ line }: WatchedServer) =>
          where(line),
      onFailure: ({ message }) => message.replace(/^--where: /, "")
    })
  }
  const words = filter.toLowerCase().split(/\s+/)
  return Result.succeed(({ text }: WatchedServer) => words.every((word) => text.includes(word)))
}

export class Watched {
  sortKey: SortKey = "players"
  descending = true
  changedOnly = false
  /** Whether to list servers that never replied. */
  silentToo = false
  round = 0
  readonly #changes = new Changes()
  readonly #servers = new Map<string, WatchedServer>()
  readonly #wanted: Predicate
  #filter = ""
  #passes: (server: WatchedServer) => boolean = () => true
  /** The cached result of `list`. `undefined` if the list must be computed again. */
  #list: ReadonlyArray<WatchedServer> | undefined

  /** If `wanted` returns false for the last reply of a server, the list does not contain this server. */
  constructor(wanted: Predicate = () => true) {
    this.#wanted = wanted
  }

  take(line: ResultLine, now: number): void {
    const before = this.#servers.get(line.address)
    const changes = this.#changes.of(line)
    const known = line.ok || before === undefined ? line : before.line
    const change = changes.length === 0 ? (before?.change ?? "") : changes.map(changeWords).join(", ")
    this.#servers.set(line.address, {
      address: line.address,
      line: known,
      isAlive: line.ok,
      change,
      changedIn: changes.length === 0 ? (before?.changedIn ?? 0) : this.round,
      changedAt: changes.length === 0 ? (before?.changedAt ?? 0) : now,
      text: `${line.address} ${known.info?.name ?? ""} ${known.info?.map ?? ""} ${change}`.toLowerCase()
    })
    this.#list = undefined
  }

  set(change: Partial<Pick<Watched, "sortKey" | "descending" | "changedOnly" | "silentToo" | "round">>): void {
    Object.assign(this, change)
    this.#list = undefined
  }

  get filter(): string {
    return this.#filter
  }

  /**
   * Sets the filter. If the new filter is invalid, the method returns the error. In this case, the list continues to show the servers that
   * match the last valid filter.
   */
  setFilter(filter: string): string | undefined {
    this.#filter = filter
    const predicate = parseFilter(filter.trim())
    if (Result.isFailure(predicate)) return predicate.failure
    this.#passes = predicate.success
    this.#list = undefined
    return undefined
  }

  get list(): ReadonlyArray<WatchedServer> {
    const selectValue = VALUES[this.sortKey]
    const sign = this.descending ? -1 : 1
    // The values for sorting are computed once per server, because sorting compares each server many times.
    this.#list ??= [...this.#servers.values()]
      .filter((server) => this.#isShown(server))
      .map((server) => [selectValue(server), server] as const)
      .sort(([a], [b]) => (a === b ? 0 : a < b ? -sign : sign))
      .map(([, server]) => server)
    return this.#list
  }

  /**
   * Number of all servers (`known`), number of servers that responded to their last query (`alive`), and number of servers that changed in
   * the current round (`changed`).
   */
  get counts(): { readonly known: number; readonly alive: number; readonly changed: number } {
    let alive = 0
    let changed = 0
    for (const server of this.#servers.values()) {
      if (server.isAlive) alive++
      if (this.#hasChanged(server)) changed++
    }
    return { known: this.#servers.size, alive, changed }
  }

  #hasChanged({ changedIn }: WatchedServer): boolean {
    return changedIn === this.round && changedIn > 0
  }

  #isShown(server: WatchedServer): boolean {
    if (!server.line.ok && !this.silentToo) return false
    if (this.changedOnly && !this.#hasChanged(server)) return false
    return (!server.line.ok || this.#wanted(server.line)) && this.#passes(server)
  }
}
