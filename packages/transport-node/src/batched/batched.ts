/**
 * Batched system calls for the sockets of Node, Deno and Bun: many datagrams per call to Linux, where that can be done (see
 * `docs/adr/0006-batched-system-calls.md`).
 */
import { type Open, openBatched } from "./openBatched.ts"
import { type Runtime, runtime } from "./systemCalls.ts"

/**
 * An `open` that batches the system calls of sockets that ask for it (`batching`), are neither bound nor connected, and of IPv4. All
 * others are the runtime's own. So are those of a transport on another runtime than its own, as with `node:dgram` on Deno.
 */
export const batched =
  (own: Runtime, plain: Open): Open =>
  (options, handler) => {
    const { batching, bind, connect, family } = options
    const isOne = batching === true && family === 4 && bind === undefined && connect === undefined
    return isOne && runtime === own ? openBatched(plain, options, handler) : plain(options, handler)
  }
