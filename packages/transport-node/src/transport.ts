/**
 * The parts that the transports of Node, Deno and Bun share: name lookup, TCP, and batched system calls for the runtime's UDP sockets. If a
 * runtime provides Node's modules, a custom transport for this runtime can also use these parts.
 *
 * @module
 */
export { batched } from "./batched/batched.ts"
export { type Open, whyUnbatched } from "./batched/openBatched.ts"
export type { Runtime } from "./batched/systemCalls.ts"
export { resolve } from "./NodeNames.ts"
export { layer as streams } from "./NodeStreams.ts"
