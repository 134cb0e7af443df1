/**
 * The optional fast path that the transports for Node, Deno and Bun share: UDP with many datagrams per call to Linux, by the foreign
 * function interface of the runtime (see `docs/adr/0006-batched-system-calls.md`). Programs import the `batched` of their transport.
 *
 * @module
 */
import { Datagrams } from "@sourcewire/core"
import { withoutFtl } from "@sourcewire/protocol/machines"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { BatchedCalls, BatchedSocket } from "./internal/batched/batchedSocket.ts"
import { Addresses } from "./internal/batched/addresses.ts"
import { findSystemCalls } from "./internal/batched/findSystemCalls.ts"
import { Messages } from "./internal/batched/messages.ts"
import type { LoadLibrary } from "./SystemCalls.ts"

export type { LoadLibrary, SystemCalls, ArgumentType } from "./SystemCalls.ts"
export { SIGNATURES } from "./SystemCalls.ts"

const spareCompiler = /* @__PURE__ */ withoutFtl(() => [BatchedSocket, Messages, Addresses])

/** What {@link batching} makes of a transport. */
export interface Batching {
  /** The transport that is faster where it can be, and the plain one elsewhere. */
  readonly layer: Layer.Layer<Datagrams>
  /** Why it is the plain one, in a sentence; `undefined` when it is the faster. */
  readonly unavailable: () => string | undefined
}

/**
 * Puts batched system calls over a runtime's own transport, which goes on to open, wake up and close the sockets. Only those are
 * different that clients share among all servers, as scans do: neither bound nor connected, of IPv4.
 *
 * @example
 * import { NodeDatagrams } from "@sourcewire/transport-node"
 * import { batching, SIGNATURES } from "@sourcewire/transport-node/batching"
 * const { unavailable } = batching(NodeDatagrams.layer, (library) => {
 *   throw new Error(`there is nothing here that calls ${Object.keys(SIGNATURES).join(", ")} of ${library}`)
 * })
 * console.log(unavailable()) // so its layer is the plain one
 */
export const batching = (plain: Layer.Layer<Datagrams>, load: LoadLibrary): Batching => {
  let found: BatchedCalls | string | undefined
  const find = (): BatchedCalls | string => {
    if (found !== undefined) return found
    const calls = findSystemCalls(load)
    spareCompiler()
    return (found = typeof calls === "string" ? calls : new BatchedCalls(calls))
  }
  const over = (datagrams: (typeof Datagrams)["Service"]): (typeof Datagrams)["Service"] => {
    const shared = find()
    if (typeof shared === "string") return datagrams
    return {
      resolve: datagrams.resolve,
      open: (options, handler) => {
        const { bind, connect, family } = options
        if (family === 6 || bind !== undefined || connect !== undefined) return datagrams.open(options, handler)
        return Effect.suspend(() => {
          const socket = new BatchedSocket(shared, handler)
          return Effect.flatMap(datagrams.open(options, socket), (handle) =>
            // Closed before the plain one is, since it was opened later.
            Effect.acquireRelease(
              Effect.sync(() => socket.attach(handle, options)),
              () => Effect.sync(() => socket.close())
            )
          )
        })
      }
    }
  }
  return {
    layer: Layer.provide(Layer.effect(Datagrams, Effect.map(Datagrams, over)), plain),
    unavailable: () => {
      const shared = find()
      return typeof shared === "string" ? shared : undefined
    }
  }
}
