/** The type of a test case for a transport, and functions to report failures. */
import type { Datagrams, Streams } from "@sourcewire/core/transport"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"

export interface ConformanceSubject {
  readonly transport: Layer.Layer<Datagrams | Streams>
  /**
   * Whether a connected socket reports ICMP port unreachable. If `false`, as on Deno, a query to a closed port must fail with `Timeout`
   * instead of `PortClosed`.
   */
  readonly reportsClosedPorts: boolean
}

/** A test case. The case passes if the promise of its `run` resolves. */
export interface ConformanceCase {
  readonly group: "cancellation" | "datagrams" | "queries" | "rcon" | "scenarios"
  /** Name of the case, which is unique within its group. */
  readonly name: string
  /** Whether the case runs alone, because it loads the machine and could make parallel cases fail. */
  readonly alone: boolean
  readonly run: (subject: ConformanceSubject) => Promise<void>
}

/** An address without a listener: the system never assigns port 1. */
export const CLOSED = "127.0.0.1:1"

/** Throws an error with the sentence `what` if the condition is false. */
export function expect(holds: boolean, what: string): asserts holds {
  if (!holds) throw new Error(what)
}

/** Returns the `_tag` of a rejection, or the rejection itself if it has no `_tag`. Throws if the promise resolves. */
export const failure = async (promise: Promise<unknown>): Promise<unknown> => {
  try {
    await promise
  } catch (error) {
    return typeof error === "object" && error !== null && "_tag" in error ? error._tag : error
  }
  throw new Error("should have failed, but did not")
}

type Surroundings = Datagrams | Scope.Scope | Streams

/** Creates the `run` of a case from a generator function that yields effects. Each run has its own scope. */
export const scoped =
  (body: (subject: ConformanceSubject) => Effect.fn.Return<void, unknown, Surroundings>) =>
  (subject: ConformanceSubject): Promise<void> =>
    Effect.runPromise(Effect.scoped(Effect.gen(() => body(subject))).pipe(Effect.provide(subject.transport)))

export const buildCases = (
  group: ConformanceCase["group"],
  runs: Readonly<Record<string, ConformanceCase["run"]>>,
  alone = false
): ReadonlyArray<ConformanceCase> => Object.entries(runs).map(([name, run]) => ({ group, name, alone, run }))
