/** Opens sockets with batched system calls, if the C library of Linux can be called. */
import type { Datagrams } from "@sourcewire/core/transport"
import { withoutFtl } from "@sourcewire/protocol/wire"
import * as Effect from "effect/Effect"
import { Addresses } from "./addresses.ts"
import { BatchedCalls, BatchedSocket } from "./batchedSocket.ts"
import { Messages } from "./messages.ts"
import { findSystemCalls } from "./systemCalls.ts"

/** The function `open` of a `Datagrams` service. */
export type Open = (typeof Datagrams)["Service"]["open"]

const spareCompiler = /* @__PURE__ */ withoutFtl(() => [BatchedSocket, Messages, Addresses])

let found: BatchedCalls | string | undefined

const find = (): BatchedCalls | string => {
  if (found !== undefined) return found
  const calls = findSystemCalls()
  spareCompiler()
  return (found = typeof calls === "string" ? calls : new BatchedCalls(calls))
}

/** Returns a sentence with the reason why system calls are not batched, or `undefined` if system calls are batched. */
export const whyUnbatched = (): string | undefined => {
  const shared = find()
  return typeof shared === "string" ? shared : undefined
}

/**
 * Opens a socket with `plain`. If possible, the socket sends and receives with batched system calls. In both cases, the runtime opens and
 * closes the socket, and waits for datagrams.
 */
export const openBatched = (plain: Open, ...[options, handler]: Parameters<Open>): ReturnType<Open> => {
  const shared = find()
  if (typeof shared === "string") return plain(options, handler)
  return Effect.suspend(() => {
    const socket = new BatchedSocket(shared, handler)
    return Effect.flatMap(plain(options, socket), (handle) =>
      // The scope releases resources in the reverse order of their creation. Therefore the batched socket closes before the plain socket.
      Effect.acquireRelease(
        Effect.sync(() => socket.attach(handle, options)),
        () => Effect.sync(() => socket.close())
      )
    )
  })
}
