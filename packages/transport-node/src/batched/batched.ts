/**
 * Batched system calls for the sockets of Node, Deno and Bun: many datagrams per call to Linux, where that can be done (see
 * `docs/adr/0006-batched-system-calls.md`).
 */
import type { Datagrams } from "@sourcewire/core/transport"
import { withoutFtl } from "@sourcewire/protocol/machines"
import * as Effect from "effect/Effect"
import { Addresses } from "./addresses.ts"
import { BatchedCalls, BatchedSocket } from "./batchedSocket.ts"
import { Messages } from "./messages.ts"
import type { Runtime } from "./systemCalls.ts"
import { findSystemCalls, runtime } from "./systemCalls.ts"

type Open = (typeof Datagrams)["Service"]["open"]

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

/**
 * An `open` that batches the system calls of sockets that ask for it (`batching`), are neither bound nor connected, and of IPv4. The
 * runtime goes on to open, wake up and close them; all others are the runtime's own. So are those of a transport on another runtime than
 * its own, as with `node:dgram` on Deno.
 */
export const batched =
  (own: Runtime, plain: Open): Open =>
  (options, handler) => {
    const { batching, bind, connect, family } = options
    if (batching !== true || runtime !== own || family === 6 || bind !== undefined || connect !== undefined)
      return plain(options, handler)
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
