/** One thing that the transport of a runtime has to get right, and how to say that it did not. */
import type { Datagrams, Streams } from "@sourcewire/core/transport"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"

export interface ConformanceSubject {
  readonly transport: Layer.Layer<Datagrams | Streams>
  /**
   * Whether a connected socket learns of ICMP port unreachable. Where the runtime keeps it to itself (Deno), a query to a closed port
   * has to end with `Timeout` instead of `PortClosed`.
   */
  readonly reportsClosedPorts: boolean
}

/** A row of the table. It passes when its promise resolves. */
export interface ConformanceCase {
  readonly group: "cancellation" | "datagrams" | "queries" | "rcon" | "scenarios"
  /** Unique within its group. */
  readonly name: string
  /** It loads the machine, so that others beside it could fail by it. */
  readonly alone: boolean
  readonly run: (subject: ConformanceSubject) => Promise<void>
}

/** An address where nothing listens: the system gives port 1 to nobody who asks for any port. */
export const CLOSED = "127.0.0.1:1"

/** Throws, in words, when something is not as it should be. */
export function expect(holds: boolean, what: string): asserts holds {
  if (!holds) throw new Error(what)
}

/** The `_tag` of what a promise rejects with; throws when it does not. */
export const failure = async (promise: Promise<unknown>): Promise<unknown> => {
  try {
    await promise
  } catch (error) {
    return typeof error === "object" && error !== null && "_tag" in error ? error._tag : error
  }
  throw new Error("should have failed, but did not")
}

type Surroundings = Datagrams | Scope.Scope | Streams

/** A case's `run` from an effect's generator, in a scope of its own. */
export const scoped =
  (body: (subject: ConformanceSubject) => Effect.fn.Return<void, unknown, Surroundings>) =>
  (subject: ConformanceSubject): Promise<void> =>
    Effect.runPromise(Effect.scoped(Effect.gen(() => body(subject))).pipe(Effect.provide(subject.transport)))

export const casesOf = (
  group: ConformanceCase["group"],
  runs: Readonly<Record<string, ConformanceCase["run"]>>,
  alone = false
): ReadonlyArray<ConformanceCase> => Object.entries(runs).map(([name, run]) => ({ group, name, alone, run }))
