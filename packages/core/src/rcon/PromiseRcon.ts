/**
 * RCON for programs that don't use Effect: the Promise door to `Rcon`. Each transport package exports a `connectRcon` made here.
 *
 * @example
 * import { connectRconWith } from "@sourcewire/core"
 * import { NodeDatagrams, NodeStreams } from "@sourcewire/transport-node"
 * import * as Layer from "effect/Layer"
 * const connectRcon = connectRconWith(Layer.merge(NodeDatagrams.layer, NodeStreams.layer)) // what the transports export
 * await using rcon = await connectRcon("127.0.0.1:27015", { password: "secret" })
 * for await (const part of rcon.stream("cvarlist")) console.log(part)
 *
 * @module
 */
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { Datagrams } from "../engine/Datagrams.ts"
import { demandLayer, isObject, readable, signalOf, wrong } from "../edge.ts"
import type { Abortable } from "../client/PromiseClient.ts"
import { ConnectionClosed } from "../query/QueryError.ts"
import type { RconEngine, RconExecOptions, RconOptions } from "./Rcon.ts"
import { connect } from "./Rcon.ts"
import type { Streams } from "../engine/Streams.ts"

/** As {@link RconOptions}; the password may be plain text and is wrapped at once. */
export interface PromiseRconOptions extends Omit<RconOptions, "password">, Abortable {
  readonly password: Redacted.Redacted<string> | string
}

/**
 * A server's console, logged in. Promises reject with an `RconError`; its `_tag` tells which.
 *
 * @example
 * import { connectRcon } from "@sourcewire/transport-node"
 * await using rcon = await connectRcon("127.0.0.1:27015", { password: "secret" })
 * console.log(await rcon.exec("status"))
 */
export interface PromiseRcon extends AsyncDisposable {
  /** What the server turned out to speak. */
  readonly engine: RconEngine
  /** Runs a command and gives its whole reply. Commands may be given in parallel. Aborting forgets the reply, not the command. */
  readonly exec: (command: string, options?: Abortable & RconExecOptions) => Promise<string>
  /** Runs a command and gives the reply part by part. It throws after parts when they turn out not to be the whole. */
  readonly stream: (command: string, options?: RconExecOptions) => AsyncIterable<string>
  /** Closes the connection; commands under way, and later ones, reject with `ConnectionClosed`. */
  readonly close: () => Promise<void>
}

/** The options, with a password that is plain text wrapped. */
const wrapped = (options: PromiseRconOptions) =>
  readable(() => {
    if (!isObject(options)) return wrong("options", "an object with a password", options)
    const { password } = options
    return Result.succeed({ ...options, password: typeof password === "string" ? Redacted.make(password) : password })
  })

/** A `connectRcon` over one runtime's UDP and TCP. It rejects with an `RconConnectError`. */
export const connectRconWith =
  (transport: Layer.Layer<Datagrams | Streams>) =>
  async (address: string, options: PromiseRconOptions): Promise<PromiseRcon> => {
    demandLayer("transport", transport)
    const runtime = ManagedRuntime.make(transport)
    const scope = Scope.makeUnsafe()
    let closing: Promise<void> | undefined
    const close = (): Promise<void> => {
      closing ??= runtime.runPromise(Scope.close(scope, Exit.void)).then(() => runtime.dispose())
      return closing
    }
    const run = async <A, E>(
      effect: Effect.Effect<A, E, Datagrams | Streams>,
      options: Abortable | undefined
    ): Promise<A> => {
      const signal = Result.getOrThrow(signalOf(options))
      signal?.throwIfAborted()
      if (closing !== undefined) throw new ConnectionClosed({ message: "The RCON session is closed." })
      const exit = await runtime.runPromiseExit(effect, signal === undefined ? undefined : { signal })
      if (Exit.isSuccess(exit)) return exit.value
      const error = Cause.findErrorOption(exit.cause)
      if (Option.isSome(error)) throw error.value
      signal?.throwIfAborted()
      throw Cause.squash(exit.cause)
    }
    const session = Result.getOrThrow(wrapped(options))
    try {
      const rcon = await run(Scope.provide(connect(address, session), scope), options)
      return {
        engine: rcon.engine,
        exec: (command, options) => run(rcon.exec(command, options), options),
        stream: (command, options) => Stream.toAsyncIterableWith(rcon.stream(command, options), Context.empty()),
        close,
        [Symbol.asyncDispose]: close
      }
    } catch (error) {
      await close()
      throw error
    }
  }
