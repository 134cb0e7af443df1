/**
 * Host names to addresses: a few at a time, since runtimes do it in a few threads which others need too; each for as long as it may
 * take, counted from when its turn has come; the same name at the same time once.
 *
 * @module
 */
import * as Effect from "effect/Effect"
import type * as Fiber from "effect/Fiber"
import * as Semaphore from "effect/Semaphore"
import type { Datagrams, Family, ResolvedAddress } from "./Datagrams.ts"
import { MAX_LOOKUPS } from "../Limits.ts"
import { Unresolved } from "../query/QueryError.ts"
import { Joint } from "./joint.ts"

/** See the module. */
export class HostLookup {
  private readonly resolve: (typeof Datagrams.Service)["resolve"]
  private readonly turns = Semaphore.makeUnsafe(MAX_LOOKUPS)
  private readonly joint: Joint

  constructor(
    resolve: (typeof Datagrams.Service)["resolve"],
    fork: <A, E>(effect: Effect.Effect<A, E>) => Fiber.Fiber<A, E>
  ) {
    this.resolve = resolve
    this.joint = new Joint(fork)
  }

  /** The address of a name. */
  of(host: string, family: Family | undefined, timeoutMs: number): Effect.Effect<ResolvedAddress, Unresolved> {
    const late = Effect.suspend(() =>
      Effect.fail(new Unresolved({ message: `The name ${host} was not resolved within ${timeoutMs} ms.`, host }))
    )
    const lookup = Effect.timeoutOrElse(
      Effect.suspend(() => this.resolve(host, family)),
      { duration: timeoutMs, orElse: () => late }
    )
    return this.joint.join(`${host} ${family} ${timeoutMs}`, this.turns.withPermits(1)(lookup), (address) => address)
  }
}
