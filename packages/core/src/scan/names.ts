/**
 * Host names of a scan: each is looked up once, however often it occurs, and the ones used longest ago are forgotten.
 *
 * @module
 */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { Datagrams, Family, ResolvedAddress } from "../engine/Datagrams.ts"
import { MAX_REMEMBERED_NAMES } from "../Limits.ts"
import { lookUp } from "../engine/lookup.ts"
import type { Unresolved } from "../engine/QueryError.ts"

/** What a name stands for, or why it stands for nothing. */
export type Lookup = ResolvedAddress | Unresolved

/** See the module. */
export class Names {
  /** Look-ups under way. */
  pending = 0
  private readonly known = new Map<string, Lookup | Array<(lookup: Lookup) => void>>()
  private readonly resolve: (typeof Datagrams.Service)["resolve"]
  private readonly family: Family | undefined
  private readonly timeoutMs: number
  private readonly fork: <A, E>(effect: Effect.Effect<A, E>) => unknown

  constructor(
    resolve: (typeof Datagrams.Service)["resolve"],
    family: Family | undefined,
    timeoutMs: number,
    fork: <A, E>(effect: Effect.Effect<A, E>) => unknown
  ) {
    this.resolve = resolve
    this.family = family
    this.timeoutMs = timeoutMs
    this.fork = fork
  }

  /** Calls `use` with the look-up's outcome, at once when it is known. */
  of(host: string, use: (lookup: Lookup) => void): void {
    const found = this.known.get(host)
    if (found === undefined) this.ask(host, use)
    else if (Array.isArray(found)) found.push(use)
    else {
      this.known.delete(host)
      this.known.set(host, found)
      use(found)
    }
  }

  private ask(host: string, use: (lookup: Lookup) => void): void {
    const waiting = [use]
    this.known.set(host, waiting)
    this.pending++
    const lookup = lookUp(this.resolve, { host }, this.timeoutMs, this.family).pipe(
      Effect.match({ onSuccess: (address): Lookup => address, onFailure: (error): Lookup => error }),
      Effect.onExit((exit) =>
        Effect.sync(() => {
          this.pending--
          if (Exit.isFailure(exit)) return
          this.remember(host, exit.value)
          for (const each of waiting) each(exit.value)
        })
      )
    )
    this.fork(lookup)
  }

  private remember(host: string, lookup: Lookup): void {
    this.known.set(host, lookup)
    if (this.known.size <= MAX_REMEMBERED_NAMES) return
    for (const [oldest, value] of this.known) {
      if (Array.isArray(value)) continue
      this.known.delete(oldest)
      return
    }
  }
}
