/**
 * Batched system calls for the sockets of Node, Deno and Bun: many datagrams per call on Linux, if the C library can be called (see
 * `docs/adr/0006-batched-system-calls.md`).
 */
import { type Open, openBatched } from "./openBatched.ts"
import { type Runtime, runtime } from "./systemCalls.ts"

/**
 * Creates an `open` that batches system calls. Calls are batched only for IPv4 sockets that have the option `batching` and are neither
 * bound nor connected. All other sockets are plain sockets of the runtime. If a transport runs on another runtime than its own (for example
 * `node:dgram` on Deno), all its sockets are plain sockets.
 */
export const batched =
  (own: Runtime, plain: Open): Open =>
  (options, handler) => {
    const { batching, bind, connect, family } = options
    const isOne = batching === true && family === 4 && bind === undefined && connect === undefined
    return isOne && runtime === own ? openBatched(plain, options, handler) : plain(options, handler)
  }
