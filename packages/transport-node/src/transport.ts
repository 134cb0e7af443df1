/**
 * What the transports of Deno and Bun share with Node's, and what a transport of one's own for a runtime with Node's modules may:
 * name lookup, TCP, and batched system calls over the runtime's own UDP.
 *
 * @module
 */
export { batched } from "./batched/batched.ts"
export { type Open, whyUnbatched } from "./batched/openBatched.ts"
export type { Runtime } from "./batched/systemCalls.ts"
export { resolve } from "./NodeNames.ts"
export { layer as streams } from "./NodeStreams.ts"
