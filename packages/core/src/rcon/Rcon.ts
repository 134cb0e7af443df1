/**
 * RCON: a server's console from afar, one API over the protocols that the family speaks.
 *
 * | engine | transport | who |
 * |---|---|---|
 * | `source` | TCP | Source games, and most others that say "RCON" |
 * | `goldsource` | UDP | HLDS, ReHLDS, HLTV |
 * | `quake` | UDP, no challenge | Xash3D, Quake 3 descendants |
 *
 * A command is sent at most once: a lost datagram or connection is an error, never a second try, since commands change things.
 * None of these protocols encrypts; the UDP ones show the password with each command to whoever can listen.
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
import { limitsOfCommand, resolveOptions } from "./options.ts"
import type { RconTrace } from "./trace.ts"
import { concatBytes } from "@sourcewire/inside/bytes"
import { ReplyText } from "./replyText.ts"
import { type RconError, type ReplySink, type Session, encodeWords } from "./session.ts"
import type { Streams } from "../engine/Streams.ts"

/** What may differ from one command to the next, as in {@link RconOptions}. */
export type RconExecOptions = Pick<RconSettings, "timeoutMs" | "totalTimeoutMs">

/** How {@link connect} can fail. */
export type RconConnectError = InvalidAddress | RconError

/** What a session can be asked, with Effects or with promises. */
export interface RconVerbs<S extends Style> {
  /** What the server turned out to speak. */
  readonly engine: RconEngine
  /**
   * Runs a command and gives its whole reply, empty for a command without output. Interrupting or aborting it forgets the reply, not the
   * command.
   */
  readonly exec: (command: string, options?: CallOptions<S, RconExecOptions>) => Outcome<S, string, RconError>
  /** Runs a command and gives the reply part by part, as it comes. A failure may follow parts: then they are not the whole. */
  readonly stream: (command: string, options?: CallOptions<S, RconExecOptions>) => Parts<S, string, RconError>
}

/** An authenticated session. Commands may be given in parallel; each gets its own reply. */
export interface Rcon extends RconVerbs<Effects> {}

/** Connects and logs in, as `rcon` of the Effect API, without spans. */
export const open = /* @__PURE__ */ Effect.fnUntraced(function* (
  address: string,
  options: RconOptions
): Effect.fn.Return<Rcon, RconConnectError, Datagrams | Scope.Scope | Streams> {
  const target = yield* Effect.fromResult(Address.from(address))
  const checked = yield* Effect.fromResult(resolveOptions(options))
  const password = yield* Effect.fromResult(encodeWords(Redacted.value(checked.password), checked.encoding, "password"))
  const { thrown, trace } = guarded(checked.trace)
  const resolved = { ...checked, password, trace }
  // A scope of its own: whoever is told of a failure has nothing left open, whenever his scope ends.
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

/** The trace, called until it throws. What it throws is then a defect of the calls under way, which are raced with `thrown`. */
const guarded = (trace: RconTrace | undefined) => {
  let hasThrown = false
  let underWay = Deferred.makeUnsafe<never>()
  const guard: RconTrace = (event) => {
    if (hasThrown) return
    try {
      trace!(event)
    } catch (error) {
      hasThrown = true
      const calls = underWay
      // Later calls have a fate of their own, and the next may begin before these have ended.
      underWay = Deferred.makeUnsafe()
      Deferred.doneUnsafe(calls, Effect.die(error))
    }
  }
  return {
    thrown: Effect.suspend(() => Deferred.await(underWay)),
    trace: trace === undefined ? undefined : guard
  }
}

const connectEngine = (address: Address.Address, options: ResolvedOptions) => {
  const { engine } = options
  if (engine === "source") return connectSource(address, options)
  return engine === "auto" ? connectAuto(address, options) : connectGoldSource(address, engine, options)
}

const makeRcon = (session: Session, encoding: Encoding, chosen: RconOptions): Rcon => {
  /** Hands the command over, or ends it at once where there is nothing that could be sent. The result gives it up. */
  const run = (command: string, options: RconExecOptions | undefined, sink: ReplySink): (() => void) => {
    const given = Result.all([encodeWords(command, encoding, "command"), limitsOfCommand(options, chosen)])
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
      // The sessions cap a reply's bytes, which is what bounds this queue.
      { bufferSize: Number.POSITIVE_INFINITY }
    )

  return { engine: session.engine, exec, stream }
}
