/** Opens RCON sessions over the runtime's TCP and UDP, and logs in. When the scope closes, the session ends. */
import type { EncodeError } from "@sourcewire/protocol"
import * as Effect from "effect/Effect"
import * as FiberSet from "effect/FiberSet"
import type * as Scope from "effect/Scope"
import type { Address } from "../address/Address.ts"
import { Datagrams } from "../engine/Datagrams.ts"
import { PortClosed } from "../engine/QueryError.ts"
import { lookUp } from "../engine/lookup.ts"
import { Streams } from "../engine/Streams.ts"
import { timing } from "../engine/effectTiming.ts"
import type { Dialect } from "./GoldSourceExchange.ts"
import { GoldSourceSession } from "./goldSourceSession.ts"
import { reasonOnLoopback } from "./errors.ts"
import type { ResolvedOptions } from "./options.ts"
import { type RconError, type Session, unsendable } from "./session.ts"
import { SourceSession } from "./sourceSession.ts"

/**
 * Creates the `Opener` of a session. The `Opener` opens a connection or a socket, and returns a function that closes it. The connection or
 * socket also closes when the scope closes.
 */
const makeOpener = /* @__PURE__ */ Effect.fnUntraced(function* <H, A, E>(
  open: (handler: H) => Effect.Effect<A, E, Scope.Scope>
) {
  const fork = yield* FiberSet.runtime(yield* FiberSet.make<void, never>())<never>()
  return (handler: H, onOpen: (opened: A) => void, onFail: (error: E) => void): (() => void) => {
    const fiber = fork(
      open(handler).pipe(
        Effect.flatMap((opened) => {
          onOpen(opened)
          return Effect.never
        }),
        Effect.scoped,
        Effect.catch((error) => Effect.sync(() => onFail(error)))
      )
    )
    return () => fiber.interruptUnsafe()
  }
})

/** Logs in. Returns the session after the server has accepted the password. */
const loggedIn = /* @__PURE__ */ Effect.fnUntraced(function* (
  session: Session
): Effect.fn.Return<Session, RconError, Scope.Scope> {
  yield* Effect.addFinalizer(() => Effect.sync(() => session.close()))
  yield* Effect.callback<void, RconError>((resume) =>
    session.logIn({
      onPart: () => {},
      onEnd: (error) => resume(error === undefined ? Effect.void : Effect.fail(error))
    })
  )
  return session
})

/** Opens a session of Source RCON, over TCP. */
export const connectSource = /* @__PURE__ */ Effect.fnUntraced(function* (
  { host, port }: Address,
  options: ResolvedOptions
): Effect.fn.Return<Session, RconError, Scope.Scope | Streams> {
  const streams = yield* Streams
  const dial = yield* makeOpener((handler: Parameters<typeof streams.connect>[1]) =>
    streams.connect({ host, port, timeoutMs: options.timeoutMs }, handler)
  )
  return yield* Effect.mapError(loggedIn(new SourceSession({ ...options, dial, timing: yield* timing })), (error) =>
    error._tag === "PortClosed" ? new PortClosed({ message: error.message + reasonOnLoopback(host) }) : error
  )
})

/**
 * Requested size of the receive buffer. The buffer is large, because Xash3D sends each line of a reply as a datagram, and sends all these
 * datagrams at once.
 */
const RECEIVE_BUFFER_BYTES = 1024 * 1024

/** Fails if the password contains a character that cannot be inside quotes, because the protocol has no escape characters. */
const demandQuotable = (password: Uint8Array): Effect.Effect<void, EncodeError> => {
  if (![0x22, 0x0a, 0x0d].some((byte) => password.includes(byte))) return Effect.void
  const message = "The password contains a quotation mark or a line break, which RCON over UDP cannot send."
  return Effect.fail(unsendable("password", message))
}

/** Opens a session of RCON over UDP, in the dialect `goldsource` or `quake`. */
export const connectGoldSource = /* @__PURE__ */ Effect.fnUntraced(function* (
  address: Address,
  engine: Dialect,
  options: ResolvedOptions
): Effect.fn.Return<Session, RconError, Datagrams | Scope.Scope> {
  const datagrams = yield* Datagrams
  yield* demandQuotable(options.password)
  const clock = yield* timing
  const { address: found, family } = yield* lookUp(datagrams.resolve, address, options.timeoutMs, clock)
  const remote = { address: found, port: address.port }
  const openSocket = yield* makeOpener((handler: Parameters<typeof datagrams.open>[1]) =>
    datagrams.open({ family, connect: remote, receiveBufferBytes: RECEIVE_BUFFER_BYTES }, handler)
  )
  return yield* loggedIn(new GoldSourceSession({ ...options, openSocket, timing: clock, remote, engine }))
})
