/**
 * RCON: remote access to a server's console, with one API for all RCON protocols.
 *
 * | engine | transport | servers |
 * |---|---|---|
 * | `source` | TCP | Source games, and most other games with "RCON" |
 * | `goldsource` | UDP | HLDS, ReHLDS, HLTV |
 * | `quake` | UDP, no challenge | Xash3D, descendants of Quake 3 |
 *
 * A command is sent at most once, because a command can change the state of the server. If a datagram or the connection is lost, the
 * command fails and is not retried. None of the three protocols in this table is encrypted. Over UDP, each command contains the password in
 * clear text.
 */
import type { Encoding } from "@sourcewire/protocol"
import { decodeText } from "@sourcewire/protocol/wire"
import * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Queue from "effect/Queue"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { InvalidAddress } from "../address/Address.ts"
import * as Address from "../address/Address.ts"
import type { Datagrams } from "../engine/Datagrams.ts"
import type { CallOptions, Effects, Outcome, Parts, Style } from "../client/Style.ts"
import { notLoggedIn } from "./errors.ts"
import { connectAuto } from "./connectAuto.ts"
import { connectGoldSource, connectSource } from "./connect.ts"
import type { RconEngine, RconOptions, RconSettings, ResolvedOptions } from "./options.ts"
import { commandLimits, resolveOptions } from "./options.ts"
import type { RconTrace } from "./trace.ts"
import { concatBytes } from "@sourcewire/inside/bytes"
import { ReplyText } from "./replyText.ts"
import { type RconError, type ReplySink, type Session, encodeWords } from "./session.ts"
import type { Streams } from "../engine/Streams.ts"

/** Options of a single command. If an option is absent, the command uses the value of the session. */
export type RconExecOptions = Pick<RconSettings, "timeoutMs" | "totalTimeoutMs">

/** The errors of {@link connect}. */
export type RconConnectError = InvalidAddress | RconError

/** The methods of a session. The style `S` determines whether they return Effects or promises. */
export interface RconMethods<S extends Style> {
  /** The protocol of the server. */
  readonly engine: RconEngine
  /**
   * Runs a command and returns its complete reply, which is empty if the command has no output. If you cancel the call, the reply is
   * dropped, but the server may execute the command anyway.
   */
  readonly exec: (command: string, options?: CallOptions<S, RconExecOptions>) => Outcome<S, string, RconError>
  /** Runs a command and returns the parts of its reply as they arrive. If the command fails after some parts, the reply is incomplete. */
  readonly stream: (command: string, options?: CallOptions<S, RconExecOptions>) => Parts<S, string, RconError>
}

/** An authenticated session. You can run commands in parallel. Each call returns the reply to its own command. */
export interface Rcon extends RconMethods<Effects> {}

/** Connects and logs in, as `rcon` of the Effect API does, but without spans and metrics. */
export const open = /* @__PURE__ */ Effect.fnUntraced(function* (
  address: string,
  options: RconOptions
): Effect.fn.Return<Rcon, RconConnectError, Datagrams | Scope.Scope | Streams> {
  const target = yield* Effect.fromResult(Address.from(address))
  const checked = yield* Effect.fromResult(resolveOptions(options))
  const password = yield* Effect.fromResult(encodeWords(Redacted.value(checked.password), checked.encoding, "password"))
  const { thrown, trace } = guarded(checked.trace)
  const resolved = { ...checked, password, trace }
  // The session has its own scope. If connecting fails, the scope is closed before the caller gets the error.
  const scope = yield* Effect.acquireRelease(Scope.make(), (scope, exit) => Scope.close(scope, exit))
  const session = yield* Effect.raceFirst(thrown, Scope.provide(connectEngine(target, resolved), scope)).pipe(
    Effect.timeoutOrElse({
      duration: checked.totalTimeoutMs,
      orElse: () => Effect.fail(notLoggedIn(checked.totalTimeoutMs))
    }),
    Effect.onError((cause) => Scope.close(scope, Exit.failCause(cause)))
  )
  const rcon = makeRcon(session, resolved.encoding, options)
  if (trace === undefined) return rcon
  return {
    ...rcon,
    exec: (command, execOptions) => Effect.raceFirst(thrown, rcon.exec(command, execOptions)),
    stream: (command, execOptions) => Stream.interruptWhen(rcon.stream(command, execOptions), thrown)
  }
})

/**
 * Wraps the function `trace`. After `trace` has thrown an error, `trace` is not called again, and all calls in flight end with this error
 * as a defect. To receive the error, each call races with `thrown`.
 */
const guarded = (trace: RconTrace | undefined) => {
  let hasThrown = false
  let thrown = Deferred.makeUnsafe<never>()
  const guard: RconTrace = (event) => {
    if (hasThrown) return
    try {
      trace!(event)
    } catch (error) {
      hasThrown = true
      const calls = thrown
      // Only the calls in flight end with the error. Later calls race with a new `thrown`, which does not fail.
      thrown = Deferred.makeUnsafe()
      Deferred.doneUnsafe(calls, Effect.die(error))
    }
  }
  return {
    thrown: Effect.suspend(() => Deferred.await(thrown)),
    trace: trace === undefined ? undefined : guard
  }
}

const connectEngine = (address: Address.Address, options: ResolvedOptions) => {
  const { engine } = options
  if (engine === "source") return connectSource(address, options)
  return engine === "auto" ? connectAuto(address, options) : connectGoldSource(address, engine, options)
}

const makeRcon = (session: Session, encoding: Encoding, chosen: RconOptions): Rcon => {
  /**
   * Passes the command to the session. If the command is invalid, `sink.onEnd` is called with the error at once. The returned function
   * cancels the command.
   */
  const run = (command: string, options: RconExecOptions | undefined, sink: ReplySink): (() => void) => {
    const given = Result.all([encodeWords(command, encoding, "command"), commandLimits(options, chosen)])
    if (Result.isSuccess(given)) return session.exec(...given.success, sink)
    sink.onEnd(given.failure)
    return () => {}
  }

  const exec: Rcon["exec"] = (command, options) =>
    Effect.callback((resume) => {
      const parts: Array<Uint8Array> = []
      const giveUp = run(command, options, {
        onPart: (part) => parts.push(part),
        onEnd: (error) => {
          if (error !== undefined) return resume(Effect.fail(error))
          const whole = concatBytes(parts)
          return resume(Effect.succeed(decodeText(whole, 0, whole.length, encoding).text))
        }
      })
      return Effect.sync(giveUp)
    })

  const stream: Rcon["stream"] = (command, options) =>
    Stream.callback<string, RconError>(
      (queue) => {
        const text = new ReplyText(encoding)
        const offer = (piece: string) => piece !== "" && Queue.offerUnsafe(queue, piece)
        const begin = Effect.sync(() =>
          run(command, options, {
            onPart: (part) => offer(text.push(part)),
            onEnd: (error) => {
              offer(text.end())
              if (error === undefined) Queue.endUnsafe(queue)
              else Queue.failCauseUnsafe(queue, Cause.fail(error))
            }
          })
        )
        return Effect.acquireRelease(begin, (giveUp) => Effect.sync(giveUp))
      },
      // The queue needs no limit, because the session limits the size of a reply.
      { bufferSize: Number.POSITIVE_INFINITY }
    )

  return { engine: session.engine, exec, stream }
}
