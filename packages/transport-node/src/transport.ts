/**
 * The parts that the transports of Node, Deno and Bun share: name lookup, TCP, and batched system calls for the runtime's UDP sockets. A
 * custom transport for a runtime with Node's modules can use these parts, too.
 *
 * @module
 */
export { batched } from "./batched/batched.ts"
export { type Open, whyUnbatched } from "./batched/openBatched.ts"
export type { Runtime } from "./batched/systemCalls.ts"
export { resolve } from "./NodeNames.ts"
export { layer as streams } from "./NodeStreams.ts"
