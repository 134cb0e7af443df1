/** Opens sockets whose system calls are batched, where Linux's C library can be called. */
import type { Datagrams } from "@sourcewire/core/transport"
import { withoutFtl } from "@sourcewire/protocol/wire"
import * as Effect from "effect/Effect"
import { Addresses } from "./addresses.ts"
import { BatchedCalls, BatchedSocket } from "./batchedSocket.ts"
import { Messages } from "./messages.ts"
import { findSystemCalls } from "./systemCalls.ts"

/** How sockets are opened. */
export type Open = (typeof Datagrams)["Service"]["open"]

const spareCompiler = /* @__PURE__ */ withoutFtl(() => [BatchedSocket, Messages, Addresses])

let found: BatchedCalls | string | undefined

const find = (): BatchedCalls | string => {
  if (found !== undefined) return found
  const calls = findSystemCalls()
  spareCompiler()
  return (found = typeof calls === "string" ? calls : new BatchedCalls(calls))
}

/** Why calls are not batched here, in a sentence; `undefined` where they are. */
export const whyUnbatched = (): string | undefined => {
  const shared = find()
  return typeof shared === "string" ? shared : undefined
}

/** As `plain` opens it, but with batched system calls where they can be had. The runtime goes on to open, wake up and close it. */
export const openBatched = (plain: Open, ...[options, handler]: Parameters<Open>): ReturnType<Open> => {
  const shared = find()
  if (typeof shared === "string") return plain(options, handler)
  return Effect.suspend(() => {
    const socket = new BatchedSocket(shared, handler)
    return Effect.flatMap(plain(options, socket), (handle) =>
      // Closed before the plain one is, since it was opened later.
      Effect.acquireRelease(
        Effect.sync(() => socket.attach(handle, options)),
        () => Effect.sync(() => socket.close())
      )
    )
  })
}
