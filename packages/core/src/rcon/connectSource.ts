/**
 * A Source RCON session over the runtime's TCP.
 *
 * @module
 */
import * as Effect from "effect/Effect"
import * as FiberSet from "effect/FiberSet"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import type { Address } from "../address/Address.ts"
import { Streams } from "../engine/Streams.ts"
import { timing } from "../engine/Timing.ts"
import type { ResolvedOptions } from "./options.ts"
import type { Connected, RconError } from "./session.ts"
import { encodeWords } from "./session.ts"
import type { Dial } from "./sourceSession.ts"
import { SourceSession } from "./sourceSession.ts"

/** Connects and logs in; the session lasts as long as the scope. */
export const connectSource = Effect.fnUntraced(function* (
  address: Address,
  options: ResolvedOptions
): Effect.fn.Return<Connected, RconError, Scope.Scope | Streams> {
  const streams = yield* Streams
  const password = yield* Effect.fromResult(encodeWords(Redacted.value(options.password), options.encoding, "password"))
  const fork = yield* FiberSet.runtime(yield* FiberSet.make<void, never>())<never>()
  const dial: Dial = (handler, onOpen, onFail) => {
    const fiber = fork(
      streams.connect({ host: address.host, port: address.port, timeoutMs: options.timeoutMs }, handler).pipe(
        Effect.flatMap((stream) => {
          onOpen(stream)
          return Effect.never
        }),
        Effect.scoped,
        Effect.catch((error) => Effect.sync(() => onFail(error)))
      )
    )
    return () => fiber.interruptUnsafe()
  }
  const session = new SourceSession({ ...options, password, dial, timing: yield* timing })
  yield* Effect.addFinalizer(() => Effect.sync(() => session.close()))
  yield* Effect.callback<void, RconError>((resume) => {
    session.open({
      onPart: () => {},
      onEnd: (error) => resume(error === undefined ? Effect.void : Effect.fail(error))
    })
  })
  return { engine: "source", runner: session }
})
