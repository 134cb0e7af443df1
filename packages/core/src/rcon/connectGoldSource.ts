/**
 * An RCON session over the runtime's UDP.
 *
 * @module
 */
import { EncodeError } from "@sourcewire/protocol"
import * as Effect from "effect/Effect"
import * as FiberSet from "effect/FiberSet"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import type { Address } from "../address/Address.ts"
import { Datagrams } from "../engine/Datagrams.ts"
import { lookUp } from "../engine/lookup.ts"
import { timing } from "../engine/Timing.ts"
import type { Dialect } from "./goldSourceMachine.ts"
import type { OpenSocket } from "./goldSourceSession.ts"
import { GoldSourceSession } from "./goldSourceSession.ts"
import type { ResolvedOptions } from "./options.ts"
import type { Connected, RconError } from "./session.ts"
import { encodeWords } from "./session.ts"

/** A reply comes as one burst, on Xash3D with a datagram per line. */
const RECEIVE_BUFFER_BYTES = 1024 * 1024

/** Bytes of a password that can stand between quotes; there is no escape for what can't. */
const quotable = (password: Uint8Array): Effect.Effect<Uint8Array, EncodeError> =>
  [0x22, 0x0a, 0x0d].some((byte) => password.includes(byte))
    ? Effect.fail(
        new EncodeError({
          message: "The password holds a quotation mark or a line end, which RCON over UDP has no way to write.",
          messageTag: "RconRequest",
          field: "password"
        })
      )
    : Effect.succeed(password)

/** Logs in; the session lasts as long as the scope. */
export const connectGoldSource = Effect.fnUntraced(function* (
  address: Address,
  dialect: Dialect,
  options: ResolvedOptions
): Effect.fn.Return<Connected, RconError, Datagrams | Scope.Scope> {
  const datagrams = yield* Datagrams
  const password = yield* Effect.flatMap(
    Effect.fromResult(encodeWords(Redacted.value(options.password), options.encoding, "password")),
    quotable
  )
  const resolved = yield* lookUp(datagrams.resolve, address, options.timeoutMs)
  const remote = { address: resolved.address, port: address.port }
  const fork = yield* FiberSet.runtime(yield* FiberSet.make<void, never>())<never>()
  const openSocket: OpenSocket = (handler, onOpen, onFail) => {
    const fiber = fork(
      datagrams
        .open({ family: resolved.family, connect: remote, receiveBufferBytes: RECEIVE_BUFFER_BYTES }, handler)
        .pipe(
          Effect.flatMap((socket) => {
            onOpen(socket)
            return Effect.never
          }),
          Effect.scoped,
          Effect.catch((error) => Effect.sync(() => onFail(error)))
        )
    )
    return () => fiber.interruptUnsafe()
  }
  const session = new GoldSourceSession({
    openSocket,
    timing: yield* timing,
    remote,
    password,
    dialect,
    trace: options.trace
  })
  yield* Effect.addFinalizer(() => Effect.sync(() => session.close()))
  yield* Effect.callback<void, RconError>((resume) => {
    session.logIn(options, {
      onPart: () => {},
      onEnd: (error) => resume(error === undefined ? Effect.void : Effect.fail(error))
    })
  })
  return { engine: dialect, runner: session }
})
