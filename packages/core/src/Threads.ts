/**
 * The seam to a runtime's threads, for scans that run in several. What goes back and forth is plain data that a structured clone
 * carries; what it means is known to the scanner alone.
 *
 * The `scan` of each transport has its runtime's. A program needs this module to tell what has gone wrong, or for other threads.
 *
 * @example
 * import { ThreadFailed } from "@sourcewire/core"
 * import { scan } from "@sourcewire/transport-node"
 * try {
 *   for await (const result of scan(["127.0.0.1:27015"], "info", { threads: 2 })) console.log(result._tag)
 * } catch (error) {
 *   if (error instanceof ThreadFailed) console.log(error.message, error.cause)
 *   else throw error
 * }
 *
 * @module
 */
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import type * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"

/** A thread of a scan could not be started, or came to an end before its work did. Ends the scan, after the results that are there. */
export class ThreadFailed extends Data.TaggedError("ThreadFailed")<{
  readonly message: string
  /** What the runtime said. */
  readonly cause: unknown
}> {}

/** What a thread calls, on the event loop of whoever started it. */
export interface ThreadHandler {
  readonly onMessage: (message: unknown) => void
  /** It has ended without having been told to, because of this. */
  readonly onEnd: (cause: unknown) => void
}

/** A thread that runs. It is ended, at once, by closing the scope that it was started in. */
export interface Thread {
  /** Messages arrive in their order, those from before the thread was ready too. */
  readonly post: (message: unknown) => void
}

/** A thread's own end of the line. */
export interface ThreadPort {
  readonly post: (message: unknown) => void
  readonly listen: (onMessage: (message: unknown) => void) => void
}

/** Threads of one runtime, each of which runs `serveScan`. None keeps the process running. */
export class Threads extends Context.Service<
  Threads,
  {
    readonly start: (handler: ThreadHandler) => Effect.Effect<Thread, ThreadFailed, Scope.Scope>
  }
>()("@sourcewire/core/Threads") {}
