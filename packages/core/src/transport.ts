/**
 * What a transport gives (`Datagrams`, `Streams`), what it may need for that, and what makes promises of the verbs over it. For
 * authors of transports, and for servers.
 *
 * @module
 */
export { canonicalAddress } from "./address/Address.ts"
export { connectWith } from "./client/PromiseClient.ts"
export type { Abortable, Closable } from "./client/Running.ts"
export * as Running from "./client/Running.ts"
export * from "./engine/Datagrams.ts"
export * from "./engine/Streams.ts"
export { faultOf, openFailed } from "./engine/SystemFault.ts"
export type { SystemError } from "./engine/SystemFault.ts"
export { live as liveTiming, timing as currentTiming } from "./engine/Timing.ts"
export type { Timing } from "./engine/Timing.ts"
export { logsWith } from "./log/PromiseLogs.ts"
export { masterWith } from "./master/Master.ts"
export { rconWith } from "./rcon/PromiseRcon.ts"
export { scanWith } from "./scan/PromiseScanner.ts"
