/**
 * Batched system calls for the sockets of Node, Deno and Bun: one call transfers many datagrams. Batching requires Linux and a C library
 * that can be called (see `docs/adr/0006-batched-system-calls.md`).
 */
import { type Open, openBatched } from "./openBatched.ts"
import { type Runtime, runtime } from "./systemCalls.ts"

/**
 * Creates an `open` that batches system calls. Calls are batched only for IPv4 sockets that have the option `batching` and are neither
 * bound nor connected. For all other sockets, `plain` opens a socket of the runtime. `own` is the runtime for which the transport was
 * written. If another runtime runs the transport (for example, Deno runs the transport for Node), `plain` opens all sockets of the
 * transport.
 */
export const batched =
  (own: Runtime, plain: Open): Open =>
  (options, handler) => {
    const { batching, bind, connect, family } = options
    const isOne = batching === true && family === 4 && bind === undefined && connect === undefined
    return isOne && runtime === own ? openBatched(plain, options, handler) : plain(options, handler)
  }
