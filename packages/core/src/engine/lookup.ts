/**
 * Resolves host names, each with a time limit. Only a few names are resolved at the same time, because runtimes resolve names in a few
 * threads, and other code needs these threads, too. If several callers look up the same name at the same time, they share one lookup.
 */
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Result from "effect/Result"
import * as Semaphore from "effect/Semaphore"
import type { Address } from "../address/Address.ts"
import { LOCAL_RETRY_MS, MAX_LOOKUPS } from "../Limits.ts"
import { Unresolved } from "./QueryError.ts"
import type { Datagrams, Family, ResolvedAddress } from "./Datagrams.ts"
import { sleep } from "./effectTiming.ts"
import type { Timing } from "./Timing.ts"

/** The transport's function that resolves a name. */
export type Resolve = (typeof Datagrams.Service)["resolve"]
type Outcome = Result.Result<ResolvedAddress, Unresolved>

/** A host name or a numeric address. `family` is present for a numeric address. */
export type LookupHost = Pick<Address, "host" | "family">

/**
 * Resolves one name. If `preferred` is present, the address must be of that family. Numeric addresses are not looked up. If no name server
 * responds, the lookup is repeated until the time limit.
 */
export const lookUp = (
  resolve: Resolve,
  { family, host }: LookupHost,
  timeoutMs: number,
  timing: Timing,
  preferred?: Family
): Effect.Effect<ResolvedAddress, Unresolved> => {
  if (family !== undefined) return Effect.succeed({ address: host, family })
  return Effect.suspend(() => {
    let failed = new Unresolved({
      message: `The name ${host} was not resolved within ${timeoutMs} ms. Check that this host's name server responds.`,
      host,
      local: true
    })
    const tries: Effect.Effect<ResolvedAddress, Unresolved> = Effect.suspend(() => resolve(host, preferred)).pipe(
      Effect.catch((error) => {
        failed = error
        return error.local === true ? Effect.flatMap(sleep(timing, LOCAL_RETRY_MS), () => tries) : Effect.fail(error)
      })
    )
    const tooLate = Effect.flatMap(sleep(timing, timeoutMs), () => Effect.fail(failed))
    return Effect.raceFirst(tries, tooLate)
  })
}

/** A lookup in flight, and the number of callers that wait for it. */
interface Lookup {
  fiber: Fiber.Fiber<ResolvedAddress, Unresolved> | undefined
  waiting: number
}

/** Resolves many names. If no caller waits for a lookup any more, the lookup is cancelled. */
export class HostLookup {
  /** Stored outcomes, least recently used first. */
  private readonly known = new Map<string, Outcome>()
  private readonly inFlight = new Map<string, Lookup>()
  private readonly resolve: Resolve
  private readonly timing: Timing
  private readonly remembered: number
  private readonly permits = Semaphore.makeUnsafe(MAX_LOOKUPS)
  private readonly fork: <A, E>(effect: Effect.Effect<A, E>) => Fiber.Fiber<A, E>

  /** The object stores at most `remembered` outcomes: addresses, and failures whose cause is not on this host. */
  constructor(
    resolve: Resolve,
    timing: Timing,
    fork: <A, E>(effect: Effect.Effect<A, E>) => Fiber.Fiber<A, E>,
    remembered = 0
  ) {
    this.resolve = resolve
    this.timing = timing
    this.remembered = remembered
    this.fork = fork
  }

  /**
   * Resolves one name with {@link lookUp}. Numeric addresses are not allowed. The time limit does not include the time in which the lookup
   * waits for other lookups to end.
   */
  lookUp(host: string, timeoutMs: number, preferred?: Family): Effect.Effect<ResolvedAddress, Unresolved> {
    const name = `${host} ${preferred} ${timeoutMs}`
    return Effect.suspend(() => {
      const found = this.known.get(name)
      if (found !== undefined) return this.remember(name, found)
      const looked = this.permits.withPermits(1)(lookUp(this.resolve, { host }, timeoutMs, this.timing, preferred))
      const lookup = this.inFlight.get(name) ?? this.begin(name, looked)
      lookup.waiting++
      const leave = Effect.suspend(() => {
        if (--lookup.waiting > 0) return Effect.void
        this.forget(name, lookup)
        return Fiber.interrupt(lookup.fiber!)
      })
      return Effect.ensuring(Fiber.join(lookup.fiber!), leave)
    })
  }

  private begin(name: string, looked: Effect.Effect<ResolvedAddress, Unresolved>): Lookup {
    const lookup: Lookup = { fiber: undefined, waiting: 0 }
    this.inFlight.set(name, lookup)
    const whole = Effect.flatMap(Effect.result(looked), (outcome) => {
      this.forget(name, lookup)
      return this.remember(name, outcome)
    })
    lookup.fiber = this.fork(whole)
    return lookup
  }

  private forget(name: string, lookup: Lookup): void {
    if (this.inFlight.get(name) === lookup) this.inFlight.delete(name)
  }

  private remember(name: string, outcome: Outcome): Effect.Effect<ResolvedAddress, Unresolved> {
    this.known.delete(name)
    if (Result.isSuccess(outcome) || outcome.failure.local !== true) this.known.set(name, outcome)
    if (this.known.size > this.remembered) this.known.delete(this.known.keys().next().value!)
    return Effect.fromResult(outcome)
  }
}
